"""Mistakes at the shell are told in a sentence, at once, and cost nothing."""

import subprocess
import sys

import numpy as np
import pytest

import limbik as lk


def run(*arguments: str, folder) -> subprocess.CompletedProcess[str]:
    code = "import sys; from limbik.cli.main import main; sys.argv = ['limbik', *sys.argv[1:]]; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, timeout=30, check=False
    )


@pytest.mark.parametrize("address", ("nonsense", "tcp://127.0.0.1:1", "127.0.0.1:99999999", "tcp://"))
def test_a_cluster_that_is_not_there_is_told_and_the_process_ends(address, tmp_path):
    pytest.importorskip("distributed")
    done = run("table", "build", "puma560", "-o", "p.table", "--cluster", address, folder=tmp_path)
    assert done.returncode == 2 and "no dask scheduler" in done.stderr and "Traceback" not in done.stderr


def test_results_do_not_take_the_place_of_their_targets(tmp_path):
    arm = lk.load("puma560")
    targets = arm.forward(arm.sample(np.random.default_rng(0), 3))
    np.save(tmp_path / "t.npy", targets)
    done = run("solve", "puma560", "--targets", "t.npy", "--out", "./t.npy", folder=tmp_path)
    assert done.returncode == 2 and "take the place" in done.stderr
    assert np.array_equal(np.load(tmp_path / "t.npy"), targets)


@pytest.mark.parametrize(
    "settings",
    (
        ("valid=abc",),
        ("samples=0",),
        ("bins=1e9",),
        ("--design", "cells", "per_cell=abc"),
        ("--design", "cells", "reach=nan"),
    ),
)
def test_settings_without_sense_are_told(settings, tmp_path):
    options = [*settings[:-1], "--set", settings[-1]]
    done = run("table", "build", "puma560", "-o", "p.table", *options, folder=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 3, done.stderr

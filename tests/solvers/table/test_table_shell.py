"""The shell with real tables: typical use, and mistakes, which are reported in a sentence before any work is done."""

import json
import subprocess
import sys

import numpy as np
import pytest

import limbik as lk


def run(*arguments: str, folder) -> subprocess.CompletedProcess[str]:
    code = "import sys; from limbik.cli.main import main; sys.argv = ['limbik', *sys.argv[1:]]; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize(
    ("robot", "design", "settings"), (("jaco2", "postures", "samples=20000"), ("puma560", "cells", "position_side=0.4"))
)
def test_a_table_is_built_described_drawn_queried_and_mapped(robot, design, settings, tmp_path):
    done = run(
        "table", "build", robot, "-o", "t", "--design", design, "--set", settings, "--workers", "1", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(run("table", "info", "t", "--json", "--plot", "t.png", folder=tmp_path).stdout)
    assert facts["statistics"]["random postures found [%]"] > 50 and (tmp_path / "t.png").stat().st_size > 10_000
    arm = lk.load(robot)
    q = arm.sample(np.random.default_rng(3))
    target = ",".join(f"{x:.17g}" for x in arm.forward(q)[:3].ravel())
    asked = run("table", "query", "t", robot, "--target", target, "--json", folder=tmp_path)
    answer = json.loads(asked.stdout)
    assert asked.returncode == 0 and answer["ok"] and answer["design"] == design and answer["look_up"]["candidates"]
    drawn = run(
        "table",
        "map",
        robot,
        "--table",
        "t",
        "-o",
        "m.png",
        "--points",
        "9",
        "--orientations",
        "5",
        "--json",
        folder=tmp_path,
    )
    assert drawn.returncode == 0 and json.loads(drawn.stdout)["reached_percent"] > 0 and (tmp_path / "m.png").exists()


@pytest.mark.parametrize("address", ("nonsense", "tcp://127.0.0.1:1", "127.0.0.1:99999999", "tcp://"))
def test_a_missing_cluster_is_reported_and_the_process_ends(address, tmp_path):
    pytest.importorskip("distributed")
    done = run("table", "build", "puma560", "-o", "p.table", "--cluster", address, folder=tmp_path)
    assert done.returncode == 2 and "no dask scheduler" in done.stderr and "Traceback" not in done.stderr


def test_results_do_not_overwrite_their_targets(tmp_path):
    arm = lk.load("puma560")
    targets = arm.forward(arm.sample(np.random.default_rng(0), 3))
    np.save(tmp_path / "t.npy", targets)
    done = run("solve", "puma560", "--targets", "t.npy", "--out", "./t.npy", folder=tmp_path)
    assert done.returncode == 2 and "overwrite" in done.stderr
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
def test_invalid_settings_are_reported(settings, tmp_path):
    options = [*settings[:-1], "--set", settings[-1]]
    done = run("table", "build", "puma560", "-o", "p.table", *options, folder=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 3, done.stderr

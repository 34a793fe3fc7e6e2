"""Interrupted builds: a killed build resumes, and Ctrl-C ends a build at once."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from limbik.solvers.building.parts import folder_of

SHELL = Path(__file__).parent / "toy_shell.py"


def arguments(path, *more, seconds=0.02):
    words = ["table", "build", "planar3_chin", "-o", path, "--design", "toy", "--set", f"seconds={seconds}", *more]
    return [sys.executable, str(SHELL), *map(str, words)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    path = tmp_path_factory.mktemp("expected") / "arm.table"
    subprocess.run(arguments(path, seconds=0), check=True, timeout=300)
    return path.read_bytes()


def started(path, *more, seconds=0.02, parts=1):
    """Start a build and wait until it has stored some parts."""
    build = subprocess.Popen(
        arguments(path, *more, seconds=seconds),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a shell may have switched it off
    )
    end = time.monotonic() + 300
    while len(list(folder_of(path).glob("*.part"))) < parts and build.poll() is None:
        assert time.monotonic() < end, "no part is made"
        time.sleep(0.005)
    return build


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_build_resumes(tmp_path, expected, workers):
    path, seed = tmp_path / "arm.table", 5 + workers
    rng = random.Random(seed)
    for _ in range(3):
        build = started(path, "--workers", workers)
        time.sleep(rng.uniform(0, 0.25))
        build.kill()  # the process that builds, alone: its workers find out by themselves
        build.wait(300)
        build.stderr.close()
        assert not path.exists() or path.read_bytes() == expected, f"seed {seed}"
    subprocess.run(arguments(path, "--workers", workers), check=True, timeout=300)
    assert path.read_bytes() == expected and not folder_of(path).exists(), f"seed {seed}"


@pytest.mark.parametrize("executor", [("--workers", "1"), ("--workers", "2"), ("--cluster", "local")])
def test_ctrl_c_ends_a_build_and_keeps_its_parts(tmp_path, expected, executor):
    if "--cluster" in executor:
        pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    path = tmp_path / "arm.table"
    build = started(path, *executor, seconds=0.5)
    os.killpg(build.pid, signal.SIGINT)  # as a terminal does: the whole group
    _, words = build.communicate(timeout=300)
    assert build.returncode == 130 and "to resume" in words and words.count("\n") == 1, words
    assert list(folder_of(path).glob("*.part")) and not list(folder_of(path).glob(".*.tmp"))
    subprocess.run(arguments(path, seconds=0), check=True, timeout=300)
    assert path.read_bytes() == expected

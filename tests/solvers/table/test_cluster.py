"""Clusters: real schedulers and workers, as processes on this machine. Workers that die change nothing."""

import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import toy_design

import limbik as lk
from limbik import BadOption
from limbik.errors import MissingExtra
from limbik.formats import source
from limbik.solvers.building import cluster
from limbik.solvers.building.work import build

ARM = lk.load("planar3_chin")
HERE = Path(__file__).parent


def needs_dask():
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed: pip install 'limbik[cluster]'")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    path = tmp_path_factory.mktemp("expected") / "arm.table"
    build(toy_design.plan(ARM, pieces=12), path)
    return path.read_bytes()


def started(folder, *words):
    """Start one of dask's programs; its words go to a file."""
    log = (folder / f"{words[0]}-{time.monotonic_ns()}.log").open("w+")
    code = f"import sys; sys.path.insert(0, {str(HERE)!r}); from distributed.cli.dask_{words[0]} import main; main()"
    run = [sys.executable, "-c", code, *words[1:]]
    return subprocess.Popen(run, stdout=log, stderr=subprocess.STDOUT, cwd=folder), log


def worker(folder, address):
    """Start a worker without a nanny: killed, it stays dead."""
    flags = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(folder))
    return started(folder, "worker", address, *flags)


@contextmanager
def scheduler(folder):
    """Have a scheduler; yields its address."""
    process, log = started(
        folder,
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--no-show",
        "--dashboard-address",
        "127.0.0.1:0",
    )
    end = time.monotonic() + 300
    while not (found := re.search(r"tcp://127\.0\.0\.1:\d+", Path(log.name).read_text())):
        assert time.monotonic() < end and process.poll() is None, Path(log.name).read_text()
        time.sleep(0.05)
    try:
        yield found[0]
    finally:
        process.kill()
        process.wait()
        log.close()


def test_a_local_cluster_gives_the_same_bytes(tmp_path, expected):
    needs_dask()
    build(toy_design.plan(ARM, pieces=12), tmp_path / "t", cluster="local", workers=2)
    assert (tmp_path / "t").read_bytes() == expected


def test_a_worker_that_is_killed_changes_nothing(tmp_path, expected):
    """One dies in the middle of the first stage, its successor comes late, another dies in the second stage."""
    needs_dask()
    with scheduler(tmp_path) as address:
        workers = [worker(tmp_path, address) for _ in range(2)]
        killed = set()

        def progress(done, total, stage):
            if done == 4 and stage not in killed:
                killed.add(stage)
                process, _ = workers[len(killed) - 1]
                process.send_signal(signal.SIGKILL)
                workers.append(worker(tmp_path, address))

        try:
            plan = toy_design.plan(ARM, pieces=12, seconds=0.1)
            build(plan, tmp_path / "t", cluster=address, progress=progress)
        finally:
            for process, log in workers:
                process.kill()
                process.wait()
                log.close()
    assert (tmp_path / "t").read_bytes() == expected and killed == {"draw", "place"}


def test_an_error_of_a_piece_comes_back(tmp_path):
    needs_dask()
    with pytest.raises(ValueError, match="a piece that fails") as caught:
        build(toy_design.plan(ARM, nasty="fail"), tmp_path / "t", cluster="local", workers=1)
    assert "piece 5 of stage 'draw'" in caught.value.__notes__[0]


def test_other_instruction_levels_are_refused():
    answer = cluster._make(b"", "another level", 0, {})
    assert isinstance(answer, BadOption) and "LIMBIK_ISA" in str(answer)


def test_nobody_answers(tmp_path, monkeypatch):
    needs_dask()
    monkeypatch.setattr(cluster, "TIMEOUT", 1.0)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", ""):
        with pytest.raises(BadOption, match="no dask scheduler answers"):
            build(toy_design.plan(ARM), tmp_path / "t", cluster=address)
    with pytest.raises(BadOption, match="its own workers"):
        build(toy_design.plan(ARM), tmp_path / "t", cluster="tcp://127.0.0.1:9", workers=2)
    assert not list(tmp_path.iterdir())


def test_without_its_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'limbik\[cluster\]'"):
        build(toy_design.plan(ARM), tmp_path / "t", cluster="local")

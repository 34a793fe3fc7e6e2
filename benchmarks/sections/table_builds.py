"""Table builds whose processes are killed, and files of targets that exceed the memory."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import limbik as lk
from benchmarks.ended_builds import SHELL, ended_builds
from benchmarks.measurement import SEED, Measurement, at_most
from limbik.solvers.table.designs import DESIGNS

ROBOT = "puma560"
# Targets of the large file, and how many are made at a time.
TARGETS, ROWS = 10_000_000, 100_000
# Memory that solving the file may take beyond that of one pose [MB]; the file alone has 1280.
MOST_MEMORY = 100.0


def table_builds(_: Path) -> list[Measurement]:
    """Measure builds that are killed at ten random moments, for each design; and a large file of targets."""
    measured = []
    for name in DESIGNS:
        seconds, found = ended_builds(ROBOT, ["--design", name, "--workers", "2"], seed=SEED)
        others = sum(not (e.same and e.tidy) for e in found)
        note = f"{seconds:.0f} s a build; {sum(e.parts > 0 for e in found)} of them had saved parts"
        measured.append(
            at_most(f"{name}: {len(found)} builds killed and resumed: other files", others, 0, "files", note)
        )
    return [*measured, *large_file()]


def large_file(targets: int = TARGETS) -> list[Measurement]:
    """Solve a file of many targets in another process, and compare its memory with that of one pose."""
    arm, rng = lk.load(ROBOT), np.random.default_rng(SEED)
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "targets.npy", Path(folder) / "answers.npy"
        poses = np.lib.format.open_memmap(file, "w+", np.float64, (targets, 4, 4))
        for first in range(0, targets, ROWS):
            count = min(ROWS, targets - first)
            poses[first : first + count] = arm.forward(arm.sample(rng, count))
        del poses
        one = _measured(["--pose", "0.5,0.1,0.3,180,0,30"])
        many = _measured(["--targets", str(file), "-o", str(out)])
        answers = np.load(out, mmap_mode="r")
        batch = arm.solve_batch(np.load(file, mmap_mode="r")[:ROWS])
        others = int((answers["q"][:ROWS] != batch.q).any(axis=1).sum())
    note = f"{many['seconds']:.0f} s, {targets * 128 / 1e6:.0f} MB of targets; one pose takes {one['megabytes']:.0f} MB"
    return [
        at_most(
            f"{targets:,} targets from a file: added memory",
            many["megabytes"] - one["megabytes"],
            MOST_MEMORY,
            "MB",
            note,
        ),
        at_most("rows that differ from solve_batch in any bit", others, 0, "rows", f"of the first {ROWS:,}"),
    ]


def _measured(words: list[str]) -> dict[str, float]:
    """Run `limbik solve` in a process of its own; return its time [s] and peak memory [MB]."""
    code = (
        "import json, resource, subprocess, sys, time; start = time.perf_counter(); "
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024; "
        "print(json.dumps({'seconds': time.perf_counter() - start, 'megabytes': used}))"
    )
    run = [sys.executable, "-c", code, *SHELL, "solve", ROBOT, *words]
    found: dict[str, float] = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    return found

"""Broken input and long runs, each in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks import endurance
from benchmarks.measurement import SEED, Measurement, at_most

HERE = Path(__file__).parents[1]


def robustness(_: Path) -> list[Measurement]:
    """Run the fuzzer for a minute."""
    done = subprocess.run(
        [sys.executable, str(HERE / "fuzz.py"), "--seconds", "60", "--seed", str(SEED)],
        capture_output=True,
        text=True,
        check=False,
    )
    summary = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-200:]
    return [at_most("fuzzer, 60 s: findings", done.returncode, 0, "exit code", summary)]


def lasting(out: Path) -> list[Measurement]:
    """Measure ten million solves in one process, equal answers of threads and processes, and Ctrl-C."""
    file = out / "endurance.json"
    run = [sys.executable, str(HERE / "endurance.py"), "--out", str(file)]
    subprocess.run(
        run, check=False, stdout=subprocess.DEVNULL
    )  # a process of its own, so that its memory is measured alone
    found = json.loads(file.read_text())
    note = f"{found['seconds']:.0f} s; batches and single calls, errors among them"
    measured = [
        at_most(
            f"{found['solves']:,} solves: growth of memory",
            found["growth_bytes"] / 2**20,
            endurance.NO_LEAK / 2**20,
            "MB",
            note,
        )
    ]
    for who, count in found["disagreeing"].items():
        measured.append(at_most(f"{endurance.WORKERS} {who}: other answers, in any bit", count, 0, "workers"))
    for what, seconds in found["interrupt_seconds"].items():
        measured.append(at_most(f"{what}: a long batch, from Ctrl-C to its end", seconds, endurance.PROMPT, "s"))
    return measured

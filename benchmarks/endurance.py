"""Solve for a long time in one process, and in many at once: memory does not grow, answers do not change, Ctrl-C works.

    python benchmarks/endurance.py --solves 10000000

A round is ten thousand solves of every kind: batches and single calls, reachable or not, with predicates and time limits, from
temporary copies of the arm, and calls that are refused. Resident memory is read after the warm-up rounds and at the end; the
difference is the leak.
"""

import argparse
import json
import multiprocessing
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

import limbik as lk

SOLVES = 10_000_000
# Rows of a round's large batch; the other calls are slower, so there are fewer.
ROWS = 9_600
SINGLES, UNREACHABLE, RULED = 300, 40, 4
# Rounds before memory is measured: tables are built, allocators have grown, modules are loaded.
WARM_UP = 20
# Growth of resident memory that the allocator may cause; a leak of one byte per solve is more [bytes].
NO_LEAK = 4 << 20
# Python threads, and processes, that solve the same targets at once.
WORKERS = 8
# Ctrl-C must have ended a batch after this [s].
PROMPT = 0.5


def resident() -> int:
    """Return the resident memory of this process [bytes]; its peak if the system reports only that."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) << 10
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1 << 10)


def read(answer: lk.Answer) -> None:
    """Read every lazy attribute of an answer, and pickle it."""
    _ = (answer.q, answer.status, answer.why, answer.target, repr(answer), hash(answer))
    assert pickle.loads(pickle.dumps(answer)) == answer


class Mix:
    """Rounds of solves of every kind, on one arm."""

    def __init__(self, name: str = "panda", seed: int = 1) -> None:
        self.arm: Any = lk.load(name)
        self.rng = np.random.default_rng(seed)
        self.T = np.array(self.arm.forward(self.arm.sample(self.rng, ROWS)))
        self.hidden = self.T[:UNREACHABLE].copy()
        self.hidden[::2, :3, 3] *= 0.02  # inside the hollow of the workspace
        self.hidden[1::2, :3, 3] *= 20.0  # beyond reach
        good = self.T[0]
        nan, far = good.copy(), good.copy()
        nan[0, 3], far[0, 3] = np.nan, 1e300
        mirrored, scaled = good @ np.diag([1.0, 1, -1, 1]), good @ np.diag([2.0, 2, 2, 1])
        self.refused: tuple[Callable[[], Any], ...] = (
            *(lambda T=T: self.arm.solve(T) for T in (nan, far, mirrored, scaled, good[:3], "here", None, self.T)),
            *(lambda T=T: self.arm.solve_batch(np.stack([good, T])) for T in (nan, far, mirrored, scaled)),
            lambda: self.arm.solve(good, seed=[1, 2]),
            lambda: self.arm.solve(good, seed=[np.nan] * self.arm.n),
            lambda: self.arm.solve(good, method="magic"),
            lambda: self.arm.solve(good, valid=lambda q: 3),
            lambda: self.arm.solve(good, position_tolerance=-1.0),
            lambda: self.arm.solve(good, seconds=0),
            lambda: self.arm.solve_batch(good),
        )
        self.marked = np.stack([good, nan, mirrored, self.T[1]])

    def round(self) -> int:
        """Run one round; return its number of solves."""
        arm, T = self.arm, self.T
        count = len(arm.solve_batch(T))
        for one in T[self.rng.integers(ROWS, size=SINGLES)]:
            read(arm.solve(one))
        for one in self.hidden:
            read(arm.solve(one))
        count += SINGLES + 2 * len(arm.solve_batch(self.hidden, arm.home))
        batch = arm.solve_batch(self.marked, invalid="mark")
        for answer in pickle.loads(pickle.dumps(batch[~batch.ok])):
            read(answer)
        count += len(batch)
        for one in T[:RULED]:
            arm.solve(one, valid=lambda q: q[0] > 0)
            arm.solve(one, prefer="limits", seconds=10.0)
        count += 2 * RULED + len(arm.solve_batch(T[:RULED], valid=lambda q: False))
        copy = arm.with_tool(T[0])
        count += len(copy.solve_batch(T[:RULED] @ T[0], limits=False))
        for call in self.refused:
            try:
                call()
            except lk.LimbikError:
                count += 1
            else:
                raise AssertionError("a call that must be refused was not")
        return count


def growth(work: Callable[[], int], wanted: int, warm_up: int = WARM_UP) -> tuple[int, int]:
    """Return the number of solves, at least `wanted`, and the growth of resident memory [bytes]."""
    for _ in range(warm_up):
        work()
    before, solves = resident(), 0
    while solves < wanted:
        solves += work()
    return solves, resident() - before


def task(name: str = "kr6", rows: int = 400) -> tuple[Any, Any]:
    """Return an arm and targets, some of which cannot be reached."""
    arm: Any = lk.load(name)
    T = np.array(arm.forward(arm.sample(np.random.default_rng(4), rows)))
    T[::9, :3, 3] *= 1.5
    return arm, T


def work_of(arm: Any, T: Any) -> lk.BatchAnswer:
    """Return the batch, checked against single solves: the work of one worker."""
    batch: lk.BatchAnswer = arm.solve_batch(T)
    assert [arm.solve(T[k]) for k in range(0, len(T), 20)] == [batch[k] for k in range(0, len(T), 20)]
    return batch


def disagreeing(workers: int = WORKERS) -> dict[str, int]:
    """Return how many workers of each kind give an answer that differs from this thread's in any bit."""
    arm, T = task()
    fresh = pickle.loads(pickle.dumps(arm))
    with ThreadPoolExecutor(workers) as pool:  # its table is not built yet: the threads race for it
        threads = list(pool.map(work_of, [fresh] * workers, [T] * workers))
    expected = work_of(arm, T)
    counts = {"threads": sum(batch != expected for batch in threads)}
    for how in ("fork", "spawn"):
        if how not in multiprocessing.get_all_start_methods():
            continue
        with ProcessPoolExecutor(workers, multiprocessing.get_context(how)) as pool:
            answers = list(pool.map(work_of, [arm] * workers, [T] * workers))
        counts[f"processes by {how}"] = sum(batch != expected for batch in answers)
    return counts


LONG_BATCH = """
import numpy as np, sys, time, limbik as lk
arm = lk.load('{name}')
arm = arm if isinstance(arm, lk.Chain) else arm.chain('{tip}')
T = np.array(arm.forward(arm.home)); T[:3, 3] = [0, 0, .3]
T = np.broadcast_to(T, (2_000_000, 4, 4)).copy()
print('go', flush=True)
try:
    arm.solve_batch(T)
except KeyboardInterrupt:
    print(time.clock_gettime(time.CLOCK_MONOTONIC), flush=True)
"""


def time_to_interrupt(name: str = "panda", tip: str = "") -> float:
    """Return the seconds from Ctrl-C to the end of a batch that would take minutes."""
    script = LONG_BATCH.format(name=name, tip=tip)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "go\n"
        sleep(1.0)
        start = perf_counter()
        process.send_signal(signal.SIGINT)
        ended = float(process.stdout.readline())
        process.wait()
    return ended - start


def measure(solves: int) -> dict[str, Any]:
    """Return all measurements of this file."""
    start = perf_counter()
    made, grown = growth(Mix().round, solves)
    return {
        "solves": made,
        "seconds": perf_counter() - start,
        "growth_bytes": grown,
        "disagreeing": disagreeing(),
        "interrupt_seconds": {
            "panda": time_to_interrupt(),
            "human, left hand": time_to_interrupt("human", "leftHand"),
        },
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; return 1 if memory grew, an answer differed, or Ctrl-C took too long."""
    parser = argparse.ArgumentParser(description="Solve for a long time in one process, and in many at once.")
    parser.add_argument("--solves", type=int, default=SOLVES, help=f"how many (default {SOLVES})")
    parser.add_argument("--out", type=Path, default=None, help="a file for the measurements, as JSON")
    options = parser.parse_args(arguments)
    found = measure(options.solves)
    if options.out is not None:
        options.out.write_text(json.dumps(found, indent=1))
    print(f"{found['solves']} solves in {found['seconds']:.0f} s: memory grew by {found['growth_bytes'] >> 10} kB")
    for who, count in found["disagreeing"].items():
        print(f"{WORKERS} {who}: {count} with another answer")
    for what, seconds in found["interrupt_seconds"].items():
        print(f"Ctrl-C in a long batch, {what}: ended after {seconds * 1e3:.0f} ms")
    right = found["growth_bytes"] <= NO_LEAK and not any(found["disagreeing"].values())
    return 0 if right and max(found["interrupt_seconds"].values()) <= PROMPT else 1


if __name__ == "__main__":
    sys.exit(main())

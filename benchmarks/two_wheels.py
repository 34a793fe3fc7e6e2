"""Compare the speed of two installed wheels: `python benchmarks/two_wheels.py OLD_PYTHON NEW_PYTHON [--rounds 21] [--only ROW]`.

Each Python runs a worker that imports its own limbik. The workers take turns, row by row, and the table shows the median over
the rounds of new / old, in processor time: other load affects both alike. A row passes within 5 %.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

# The largest ratio new / old that passes, and the least time of one measurement [s].
BAR, LEAST = 1.05, 0.03
SEED = 20260101
# The heap keeps freed memory. Otherwise page faults, which depend on the allocator's history, would count as limbik's time.
HEAP = {"MALLOC_MMAP_THRESHOLD_": "1073741824", "MALLOC_TRIM_THRESHOLD_": "4294967296", "MALLOC_TOP_PAD_": "67108864"}


def rows() -> dict[str, Callable[[], Any]]:
    """Return the measured calls: every row of the speed table, by name."""
    import numpy as np

    import limbik as lk

    rng = np.random.default_rng(SEED)
    out: dict[str, Callable[[], Any]] = {}

    def each(call: Callable[[Any], Any], values: Any) -> Callable[[], Any]:
        kept = list(np.ascontiguousarray(values))  # contiguous: holes that imports left in the heap do not count

        def run() -> None:
            for value in kept:
                call(value)

        return run

    for name in ("puma560", "ur5", "iiwa7", "panda"):
        arm: Any = lk.load(name)
        q = arm.sample(rng, 4096)
        T = arm.forward(q)
        some, near = T[:256], q[:256] + rng.uniform(-0.1, 0.1, (256, arm.n))
        near = np.clip(near, arm.lower, arm.upper)
        pairs = [(np.ascontiguousarray(t), np.ascontiguousarray(s)) for t, s in zip(some, near, strict=True)]
        arm.solve(T[0], method="lm")
        out[f"{name}: forward"] = each(arm.forward, q[:512])
        out[f"{name}: forward, batch"] = lambda arm=arm, q=q: arm.forward(q)
        out[f"{name}: lm cold"] = each(lambda t, arm=arm: arm.solve(t, method="lm"), some)
        out[f"{name}: lm warm"] = lambda arm=arm, pairs=pairs: [arm.solve(t, s, method="lm") for t, s in pairs]
        out[f"{name}: lm batch"] = lambda arm=arm, T=T: arm.solve_batch(T, threads=1, method="lm")
        out[f"{name}: solve"] = each(arm.solve, some)
        out[f"{name}: solve warm"] = lambda arm=arm, pairs=pairs: [arm.solve(t, s) for t, s in pairs]
        out[f"{name}: solve, batch"] = lambda arm=arm, T=T: arm.solve_batch(T, threads=1)
        if name in ("puma560", "ur5"):
            out[f"{name}: solve_all"] = each(arm.solve_all, some)
            out[f"{name}: solve_all, batch"] = lambda arm=arm, T=T: arm.solve_all_batch(T, threads=1)
        if name == "iiwa7":
            out[f"{name}: all branches at a swivel"] = each(lambda t, arm=arm: arm.solve_all(t, swivel=0.3), some)
            out[f"{name}: swivel ranges"] = each(arm.swivel_ranges, some)
            out[f"{name}: solve_all"] = each(arm.solve_all, some)
    general: Any = lk.load("jaco2")
    out["jaco2: solve_all"] = each(general.solve_all, general.forward(general.sample(rng, 64)))
    figure: Any = lk.load("human")
    places = np.tile(figure.forward(figure.home, "leftHand"), (20, 1, 1))
    places[:, 0, 3] -= np.linspace(0.01, 0.1, 20)
    out["human: a hand is moved"] = lambda: [figure.solve({"leftHand": T}, seed=figure.home) for T in places]
    return out


def work() -> None:
    """Measure rows named on standard input, one per line, and print the seconds of each."""
    calls = rows()
    print(json.dumps(list(calls)), flush=True)
    for line in sys.stdin:
        call = calls[json.loads(line)]
        count, spent = 0, 0.0
        start = process_time()
        while spent < LEAST:
            call()
            count, spent = count + 1, process_time() - start
        print(json.dumps(spent / count), flush=True)


def compare(pythons: list[str], rounds: int, only: str) -> int:
    """Print the table; return how many rows are slower than the bar."""
    workers = [
        subprocess.Popen(
            [python, __file__, "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | HEAP,
        )
        for python in pythons
    ]

    def ask(worker: subprocess.Popen[str], row: str | None) -> Any:
        assert worker.stdin is not None and worker.stdout is not None
        if row is not None:
            worker.stdin.write(json.dumps(row) + "\n")
            worker.stdin.flush()
        line = worker.stdout.readline()
        if not line:
            raise SystemExit(f"the worker of {worker.args} ended")  # type: ignore[str-bytes-safe]
        return json.loads(line)

    names = [ask(worker, None) for worker in workers]
    slower = 0
    for row in names[1]:
        if row not in names[0] or only not in row:
            continue
        ratios = []
        for number in range(rounds + 1):
            first = number % 2
            pair = [0.0, 0.0]
            for k in (first, 1 - first):
                pair[k] = ask(workers[k], row)
            if number:  # the first warms up
                ratios.append(pair[1] / pair[0])
        ratio = statistics.median(ratios)
        slower += ratio > BAR
        print(f"{row:40} {ratio:6.3f} {'' if ratio <= BAR else '  slower'}", flush=True)
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.close()
        worker.wait(timeout=60)
    print(f"{slower} rows slower than {BAR}")
    return slower


def main() -> None:
    """Run as a worker, or compare two workers."""
    if "--work" in sys.argv:
        return work()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs=2, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    raise SystemExit(1 if compare(given.pythons, given.rounds, given.only) else 0)


if __name__ == "__main__":
    main()

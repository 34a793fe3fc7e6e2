"""Hypothesis 2 (section 4.1): an iterative method ends at one posture, and it is not known which start leads to another.

Example 1's target has eight postures. Methods start from random postures, and their ends are compared with the closed form: how
many of the eight are found, after how many starts the last one, how many starts reach the target, and the time of all. The
methods minimise the rotation vector, which has no false zeros, or (5.22), which has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT, appendix_b, turn_gap
from limbik.papers.chin.example_1 import START_DEG, STEP
from limbik.papers.chin.methods import LINK
from limbik.papers.claim import Claim, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.solvers.iterative.iterative import trace
from limbik.solvers.iterative.task import make_task
from limbik.solvers.query import Options, Query
from limbik.solvers.registry import iterative

STARTS = 64
POSTURES = 8
# The largest distance at which an end is one of the eight postures [rad].
SAME = 1e-3
# The number of calls over which the time of the closed form is averaged.
CALLS = 200
MILLISECONDS, MICROSECONDS = 1e3, 1e6


@dataclass(frozen=True)
class Runner:
    """A method and its objective, and the name in the report."""

    name: str
    method: str
    objective: str


RUNNERS = (
    Runner("LM", "marquardt", "log"),
    Runner("BFGS", "bfgs", "log"),
    Runner("LM by (5.22)", "marquardt", "5.22"),
    Runner("BFGS by (5.22)", "bfgs", "5.22"),
)
WITHOUT_FALSE_ZEROS = tuple(r.name for r in RUNNERS if r.objective == "log")


def ends(arm: Chain, T: Array, starts: Array, runner: Runner, postures: Array) -> list[int | None]:
    """Return for each start the index of the posture that it leads to, None if to none."""
    task = replace(make_task(arm.model, Query(T, options=Options(limits=False))), objective=runner.objective)
    found: list[int | None] = []
    for start in starts:
        run = trace(task, iterative(runner.method), start, task.problem(metre=1 / UNIT, radian=LINK))
        gap = turn_gap(postures, run.q[-1]).max(axis=1)
        found.append(int(gap.argmin()) if run.ok and gap.min() <= SAME else None)
    return found


def summary(found: Sequence[int | None]) -> dict[str, float]:
    """Return the numbers of distinct postures, of starts that led to one, and of starts until the last new one."""
    first = {posture: k + 1 for k, posture in reversed(list(enumerate(found))) if posture is not None}
    return {
        "met": float(len(first)),
        "reached": float(sum(posture is not None for posture in found)),
        "last": float(max(first.values(), default=0)),
    }


def measure(setting: Setting) -> Findings:
    """Run every method from the same random postures, and time the closed form."""
    arm = appendix_b()
    T = np.array(arm.forward(np.full(arm.n, np.radians(START_DEG))))
    T[:3, 3] += UNIT * np.array(STEP)
    postures = arm.solve_all(T, limits=False).q
    starts = setting.rng().uniform(-np.pi, np.pi, (STARTS, arm.n))
    values = {"postures": float(len(postures))}
    for runner in RUNNERS:
        begun = perf_counter()
        found = ends(arm, T, starts, runner, postures)
        elapsed = (perf_counter() - begun) * MILLISECONDS
        values |= {f"{runner.name} {name}": value for name, value in summary(found).items()}
        values[f"{runner.name} time"] = elapsed
    begun = perf_counter()
    for _ in range(CALLS):
        arm.solve_all(T, limits=False)
    values["closed form time"] = (perf_counter() - begun) / CALLS * MICROSECONDS
    return Findings(values)


def _claims(runner: Runner) -> tuple[Claim, ...]:
    where = f"{runner.name} from {STARTS} random postures"
    return (
        Claim(f"{runner.name} met", f"{where}: postures of Example 1's target that are found", f"of {POSTURES}"),
        Claim(f"{runner.name} reached", f"{where}: starts that reach the target", f"of {STARTS}"),
        Claim(f"{runner.name} last", f"{where}: starts until the last new posture", "starts"),
        Claim(f"{runner.name} time", f"{where}: total time", "ms"),
    )


EXPERIMENT = Experiment(
    name="other starts",
    claims=(
        Claim("postures", "Example 1's target: postures by closed form", "postures", None, exactly(POSTURES)),
        Claim("closed form time", "Example 1's target: time of all postures by closed form", "us"),
        *(claim for runner in RUNNERS for claim in _claims(runner)),
    ),
    measure=measure,
)

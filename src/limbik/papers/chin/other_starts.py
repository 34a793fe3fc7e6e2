"""Hypothesis 2 (section 4.1): an iterative method ends at one posture, and it is not known which start leads to another.

Example 1's target has eight postures. Methods start from random postures, and their ends are compared with the closed form: how
many of the eight are found, after how many starts the last one, how many starts reach the target, and the time of all. The
methods minimise the rotation vector, which has no false zeros, or (5.22), which has.

Times compare compiled code with compiled code: Levenberg-Marquardt of the core from the same starts, in one batch with one
thread, beside the closed form of the core. That method tries other starts if the first did not converge, so all of its starts
count as reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import process_time

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
# Rounds over both compiled methods; the median counts.
ROUNDS, LM_CALLS, CLOSED_CALLS = 5, 10, 20
MICROSECONDS = 1e6


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
# Levenberg-Marquardt of the core, which is timed.
COMPILED = "LM, compiled"
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
        found = ends(arm, T, starts, runner, postures)
        values |= {f"{runner.name} {name}": value for name, value in summary(found).items()}
    return Findings(values | _compiled(arm, T, starts, postures))


def _compiled(arm: Chain, T: Array, starts: Array, postures: Array) -> dict[str, float]:
    """Return the counts of the core's Levenberg-Marquardt from the starts, and its time beside that of the closed form."""
    copies = np.ascontiguousarray(np.broadcast_to(T, (len(starts), 4, 4)))
    rounds = []
    for _ in range(ROUNDS):
        begun = process_time()
        for _ in range(LM_CALLS):
            answers = arm.solve_batch(copies, starts, 1, method="lm", limits=False)
        middle = process_time()
        for _ in range(CLOSED_CALLS):
            arm.solve_all_batch(copies, starts, 1, limits=False)
        rounds.append(((middle - begun) / LM_CALLS, (process_time() - middle) / CLOSED_CALLS))
    lm, closed = np.median(rounds, axis=0) / len(starts) * MICROSECONDS
    gaps = turn_gap(postures[None], answers.q[:, None]).max(axis=-1)
    good = np.asarray(answers.ok) & (gaps.min(axis=1) <= SAME)
    counts = summary([int(gap.argmin()) if ok else None for gap, ok in zip(gaps, good, strict=True)])
    values = {f"{COMPILED} {name}": value for name, value in counts.items()}
    return values | {"start time": lm, "closed form time": closed, "ratio": counts["last"] * lm / closed}


def _claims(name: str) -> tuple[Claim, ...]:
    where = f"{name} from {STARTS} random postures"
    return (
        Claim(f"{name} met", f"{where}: postures of Example 1's target that are found", f"of {POSTURES}"),
        Claim(f"{name} reached", f"{where}: starts that reach the target", f"of {STARTS}"),
        Claim(f"{name} last", f"{where}: starts until the last new posture", "starts"),
    )


EXPERIMENT = Experiment(
    name="other starts",
    claims=(
        Claim("postures", "Example 1's target: postures by closed form", "postures", None, exactly(POSTURES)),
        Claim("closed form time", "Example 1's target: time of all postures by closed form, compiled", "us"),
        Claim("start time", "Example 1's target: time of a start of Levenberg-Marquardt, compiled", "us"),
        Claim("ratio", "time of the starts until the last of the 8 postures / time of the closed form, compiled", "x"),
        *(claim for name in (COMPILED, *(r.name for r in RUNNERS)) for claim in _claims(name)),
    ),
    measure=measure,
)

"""The false zeros of (5.22): a rotation error of pi about any axis, at the right position, has a sum of squares of 0.

The thesis accepts a posture by that sum. limbik verifies the pose itself and accepts no such posture. From random postures
Levenberg-Marquardt reaches every target if it minimises the rotation vector. If it minimises (5.22), it always ends at a zero
too, mostly at a false one.
"""

from dataclasses import replace

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT, appendix_b
from limbik.papers.chin.methods import LINK
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.solvers.deadline import Deadline
from limbik.solvers.iterative.iterative import attempts, trace
from limbik.solvers.iterative.task import Task, make_task
from limbik.solvers.method import Candidate
from limbik.solvers.query import Options, Query
from limbik.solvers.registry import iterative

STARTS = 300
HALF_TURNS, QUICK_HALF_TURNS = 50, 20
PERCENT = 100.0
# A sum of squares that is 0 up to rounding [units and radians, squared].
ZERO = 1e-18
# The largest difference between entries of the reached pose and of the target.
TRUE = 1e-6


def half_turned(T: Array, axis: Array) -> Array:
    """Return a pose rotated by half a turn about a unit axis of its own frame."""
    out = np.array(T)
    out[:3, :3] = T[:3, :3] @ (2.0 * np.outer(axis, axis) - np.eye(3))
    return out


def false_zero(arm: Chain, rng: np.random.Generator) -> tuple[Task, Array]:
    """Return a random target with the objective (5.22), and a posture whose hand is rotated by half a turn from it."""
    q = rng.uniform(-np.pi, np.pi, arm.n)
    axis = rng.normal(size=3)
    target = half_turned(arm.forward(q), axis / np.linalg.norm(axis))
    return replace(make_task(arm.model, Query(target, options=Options(limits=False))), objective="5.22"), q


def measure(setting: Setting) -> Findings:
    """Run methods from false zeros, then from random postures."""
    arm = appendix_b()
    rng = setting.rng()
    largest, by_trace, by_solve = 0.0, 0, 0
    turned = setting.size(HALF_TURNS, QUICK_HALF_TURNS)
    for _ in range(turned):
        task, q = false_zero(arm, rng)
        run = trace(task, iterative("bfgs"), q, task.problem(metre=1 / UNIT))
        largest = max(largest, float(run.value[-1]))
        by_trace += run.ok
        found = next(attempts(task, iterative("marquardt"), q, Deadline(None)))
        by_solve += isinstance(found, Candidate) and np.abs(arm.forward(found.q) - task.target).max() > TRUE
    values = {"value": largest, "trace": float(by_trace), "solve": float(by_solve)}
    return Findings(values | _from_random_postures(arm, setting.rng()))


def _from_random_postures(arm: Chain, rng: np.random.Generator) -> dict[str, float]:
    reached, steps, zeros, false = 0, [], 0, 0
    for _ in range(STARTS):
        T, start = arm.forward(rng.uniform(-np.pi, np.pi, arm.n)), rng.uniform(-np.pi, np.pi, arm.n)
        task = make_task(arm.model, Query(T, options=Options(limits=False)))
        run = trace(task, iterative("marquardt"), start, task.problem(metre=1 / UNIT, radian=LINK))
        reached += run.ok
        steps.append(len(run))
        task = replace(task, objective="5.22")
        run = trace(task, iterative("marquardt"), start, task.problem(metre=1 / UNIT, radian=LINK))
        zeros += run.value[-1] <= ZERO
        false += run.value[-1] <= ZERO and not run.ok
    return {
        "reached": PERCENT * reached / STARTS,
        "most": float(max(steps)),
        "mean": float(np.mean(steps)),
        "zeros": PERCENT * zeros / STARTS,
        "false": PERCENT * false / STARTS,
    }


EXPERIMENT = Experiment(
    name="half a turn",
    claims=(
        Claim("value", "(5.22) at a rotation error of 180 degrees: largest sum of squares", "units^2", None, at_most(ZERO)),
        Claim("trace", "such postures that `trace` accepts", "hands", None, exactly(0)),
        Claim("solve", "such postures that `solve` accepts", "hands", None, exactly(0)),
        Claim("reached", "LM by the rotation vector from random postures: targets reached", "%"),
        Claim("most", "LM by the rotation vector from random postures: most iterations", "iterations"),
        Claim("mean", "LM by the rotation vector from random postures: mean iterations", "iterations"),
        Claim("zeros", "LM by (5.22) from random postures: runs that end at a zero", "%"),
        Claim("false", "LM by (5.22) from random postures: runs that end at a false zero", "%"),
    ),
    measure=measure,
)  # fmt: skip

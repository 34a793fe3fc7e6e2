"""Newton's method by LU and by the pseudoinverse (sections 5.2.4 and 6.2.1), on arms for which each may fail.

LU solves square, regular systems only. The thesis says that NEWTON fails otherwise. The pseudoinverse solves any system by least
squares. Its step is not continuous where the rank of J changes: near a straight arm it grows without bound, at the straight arm
it is small.

On the arm with three joints the thesis needs at least 200 iterations by the pseudoinverse. Its Jacobian (5.29)-(5.30) is in the
base frame, its residual (5.22) in the hand's. With both in the hand's frame the method takes a few iterations. As printed it
does not converge.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import cast

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT
from limbik.papers.chin.methods import STOP
from limbik.papers.chin.sweep import DIRECTIONS, QUICK_DIRECTIONS, THREE, directions
from limbik.papers.chin.trajectory import targets
from limbik.papers.claim import Claim, at_most
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.linear_step import linear_step
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.task import make_task
from limbik.solvers.query import Options, Query

# The largest number of iterations by the pseudoinverse, above the thesis' "at least 200", and those by LU.
MOST, MOST_LU = 400, 100
# The largest step, where steps are bounded [rad]; singular values below this part of the largest count as 0.
BOUND, RANK = 0.5, 1e-6
FRAMES = {"hand": "J in the hand's frame", "base": "J of (5.29)-(5.30) as printed, in the base frame"}
BOUNDS = {"free": None, "bounded": BOUND}
# The angles of a nearly straight elbow [rad].
NEARLY = (1e-3, 1e-6)
# A step this many times as long as another is another step.
JUMP = 100.0


@dataclass(frozen=True)
class Singular:
    """A chain from a start at which LU may fail. objective: its residual; square: whether J is square."""

    name: str
    model: str
    unit: float
    objective: str
    start_deg: tuple[float, ...]


STARTS = (
    Singular("6 joints, straight", "human_arm_6", UNIT, "5.22", (0.0,) * 6),
    Singular("6 joints, wrist at a right angle", "human_arm_6", UNIT, "5.22", (10.0, 20.0, 40.0, 10.0, 90.0, 10.0)),
    Singular("3 joints", "planar3_chin", 1.0, "5.22", (10.0, 20.0, 40.0)),
    Singular("8 joints", "human_arm_8", UNIT, "5.26", (10.0,) * 8),
    Singular("6 joints, regular", "human_arm_6", UNIT, "5.22", (10.0, 20.0, 40.0, 10.0, 20.0, 10.0)),
)


SINGULAR = STARTS[:-1]


def problem_of(arm: Chain, T: Array, objective: str, unit: float) -> Problem:
    """Return the problem of a pose without limits, with exact derivatives, in the thesis' units."""
    task = replace(make_task(arm.model, Query(T, options=Options(limits=False))), objective=objective)
    return task.problem(metre=1 / unit)


def by_lu(problem: Problem, x: Array, *, least_squares: bool) -> bool:
    """Return whether Newton's method with a line search reaches the target, by LU alone or by least squares where LU fails."""
    r = problem.residual(x)
    for _ in range(MOST_LU):
        if r @ r <= STOP:
            return True
        J = problem.jacobian(x, r)
        try:
            step = linear_step(J, r) if least_squares else np.asarray(np.linalg.solve(J, -r), dtype=float)
        except np.linalg.LinAlgError:
            return False
        found = backtrack(problem, x, r, 2.0 * r @ J, step) if np.isfinite(step).all() else None
        if found is None:
            return False
        x, r = found
    return False


def by_pseudoinverse(arm: Chain, T: Array, q: Array, unit: float, frame: str, bound: float | None) -> tuple[int, Array]:
    """Return the iterations of Newton's method by the pseudoinverse, at most MOST, and its last posture.

    frame: of the Jacobian, "hand" or "base"; the residual (5.22) is in the hand's frame.
    """
    problem = problem_of(arm, T, "5.22", unit)
    q = np.array(q)
    for count in range(MOST):
        r = problem.residual(q)
        if r @ r <= STOP:
            return count, q
        J = np.array(arm.jacobian(q))
        J[:3] /= unit
        if frame == "hand":
            R = arm.forward(q)[:3, :3]
            J = np.concatenate([R.T @ J[:3], R.T @ J[3:]])
        step = np.linalg.pinv(J, rcond=RANK) @ r
        q = q + step * (1.0 if bound is None else min(1.0, bound / float(np.abs(step).max())))
    return MOST, q


def along(direction: tuple[float, ...], frame: str, bound: float | None) -> float:
    """Return the mean iterations by the pseudoinverse along a line of the arm with three joints."""
    arm = cast(Chain, load(THREE.model))
    q, line = targets(arm, tuple((sqrt(THREE.residual) * np.array(direction)).tolist()), THREE.unit)
    counts = []
    for T in line[1:]:
        count, end = by_pseudoinverse(arm, T, q, THREE.unit, frame, bound)
        counts.append(count)
        if count < MOST:
            q = end
    return float(np.mean(counts))


def first_step(arm: Chain, unit: float, elbow: float) -> float:
    """Return the largest joint rotation of the pseudoinverse's step for the hand one unit towards the shoulder [rad]."""
    q = np.zeros(arm.n)
    q[2 if arm.n == 6 else 1] = elbow
    J = np.array(arm.jacobian(q))
    J[:3] /= unit
    inwards = -arm.forward(q)[:3, 3]
    velocity = np.concatenate([inwards / np.linalg.norm(inwards), np.zeros(3)])
    return float(np.abs(np.linalg.pinv(J, rcond=1e-12) @ velocity).max())


def measure(setting: Setting) -> Findings:
    """Run Newton's method by LU, by least squares, and by the pseudoinverse in both frames; measure its steps."""
    values: dict[str, float] = {}
    for start in STARTS:
        arm = cast(Chain, load(start.model))
        q = np.radians(start.start_deg)
        lu = squares = 0
        found = directions(THREE, DIRECTIONS) if arm.n == 3 else _around(DIRECTIONS)
        for direction in found:
            T = np.array(arm.forward(q))
            T[:3, 3] += 2.0 * start.unit * np.array(direction)
            problem = problem_of(arm, T, start.objective, start.unit)
            lu += by_lu(problem, q, least_squares=False)
            squares += by_lu(problem, q, least_squares=True)
        values |= {f"{start.name} LU": float(lu), f"{start.name} least squares": float(squares)}
    for frame in FRAMES:
        for key, bound in BOUNDS.items():
            means = [along(d, frame, bound) for d in directions(THREE, setting.size(DIRECTIONS, QUICK_DIRECTIONS))]
            values |= {f"{frame} {key} least": min(means), f"{frame} {key} most": max(means)}
    for n, model, unit in ((6, "human_arm_6", UNIT), (3, "planar3_chin", 1.0)):
        arm = cast(Chain, load(model))
        steps = [first_step(arm, unit, elbow) for elbow in NEARLY]
        values |= {f"{n} near": steps[1], f"{n} at": first_step(arm, unit, 0.0),
                   f"{n} law": abs(steps[1] * NEARLY[1] / (steps[0] * NEARLY[0]) - 1.0)}  # fmt: skip
    return Findings(values)


def _around(count: int) -> list[tuple[float, float, float]]:
    """Return directions that lead upwards, in which no target leaves the reach."""
    from limbik.papers.chin.sweep import SIX_200

    return directions(SIX_200, count)


EXPERIMENT = Experiment(
    name="Newton's step",
    claims=(
        *(Claim(f"{s.name} LU", f"NEWTON by LU, {s.name}: targets reached", f"of {DIRECTIONS}") for s in STARTS),
        *(Claim(f"{s.name} least squares", f"NEWTON by least squares, {s.name}: targets reached", f"of {DIRECTIONS}")
          for s in STARTS),
        *(Claim(f"{frame} {key} {end}", f"3 joints, pseudoinverse, {what}, steps {key}: mean iterations, {end} of the lines "
                f"({MOST}: not converged)", "iterations")
          for frame, what in FRAMES.items() for key in BOUNDS for end in ("least", "most")),
        *(claim for n in (6, 3) for claim in (
            Claim(f"{n} near", f"{n} joints, elbow at {NEARLY[1]:g} rad: step of the pseudoinverse per unit", "rad"),
            Claim(f"{n} at", f"{n} joints, elbow straight: step of the pseudoinverse per unit", "rad"),
            Claim(f"{n} law", f"{n} joints: step x elbow angle, difference between {NEARLY[0]:g} and {NEARLY[1]:g} rad",
                  "relative",
                  bar=at_most(1e-2)))),
    ),
    measure=measure,
    notes=(
        "the thesis' box of Newton's method has q_k = q_(k+1) + ..., with the indices swapped; here they are corrected.",
        "the Jacobian (5.29)-(5.30) is in the base frame, the residual (5.22) in the hand's. Rotated into the hand's frame, the "
        "pseudoinverse takes a few iterations; as printed it does not converge. A bound on its step makes no difference.",
    ),
)  # fmt: skip

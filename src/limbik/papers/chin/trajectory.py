"""The hand follows a line of ten targets by every method of the thesis (sections 6.2 and 6.3, appendix C).

Each target is the previous one, translated by a constant step at constant orientation. The initial guess is the last posture
that reached its target; the first is 0.5 degrees in all joints. The methods minimise (5.22) in the thesis' units, with angles in
radians. An evaluation is one computation of the hand's pose; a Jacobian is counted apart. Joint limits are off.

The thesis prints neither the direction of the steps nor the rules by which methods end. Translate(1, 1, 0) of Example 1 has
residual 2. Tables 6.1 to 6.4 are shown for steps along (1, 1, 0); sweep.py has other directions and rules.
"""

from dataclasses import dataclass, replace
from math import sqrt
from time import perf_counter

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT
from limbik.papers.chin.line_searches import CountedLines
from limbik.papers.chin.methods import Contestant
from limbik.robot.chain import Chain
from limbik.solvers.iterative.iterative import trace
from limbik.solvers.iterative.task import make_task
from limbik.solvers.query import Options, Query
from limbik.solvers.registry import iterative

TARGETS = 10
PRAXIS_METHOD = "praxis"
# The numbers of a run, by target.
COLUMNS = ("iterations", "evaluations", "jacobians", "jump", "error", "value", "seconds")
START_DEG = 0.5
# The largest error of a pose that counts as reached [units, and radians].
REACHED = 1e-3
# The step from target to target, by the sum of squares that it adds to the objective [units].
STEPS = {4: (sqrt(2), sqrt(2), 0.0), 200: (10.0, 10.0, 0.0)}


@dataclass(frozen=True)
class LineRun:
    """The run of a method along the line, and its cost per target, (10,) each.

    q: (11, n), the start, then the posture in which the method ended at each target. desired, calculated: (11, 3), positions of
    the hand: the targets (the thesis' D_EE) and those of q (S_EE) [units]. iterations, evaluations, jacobians: counts. jump:
    the largest joint rotation [deg]. error: of the pose [units, and radians]. value: the sum of squares at the end. seconds:
    time of a solve. tolerance: the largest error of a target that counts as reached.
    """

    q: Array
    desired: Array
    calculated: Array
    iterations: Array
    evaluations: Array
    jacobians: Array
    jump: Array
    error: Array
    value: Array
    seconds: Array
    tolerance: float = REACHED

    @property
    def reached(self) -> int:
        """The number of targets that were reached."""
        return int((self.error <= self.tolerance).sum())


def targets(arm: Chain, step: tuple[float, ...], unit: float = UNIT) -> tuple[Array, Array]:
    """Return the start (n,) and the hand's poses on the line, (11, 4, 4), that of the start first.

    step: the translation from target to target [units]. unit: the length of one unit [m].
    """
    q = np.full(arm.n, np.radians(START_DEG))
    line = [np.array(arm.forward(q))]
    for _ in range(TARGETS):
        T = line[-1].copy()
        T[:3, 3] += unit * np.array(step)
        line.append(T)
    return q, np.array(line)


def run_along(
    arm: Chain,
    step: tuple[float, ...],
    contestant: Contestant,
    unit: float = UNIT,
    tolerance: float = REACHED,
) -> LineRun:
    """Run a method along the line, each target from the last posture that reached its target.

    step: the translation from target to target [units]. unit: the length of one unit [m]. tolerance: the largest error of a
    pose that counts as reached.
    """
    q, line = targets(arm, step, unit)
    method = replace(iterative(contestant.method), **contestant.settings)
    rows, ends = [], [q]
    for T in line[1:]:
        task = replace(make_task(arm.model, Query(T, options=Options(limits=False))), objective=contestant.objective)
        problem = task.problem(differences=contestant.differences, metre=1 / unit, radian=contestant.radian)
        lines = None
        if contestant.method == PRAXIS_METHOD:
            problem = lines = CountedLines.of(problem)
        start = perf_counter()
        run = trace(task, method, q, problem)
        seconds = perf_counter() - start
        iterations = len(run) if lines is None else lines.sweeps
        error = max(run.position_error[-1] / unit, run.rotation_error[-1])
        jump = np.degrees(np.abs(run.q[-1] - q).max())
        rows.append((iterations, run.evaluations[-1], run.jacobians[-1], jump, error, run.value[-1], seconds))
        ends.append(run.q[-1])
        if error <= tolerance:
            q = run.q[-1]
    hands = arm.forward(np.array(ends))[:, :3, 3]
    columns = dict(zip(COLUMNS, np.array(rows, float).T, strict=True))
    return LineRun(np.array(ends), line[:, :3, 3] / unit, hands / unit, **columns, tolerance=tolerance)


def nearest_turns(arm: Chain, step: tuple[float, ...], unit: float = UNIT) -> Array:
    """Return the largest joint rotation to each target if the closed form's nearest posture is taken, (10,) [deg].

    NaN from the first target that is out of reach.
    """
    q, line = targets(arm, step, unit)
    turns: list[float] = []
    for T in line[1:]:
        every = arm.solve_all(T, seed=q, limits=False).q
        if not len(every):
            return np.array(turns + [np.nan] * (TARGETS - len(turns)))
        nearest = every[np.abs(every - q).max(axis=1).argmin()]
        turns.append(np.degrees(np.abs(nearest - q).max()))
        q = nearest
    return np.array(turns)

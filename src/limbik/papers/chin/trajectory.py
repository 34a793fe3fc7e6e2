"""The hand goes along a line in ten steps, by every method of the thesis (sections 6.2 and 6.3, appendix C).

Each step's target is the last one moved, its orientation held; the guess is the posture reached before, at first 0.5 degrees in
all joints. The methods lower (5.22) in the thesis' units, angles in radians, with derivatives by differences, and count how often
the hand is computed. Limits are off.

The thesis does not say how its methods end. Here they do where the sum of squares is below 1e-8, the 1e-4 in each residual that
its Newton routine ends at by default. POWELL is also run to the end of its own rule, a small fall relative to the value: with a
least value of 0 that lets it go on until rounding, which costs three times as much as the answer did.

The step of residual 4 has no printed direction, and Translate(1, 1, 0) of Example 1 gives 2; it is taken along (1, 1, 0). The
step of residual 200 is Translate(10, 10, 0).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin.arm import UNIT
from limbik.robot.chain import Chain
from limbik.solvers.iterative.iterative import trace
from limbik.solvers.iterative.task import make_task
from limbik.solvers.query import Options, Query
from limbik.solvers.registry import iterative

TARGETS = 10
START_DEG = 0.5
# The sum of squares [units and radians, squared] at which methods end.
STOP = 1e-8
# A target counts as reached within this [units, and radians].
REACHED = 1e-3
# Steps by the residual that they leave [units].
STEPS = {4: (sqrt(2), sqrt(2), 0.0), 200: (10.0, 10.0, 0.0)}
# What an angle weighs beside a length for Levenberg and Marquardt's: about a link [units].
LINK = 50.0


@dataclass(frozen=True)
class Contestant:
    """A method under its name in the thesis' tables, and how it is run; the defaults are the thesis' way."""

    name: str
    method: str
    objective: str = "5.22"
    differences: bool = True
    radian: float = 1.0
    settings: Mapping[str, Any] = field(default_factory=lambda: {"value": STOP})
    # Whether what it yields are the iterations that the thesis counts.
    iterates: bool = True


LM = Contestant("LM", "marquardt", "log", differences=False, radian=LINK)
NEWTON = Contestant("NEWTON", "newton")
BFGS = Contestant("BFGS", "bfgs")
FLETCHER = Contestant("FLETCHER", "fletcher")
FRPRM = Contestant("FRPRM", "frprm")
BROYDN = Contestant("BROYDN", "broyden")
BROYDN_BOX = Contestant("BROYDN without line search", "broyden_plain")
PSEUDOINVERSE = Contestant("NEWTON by pseudoinverse", "newton_pinv")
POWELL = Contestant("POWELL", "powell", settings={"value": 0.0})
POWELL_STOPPED = Contestant("POWELL ended as the others", "powell")
PRAXIS = Contestant("PRAXIS", "praxis", iterates=False)
# Without NLopt there is no PRAXIS, and no row of it.
HAS_PRAXIS = find_spec("nlopt") is not None


@dataclass(frozen=True)
class Walk:
    """A walk along the line and what it cost, target by target, (10,).

    q: (11, n) postures, the start first, then where the method ended at each target. desired, calculated: (11, 3) the hand asked
    for (the thesis' D_EE) and reached (S_EE) [units]. iterations, evaluations, jacobians: counts. jump: largest turn of a
    joint [deg]. error: of the pose [units, and radians]. seconds: of a solve.
    """

    q: Array
    desired: Array
    calculated: Array
    iterations: Array
    evaluations: Array
    jacobians: Array
    jump: Array
    error: Array
    seconds: Array

    @property
    def reached(self) -> int:
        """How many targets were reached."""
        return int((self.error <= REACHED).sum())


def targets(arm: Chain, step: tuple[float, ...], unit: float = UNIT) -> tuple[Array, Array]:
    """Return the start (n,) and the hand's poses on the line, (11, 4, 4), the start's first.

    step: [units]; unit: metres in one.
    """
    q = np.full(arm.n, np.radians(START_DEG))
    line = [np.array(arm.forward(q))]
    for _ in range(TARGETS):
        T = line[-1].copy()
        T[:3, 3] += unit * np.array(step)
        line.append(T)
    return q, np.array(line)


def walk(arm: Chain, step: tuple[float, ...], contestant: Contestant, unit: float = UNIT) -> Walk:
    """Lead the hand along the line. step: of a target [units]; unit: metres in one. A posture that missed is no guess."""
    q, line = targets(arm, step, unit)
    method = replace(iterative(contestant.method), **contestant.settings)
    rows, ends = [], [q]
    for T in line[1:]:
        task = replace(make_task(arm.model, Query(T, options=Options(limits=False))), objective=contestant.objective)
        problem = task.problem(differences=contestant.differences, metre=1 / unit, radian=contestant.radian)
        start = perf_counter()
        course = trace(task, method, q, problem)
        seconds = perf_counter() - start
        error = max(course.position_error[-1] / unit, course.rotation_error[-1])
        jump = np.degrees(np.abs(course.q[-1] - q).max())
        rows.append((len(course), course.evaluations[-1], course.jacobians[-1], jump, error, seconds))
        ends.append(course.q[-1])
        if error <= REACHED:
            q = course.q[-1]
    hands = arm.forward(np.array(ends))[:, :3, 3]
    return Walk(np.array(ends), line[:, :3, 3] / unit, hands / unit, *np.array(rows, float).T)


def nearest_turns(arm: Chain, step: tuple[float, ...], unit: float = UNIT) -> Array:
    """Return the largest turn of a joint at each target where the closed form's nearest posture is taken, (10,) [deg]."""
    q, line = targets(arm, step, unit)
    turns = []
    for T in line[1:]:
        every = arm.solve_all(T, seed=q, limits=False).q
        nearest = every[np.abs(every - q).max(axis=1).argmin()]
        turns.append(np.degrees(np.abs(nearest - q).max()))
        q = nearest
    return np.array(turns)

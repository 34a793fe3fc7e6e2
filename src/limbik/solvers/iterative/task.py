"""What an iterative method is given: a model, a target, and the residual that it lowers."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.joint import Kind
from limbik.model.model import Model
from limbik.solvers.goal_solver import too_far
from limbik.solvers.iterative.objective import OBJECTIVES
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.query import Options, Query
from limbik.solvers.verify import Verification, verification

POSITION = "position"


@dataclass(frozen=True, eq=False)
class Task:
    """A target of a chain, with the verification that decides whether it is reached.

    unit: (n,) what each number of q is counted in: 1 for angles, `length` for displacements [m]. beyond: whether the target lies
    provably farther away than the arm is long: one attempt is then enough.
    """

    verification: Verification
    unit: Array
    length: float
    objective: str = "log"
    beyond: bool = False

    @property
    def target(self) -> Array:
        """The pose to reach, (4, 4)."""
        return self.verification.target

    def with_objective(self, objective: str) -> "Task":
        """Return the task with another residual; a position has one of its own."""
        return self if self.objective == POSITION else replace(self, objective=objective)

    def problem(self, *, differences: bool = False, metre: float | None = None, radian: float = 1.0) -> Problem:
        """Return the problem that a method sees. metre: None counts lengths in half the span."""
        v, n = self.verification, len(self.unit)
        lower, upper = (v.ranges.lower, v.ranges.upper) if v.limits else (np.full(n, -np.inf), np.full(n, np.inf))
        return Problem(
            v.kernel.forward,
            v.kernel.jacobian,
            v.target,
            OBJECTIVES[self.objective],
            self.unit,
            lower / self.unit,
            upper / self.unit,
            1.0 / self.length if metre is None else metre,
            radian,
            differences,
        )


def unfit_for_task(query: Query, model: Model) -> str | None:
    """Return why a query is none for an iterative method; None where it is."""
    if model.is_tree:
        return "an iterative method takes one arm; a figure is solved by 'lm' or 'mmc'"
    if any(v.joint.kind.size != 1 for v in model.compiled.variables):
        return f"'{model.name}' has a ball or floating joint; iterative methods take joints with one axis"
    if query.frozen is not None or len(query.goals) > 1:
        return "an iterative method takes one pose, or one Position of the tip; use 'lm' for goals"
    if not query.goals:
        return None
    goal = query.goals[0]
    if not isinstance(goal, Position):
        return "an iterative method takes one pose, or one Position of the tip; use 'lm' for goals"
    elsewhere = goal.relative_to not in (None, model.base) or goal.frame not in (None, model.tip)
    if elsewhere or any(goal.at) or goal.range != 0.0:
        return "an iterative method takes a Position of the tip alone; use 'lm'"
    return None


def make_task(target: Any, options: Options, model: Model) -> Task:
    """Return the task for a pose (4, 4), or a Position of the tip. Raises NotRigid, ShapeError, BadOption."""
    position_only = isinstance(target, Position)
    T = np.eye(4)
    if isinstance(target, Position):
        T[:3, 3] = target.point
    else:
        T = np.array(Pose.at(None, target).T)
    checked = verification(model, T, options, position_only=position_only)
    beyond = too_far(Position(None, T[:3, 3], tolerance=checked.position_tolerance), model)
    return Task(checked, model.derived(units), model.length, POSITION if position_only else "log", beyond)


def units(model: Model) -> Array:
    """Return what each number of q is counted in, (n,): 1 for angles, the model's length for displacements [m]."""
    unit = np.ones(model.n)
    for v in model.compiled.variables:
        if v.joint.kind is Kind.PRISMATIC:
            unit[v.first] = model.length
    return unit


def check_objective(objective: Any) -> str:
    """Return the name of a residual. Raises BadOption."""
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise BadOption(f"objective={objective!r} is not known; use one of {', '.join(OBJECTIVES)}")
    return objective

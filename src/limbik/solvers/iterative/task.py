"""The task of an iterative method: a model, a target, and the residual to minimise."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.goals.position import Position
from limbik.model.joint import Kind
from limbik.model.model import Model
from limbik.solvers.goal_solver import too_far
from limbik.solvers.iterative.objective import OBJECTIVES
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.query import Query
from limbik.solvers.verify import Verification, verification_of

POSITION = "position"


@dataclass(frozen=True, eq=False)
class Task:
    """A target of a chain, with the verification that decides whether it is reached.

    unit: (n,) the unit of each number of q: 1 for angles, `length` for displacements [m]. beyond: whether the target is provably
    farther away than the length of the arm; one attempt is then enough.
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
        """Return the task with another residual; a position target always has its own."""
        return self if self.objective == POSITION else replace(self, objective=objective)

    def problem(self, *, differences: bool = False, metre: float | None = None, radian: float = 1.0) -> Problem:
        """Return the problem for a method. metre: None measures lengths in half the span."""
        v, n = self.verification, len(self.unit)
        lower, upper = (v.ranges.lower, v.ranges.upper) if v.limits else (np.full(n, -np.inf), np.full(n, np.inf))
        return Problem(
            v.kernel.forward,
            v.kernel.jacobian,
            v.target.copy(),  # a method cannot move what it is verified against
            OBJECTIVES[self.objective],
            self.unit,
            lower / self.unit,
            upper / self.unit,
            1.0 / self.length if metre is None else metre,
            radian,
            differences,
        )


def unfit_for_task(query: Query, model: Model) -> str | None:
    """Return why an iterative method does not accept a query; None if it does."""
    if model.is_tree:
        return "an iterative method takes one arm; for a figure use 'lm' or 'mmc'"
    if any(v.joint.kind.size != 1 for v in model.compiled.variables):
        return f"'{model.name}' has a ball or floating joint; iterative methods take joints with one axis"
    if query.frozen is not None or len(query.goals) > 1:
        return "an iterative method takes one pose, or one Position of the tip; use 'lm' for goals"
    if not query.goals:
        return None
    goal = query.goals[0]
    if not isinstance(goal, Position):
        return "an iterative method takes one pose, or one Position of the tip; use 'lm' for goals"
    if not goal.required:
        return (
            "an iterative method takes a goal that is required, with a weight above 0 and a finite tolerance; use 'lm'"
        )
    elsewhere = goal.relative_to not in (None, model.base) or goal.frame not in (None, model.tip)
    if elsewhere or any(goal.at) or goal.range != 0.0:
        return "an iterative method takes a Position of the tip alone; use 'lm'"
    return None


def make_task(model: Model, query: Query) -> Task:
    """Return the task of a query: a pose (4, 4), or a Position of the tip. Raises NotRigid, ShapeError, BadOption."""
    check = verification_of(model, query)
    beyond = too_far(Position(None, check.target[:3, 3], tolerance=check.position_tolerance), model)
    return Task(check, model.derived(units), model.length, POSITION if check.position_only else "log", beyond)


def units(model: Model) -> Array:
    """Return the unit of each number of q, (n,): 1 for angles, the model's length for displacements [m]."""
    unit = np.ones(model.n)
    for v in model.compiled.variables:
        if v.joint.kind is Kind.PRISMATIC:
            unit[v.first] = model.length
    unit.flags.writeable = False
    return unit


def check_objective(objective: Any) -> str:
    """Return the name of a residual. Raises BadOption."""
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise BadOption(f"objective={objective!r} is not known; use one of {', '.join(OBJECTIVES)}")
    return objective

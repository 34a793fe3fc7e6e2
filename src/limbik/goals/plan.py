"""Goals in the form of the core: sorted by priority, compiled once for all targets."""

import math
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from limbik._core import GoalList
from limbik.geometry.arrays import Array
from limbik.goals.goal import Goal, Spec
from limbik.model.model import Model


class Plan(NamedTuple):
    """Goals in the form of the core. key: everything except the target numbers; aims: the target numbers."""

    goals: tuple[Goal, ...]
    specs: tuple[Spec, ...]
    key: tuple[Any, ...]
    aims: Array
    # Default tolerances of lengths and other numbers, also for `met` of secondary objectives without a tolerance.
    usual: tuple[float, float]

    def results(self, missing: Array) -> tuple[tuple[tuple[float, ...], ...], tuple[bool, ...]]:
        """Return the errors of each goal, and whether it is met, from the errors of all parts.

        A goal of many equal parts (joints, pairs of bodies) gives the largest error.
        """
        errors: list[tuple[float, ...]] = []
        met: list[bool] = []
        first = 0
        rows = missing.tolist()
        for goal, spec in zip(self.goals, self.specs, strict=True):
            last = first + len(spec.tolerances)
            own = rows[first:last]
            met.append(all(map(operator.le, own, _strict(goal, spec, self.usual))))
            if len(own) != len(goal.units):
                own = [max(max(own, default=0.0) - spec.spare, 0.0)]
            errors.append(tuple(own))
            first = last
        return tuple(errors), tuple(met)


def make_plan(goals: Sequence[Goal], model: Model) -> Plan:
    """Return the plan of goals for a mechanism. Raises the errors of goals that do not fit it."""
    usual = model.tolerance("m"), model.tolerance("rad")
    if len(goals) == 1:
        spec = goals[0].spec(model)
        only = (spec.adding, spec.arguments, 0, goals[0].required)
        return Plan((goals[0],), (spec,), (only,), np.array(spec.aims, np.float64), usual)
    specs = tuple(goal.spec(model) for goal in goals)
    ranks = [(not goal.required, goal.priority) for goal in goals]
    order = {rank: level for level, rank in enumerate(sorted(set(ranks)))}
    key = tuple(
        (spec.adding, spec.arguments, order[rank], not rank[0]) for spec, rank in zip(specs, ranks, strict=True)
    )
    return Plan(tuple(goals), specs, key, _aims(specs), usual)


def _strict(goal: Goal, spec: Spec, usual: tuple[float, float]) -> tuple[float, ...]:
    """Return the tolerances of a goal's parts, with defaults for infinite ones."""
    if goal.required or not any(map(math.isinf, spec.tolerances)):
        return spec.tolerances
    units = goal.units * (len(spec.tolerances) // len(goal.units))
    pairs = zip(spec.tolerances, units, strict=True)
    return tuple(usual[unit != "m"] if math.isinf(tolerance) else tolerance for tolerance, unit in pairs)


def _aims(specs: Sequence[Spec]) -> Array:
    return np.array([x for spec in specs for x in spec.aims])


def fill(model: Model, key: tuple[Any, ...]) -> GoalList:
    """Return the compiled goals of a key."""
    goals = GoalList(model.compiled.kernel)
    for adding, arguments, level, required in key:
        getattr(goals, adding)(*arguments, level, required)
    return goals

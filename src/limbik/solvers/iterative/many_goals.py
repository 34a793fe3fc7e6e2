"""Levenberg-Marquardt on many goals at once: weights and strict priorities, on chains and trees.

Goals of one priority are lowered together, as the sum of the squares of what each misses, times its weight. Goals of the next
move only where that costs the earlier ones nothing: a step is taken along their null space, they are restored, and then it is
judged. Wishes come last, so that they never spoil what is met. `core/goal_solver.hpp` holds the kernels.
"""

import math
from collections import OrderedDict
from typing import Any

import numpy as np

from limbik._core import GoalPlan
from limbik.goals.plan import fill
from limbik.goals.subject import Subject
from limbik.solvers.iterative.levenberg_marquardt import cone_rows

# Attempts before goals count as not met.
ATTEMPTS = 128
# Sets of goals that stay compiled, for each mechanism.
REMEMBERED = 64


class Plans:
    """The compiled sets of goals of a mechanism, the last ones used."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._made: OrderedDict[tuple[Any, ...], GoalPlan] = OrderedDict()

    def get(self, key: tuple[Any, ...], *, limits: bool, frozen: tuple[int, ...]) -> GoalPlan:
        """Return the solver for a set of goals."""
        full = (key, limits, frozen)
        plan = self._made.get(full)
        if plan is None:
            plan = self._made[full] = self._make(key, limits, frozen)
            while len(self._made) > REMEMBERED:
                self._made.pop(next(iter(self._made)), None)
        return plan

    def _make(self, key: tuple[Any, ...], limits: bool, frozen: tuple[int, ...]) -> GoalPlan:
        subject, n = self.subject, self.subject.compiled.n
        ranges = subject.ranges
        lower, upper = (ranges.lower, ranges.upper) if limits else (np.full(n, -math.inf), np.full(n, math.inf))
        low, high = ranges.drawing(subject.span or 1.0)
        held = set(frozen)
        return GoalPlan(
            fill(subject, key),
            lower=lower.tolist(),
            upper=upper.tolist(),
            draw_low=low.tolist(),
            draw_high=high.tolist(),
            cones=cone_rows(ranges) if limits else [],
            frozen=[j in held for j in range(n)],
            length=subject.length,
        )

"""Levenberg-Marquardt on many goals at once: weights and strict priorities, on chains and trees.

Goals of one priority are lowered together, as the sum of the squares of what each misses, times its weight. Goals of the next
move only where that costs the earlier ones nothing: a step is taken along their null space, they are restored, and then it is
judged. Wishes come last, so that they never spoil what is met. `core/goals/goal_solver.hpp` holds the kernels.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import GoalPlan, TrackPlan
from limbik.goals.plan import fill
from limbik.model.model import Model
from limbik.model.recent import Recent

# Attempts before goals count as not met.
ATTEMPTS = 128
# Sets of goals that stay compiled, for each mechanism.
REMEMBERED = 64


def plans(model: Model) -> "Plans":
    """Return the compiled sets of goals of a model."""
    return model.derived(Plans)


class Plans:
    """The compiled sets of goals of a mechanism, the last ones used."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._made: Recent[tuple[Any, ...], Any] = Recent(REMEMBERED)

    def solver(
        self, key: tuple[Any, ...], *, limits: bool, frozen: tuple[int, ...], stiffness: tuple[float, ...] = ()
    ) -> GoalPlan:
        """Return the solver for a set of goals. stiffness: how unwilling each number of q is to move; none are all alike."""
        plan: GoalPlan = self._get((key, limits, frozen, stiffness), self._make_solver)
        return plan

    def tracker(
        self, key: tuple[Any, ...], *, limits: bool, frozen: tuple[int, ...], speed: tuple[float, ...]
    ) -> TrackPlan:
        """Return what follows a set of goals."""
        plan: TrackPlan = self._get((key, limits, frozen, speed), self._make_tracker)
        return plan

    def _get(self, key: tuple[Any, ...], make: Callable[..., Any]) -> Any:
        return self._made.get((make.__name__, *key), lambda: make(*key))

    def _limits(self, limits: bool) -> dict[str, Any]:
        n, ranges = self.model.compiled.n, self.model.ranges
        lower, upper = (ranges.lower, ranges.upper) if limits else (np.full(n, -math.inf), np.full(n, math.inf))
        return {"lower": lower.tolist(), "upper": upper.tolist(), "cones": ranges.cone_rows if limits else []}

    def _frozen(self, frozen: tuple[int, ...]) -> list[bool]:
        held = set(frozen)
        return [j in held for j in range(self.model.compiled.n)]

    def _make_solver(
        self, key: tuple[Any, ...], limits: bool, frozen: tuple[int, ...], stiffness: tuple[float, ...]
    ) -> GoalPlan:
        low, high = self.model.ranges.drawing(self.model.span or 1.0)
        return GoalPlan(
            fill(self.model, key),
            **self._limits(limits),
            draw_low=low.tolist(),
            draw_high=high.tolist(),
            frozen=self._frozen(frozen),
            length=self.model.length,
            stiffness=list(stiffness),
        )

    def _make_tracker(
        self, key: tuple[Any, ...], limits: bool, frozen: tuple[int, ...], speed: tuple[float, ...]
    ) -> TrackPlan:
        return TrackPlan(
            fill(self.model, key),
            **self._limits(limits),
            frozen=self._frozen(frozen),
            speed=list(speed),
            length=self.model.length,
        )

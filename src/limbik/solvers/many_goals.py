"""Levenberg-Marquardt on many goals at once: weights and strict priorities, on chains and trees.

Goals of one priority are minimised together, as the sum of their squared weighted errors. Goals of the next priority move only in
the null space of the earlier ones: after each such step the earlier goals are restored, and then the step is accepted or
rejected. Secondary objectives come last, so they never increase the error of other goals. `core/goals/goal_solver.hpp` holds the
kernels.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import GoalPlan, TrackPlan
from limbik.goals.plan import fill
from limbik.model.model import Model
from limbik.model.recent import Recent

# Largest number of attempts.
ATTEMPTS = 128
# Number of cached sets of compiled goals, per mechanism.
REMEMBERED = 64


def plans(model: Model) -> "Plans":
    """Return the compiled sets of goals of a model."""
    return model.derived(Plans)


class Plans:
    """Cache of the most recent compiled sets of goals of a mechanism."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._made: Recent[tuple[Any, ...], Any] = Recent(REMEMBERED)

    def solver(
        self, key: tuple[Any, ...], *, limits: bool, frozen: tuple[int, ...], stiffness: tuple[float, ...] = ()
    ) -> GoalPlan:
        """Return the solver for a set of goals. stiffness: the cost of moving each number of q; empty: all equal."""
        plan: GoalPlan = self._get((key, limits, frozen, stiffness), self._make_solver)
        return plan

    def tracker(
        self, key: tuple[Any, ...], *, limits: bool, frozen: tuple[int, ...], speed: tuple[float, ...]
    ) -> TrackPlan:
        """Return the tracker for a set of goals."""
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

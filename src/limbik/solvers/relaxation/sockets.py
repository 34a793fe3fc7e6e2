"""Joints between segments: a ball, free or inside a cone, or a hinge with a range."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import number, numbers


@dataclass(frozen=True)
class Ball:
    """A ball joint. cone: the largest tilt of the segment from its rest direction [rad]; pi: no limit.

    pull: the strength of the attraction to its rest, relative to other joints (its cost, Cruse 1986); 0: none.
    """

    cone: float = math.pi
    pull: float = 0.0

    def __post_init__(self) -> None:
        cone = number(self.cone, "the cone of a ball")
        if not 0 <= cone <= math.pi:
            raise BadOption(f"the cone of a ball is {shown(self.cone)}; give an angle from 0 to pi")
        object.__setattr__(self, "cone", cone)
        object.__setattr__(self, "pull", checked_pull(self.pull))


@dataclass(frozen=True)
class Hinge:
    """A hinge. axis: its rotation axis in the rest posture, three numbers or None for z.

    low, high: its range [rad], measured from rest, at most 2 pi wide. pull: as for a Ball.
    """

    axis: Any = None
    low: float = -math.pi
    high: float = math.pi
    pull: float = 0.0

    def __post_init__(self) -> None:
        low, high = number(self.low, "the low end of a hinge"), number(self.high, "the high end of a hinge")
        low, high = max(low, -math.pi) if low == -math.inf else low, min(high, math.pi) if high == math.inf else high
        if math.isnan(low) or math.isnan(high):
            raise NotFinite("the range of a hinge holds NaN; leave it out for no limit")
        if not (math.isfinite(low) and math.isfinite(high)) or low > high or low < -2 * math.pi or high > 2 * math.pi:
            raise BadOption(
                f"the range of a hinge is {low:g} to {high:g}; give the lower end first, both within 2 pi of rest"
            )
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        axis = numbers((0, 0, 1) if self.axis is None else self.axis, "the axis of a hinge must be three numbers")
        if axis.shape != (3,):
            raise ShapeError(f"the axis of a hinge must be three numbers; got shape {axis.shape}")
        length = float(np.linalg.norm(axis))
        if not math.isfinite(length) or length <= 0:
            raise NotFinite(f"the axis of a hinge is {shown(self.axis)}; it needs a direction")
        object.__setattr__(self, "axis", tuple((axis / length).tolist()))
        object.__setattr__(self, "pull", checked_pull(self.pull))


Socket = Ball | Hinge


def checked_pull(given: Any) -> float:
    """Return the strength of a pull. Raises BadOption."""
    pull = number(given, "the pull of a joint")
    if not (math.isfinite(pull) and pull >= 0):
        raise BadOption(f"the pull of a joint is {shown(given)}; give a number from 0")
    return pull

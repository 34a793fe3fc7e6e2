"""A point of a frame at a distance from a point, or from another frame."""

import math
from dataclasses import dataclass
from typing import Any

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number
from limbik.goals.goal import ORIGIN, Goal, Spec, store_vector
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Distance(Goal):
    """The frame's origin, or its point `at`, is `distance` [m] from `point`: three numbers, or the name of a frame.

    range: the free deviation of the distance [m], or (low, high) around it.
    """

    frame: str | None
    point: Any
    distance: float
    at: Any = ORIGIN

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.point, str):
            if self.relative_to is not None:
                raise BadOption("Distance: relative_to applies only to a point given by three numbers, not to a frame")
        else:
            store_vector(self, "point", "the point")
        store_vector(self, "at", "at")
        distance = number(self.distance, "Distance: the distance")
        if not (math.isfinite(distance) and distance >= 0):
            raise BadOption(f"Distance: distance={shown(self.distance)} must be finite and not below 0")
        object.__setattr__(self, "distance", distance)

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        named = isinstance(self.point, str)
        observer = self.point if named else self.relative_to
        aims = (*(ORIGIN if named else self.point), self.distance)
        return self._sight(model, "distance", aims, at=self.at, observer=observer)

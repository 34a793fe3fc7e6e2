"""A point of a frame on a line."""

from dataclasses import dataclass
from typing import Any

from limbik.goals.goal import ORIGIN, Goal, Spec, store_direction, store_vector
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Line(Goal):
    """The frame's origin, or its point `at`, is on the line through `point` along `direction`; range: the free distance [m]."""

    frame: str | None
    point: Any
    direction: Any
    at: Any = ORIGIN

    def __post_init__(self) -> None:
        super().__post_init__()
        store_vector(self, "point", "the point")
        store_direction(self, "direction", "the direction")
        store_vector(self, "at", "at")

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        return self._sight(model, "line", self.point + self.direction, (2,), self.at, observer=self.relative_to)

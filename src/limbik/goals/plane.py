"""A point of a frame on a plane, or on one side of it."""

from dataclasses import dataclass
from typing import Any

from limbik.goals.goal import ORIGIN, Goal, Spec, store_direction, store_vector
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Plane(Goal):
    """The frame's origin, or its point `at`, lies on the plane through `point` with this `normal`.

    range: the signed distances that are free [m], (low, high): (0.05, inf) keeps it at least 5 cm on the normal's side.
    """

    frame: str | None
    point: Any
    normal: Any
    at: Any = ORIGIN

    def __post_init__(self) -> None:
        super().__post_init__()
        store_vector(self, "point", "the point")
        store_direction(self, "normal", "the normal")
        store_vector(self, "at", "at")

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        return self._sight(model, "plane", self.point + self.normal, at=self.at, observer=self.relative_to)

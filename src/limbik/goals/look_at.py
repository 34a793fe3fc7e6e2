"""An axis of a frame aimed at a point: a camera, a pair of eyes, a lamp."""

from dataclasses import dataclass
from typing import Any, ClassVar

from limbik.goals.goal import ORIGIN, Goal, Spec, Z, store_direction, store_vector
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class LookAt(Goal):
    """From the frame's origin, or its point `at`, its `axis` aims at `point` [m]; range: a cone that is free [rad]."""

    frame: str | None
    point: Any
    axis: Any = Z
    at: Any = ORIGIN

    units: ClassVar[tuple[str, ...]] = ("rad",)

    def __post_init__(self) -> None:
        super().__post_init__()
        store_vector(self, "point", "the point")
        store_vector(self, "at", "at")
        store_direction(self, "axis", "the axis")

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        return self._sight(model, "look_at", self.point, (2,), self.at, self.axis, self.relative_to)

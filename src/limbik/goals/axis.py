"""An axis of a frame along a direction, with free rotation about it: a welding torch, a drill, a cup kept upright."""

from dataclasses import dataclass
from typing import Any, ClassVar

from limbik.goals.goal import Goal, Spec, Z, store_direction
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Axis(Goal):
    """The frame's `axis` points along `direction`; range: the half angle of a cone that is free [rad]."""

    frame: str | None
    direction: Any
    axis: Any = Z

    units: ClassVar[tuple[str, ...]] = ("rad",)

    def __post_init__(self) -> None:
        super().__post_init__()
        store_direction(self, "direction", "the direction")
        store_direction(self, "axis", "the axis")

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        return self._sight(model, "axis", self.direction, (2,), axis=self.axis, observer=self.relative_to)

"""A point of a frame at a position; its rotation is free."""

from dataclasses import dataclass
from typing import Any

from limbik.goals.goal import ORIGIN, Goal, Spec, store_vector
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Position(Goal):
    """The frame's origin, or its point `at`, is at `point` [m]."""

    frame: str | None
    point: Any
    at: Any = ORIGIN

    def __post_init__(self) -> None:
        super().__post_init__()
        store_vector(self, "point", "the point")
        store_vector(self, "at", "at")

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        return self._sight(model, "position", self.point, (3,), self.at, observer=self.relative_to)

"""The orientation of a frame; its position is free."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from limbik.geometry.arrays import numbers
from limbik.geometry.se3 import as_pose, matrices
from limbik.goals.goal import Goal, Spec
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Orientation(Goal):
    """The frame has the orientation R: a rotation, (3, 3), or a pose whose translation is ignored."""

    frame: str | None
    R: Any

    units: ClassVar[tuple[str, ...]] = ("rad",)

    def __post_init__(self) -> None:
        given = numbers(matrices(self.R), "Orientation: R must be a 3x3 matrix of numbers")
        T = np.eye(4)
        if given.shape == (3, 3):
            T[:3, :3] = given
        else:
            T = given
        rotation = np.array(as_pose(T, "Orientation: R"))
        rotation[:3, 3] = 0.0
        object.__setattr__(self, "R", rotation[:3, :3].copy())
        super().__post_init__()

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        aims = tuple(np.column_stack([self.R, np.zeros(3)]).ravel().tolist())
        return self._sight(model, "orientation", aims, (3,), observer=self.relative_to)

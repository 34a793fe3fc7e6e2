"""Targets of the tip for muscle methods: a point, an orientation or a pose."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import NotFinite, ShapeError
from limbik.geometry.arrays import Array, frozen, numbers
from limbik.geometry.se3 import as_pose, matrices


@dataclass(frozen=True, eq=False)
class Target:
    """A point (3,), an orientation (3, 3) or a pose (4, 4) of the tip."""

    value: Array

    @property
    def point(self) -> Array | None:
        """(3,) the position of the tip; None for an orientation."""
        return None if self.value.shape == (3, 3) else self.value if self.value.ndim == 1 else self.value[:3, 3]

    @property
    def oriented(self) -> bool:
        """Whether the target includes an orientation."""
        return self.value.ndim == 2

    @property
    def kind(self) -> str:
        """The kind of target, in a word: "point", "pose" or "orientation"."""
        return {(3,): "point", (4, 4): "pose", (3, 3): "orientation"}[self.value.shape]

    @classmethod
    def of(cls, given: Any) -> "Target":
        """Return the target from a point, a pose or an orientation. Raises ShapeError, NotFinite, NotNumeric or NotRigid."""
        what = "a target is a point (3,), a pose (4, 4) or an orientation (3, 3)"
        value = numbers(matrices(given), what)
        if value.shape == (3,):
            if not np.isfinite(value).all() or np.abs(value).max() > 1e100:
                raise NotFinite("the point holds NaN, infinity or a number too large to compute with")
            return cls(frozen(value))
        if value.shape == (3, 3):
            T = np.eye(4)
            T[:3, :3] = value
            return cls(frozen(as_pose(T, "the orientation")[:3, :3]))
        if value.shape == (4, 4):
            return cls(as_pose(value, "the target"))
        more = "; solve_lengths_batch takes many points" if value.ndim > 1 and value.shape[-1] == 3 else ""
        raise ShapeError(f"{what}; got shape {value.shape}{more}")

"""Pins: frames by which an animator holds a figure, with weights of position and rotation, and a priority.

A pin is a goal without its target: targets follow frame by frame (`limbik.Body`). Pins without a new target keep the old one.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from limbik._core import rigid_pose
from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers, vector
from limbik.geometry.se3 import as_pose, matrices
from limbik.goals.goal import ORIGIN, Goal, Z
from limbik.goals.look_at import LookAt
from limbik.goals.orientation import Orientation
from limbik.goals.pose import Pose
from limbik.goals.position import Position

# The default tolerance of a pin [m and rad], below what is visible.
PIN_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Pin:
    """A frame that is held, and dragged to a pose (4, 4), a rotation (3, 3) or a point (3,).

    position, rotation: weights of the errors; 0 leaves them free. at: the point of the frame that is held, for a pin
    whose rotation is free. priority: pins of priority 0 come before those of 1, for all weights. tolerance: the largest
    error of a met pin [m and rad]; inf makes it a secondary objective. name: the key of its targets; None takes the
    frame's name.
    """

    frame: str
    position: float = 1.0
    rotation: float = 1.0
    at: Any = ORIGIN
    priority: int = 1
    tolerance: float = PIN_TOLERANCE
    name: str | None = None

    # Whether the pin may be dragged.
    moves: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for key in ("position", "rotation"):
            weight = number(getattr(self, key), f"{self._kind}: {key}")
            if not (math.isfinite(weight) and weight >= 0):
                raise BadOption(f"{self._kind}: {key}={shown(getattr(self, key))} must be finite and not below 0")
            object.__setattr__(self, key, weight)
        if self.position == self.rotation == 0:
            raise BadOption(f"{self._kind}: position and rotation of {shown(self.frame)} have weight 0; leave it out")
        x, y, z = vector(self.at, f"{self._kind}: at").tolist()
        object.__setattr__(self, "at", (x, y, z))
        if self.at != ORIGIN and self.rotation > 0:
            raise BadOption(f"{self._kind}: at= requires rotation=0; for a rotation, pin a frame at that point")
        object.__setattr__(self, "name", checked_name(self.name, self.frame, self._kind))
        self.goal()

    @property
    def _kind(self) -> str:
        return type(self).__name__

    def goal(self) -> Goal:
        """Return the pin as a goal with a placeholder target. Raises BadOption for invalid options."""
        options: dict[str, Any] = {"tolerance": self.tolerance, "priority": self.priority}
        if self.rotation == 0:
            return Position(self.frame, ORIGIN, self.at, weight=self.position, **options)
        if self.position == 0:
            return Orientation(self.frame, np.eye(3), weight=self.rotation, **options)
        return Pose(self.frame, np.eye(4), weight=(self.position, self.rotation), **options)

    def here(self, T: Array) -> Array:
        """Return the target numbers for the frame at T."""
        if self.rotation == 0:
            return np.asarray(T[:3, :3] @ np.array(self.at) + T[:3, 3])
        aims = np.array(T[:3])
        if self.position == 0:
            aims[:, 3] = 0
        return aims.ravel()

    def towards(self, target: Any, aims: Array) -> Array:
        """Return the numbers of a new target; parts not given are kept from `aims`. Raises ShapeError, NotRigid ..."""
        usual = rigid_pose(target)  # the usual case first, because it is the fastest
        if usual is None:
            given = numbers(matrices(target), f"the target of '{self.name}' must be a pose, a rotation or a point")
            if given.shape == (4, 4):
                usual = as_pose(given, f"the target of '{self.name}'")
            elif given.shape == (3,) and self.position > 0:
                point = vector(given, f"the target of '{self.name}'")
                if self.rotation == 0:
                    return point
                out = np.array(aims)
                out[3::4] = point
                return out
            elif given.shape == (3, 3) and self.rotation > 0:
                T = np.eye(4)
                T[:3, :3] = given
                T[:3, :3] = as_pose(T, f"the target of '{self.name}'")[:3, :3]
                T[:3, 3] = aims[3::4]
                return T[:3].ravel()
            else:
                kinds = [k for k, w in (("a point (3,)", self.position), ("a rotation (3, 3)", self.rotation)) if w > 0]
                raise ShapeError(
                    f"the target of '{self.name}' must be a pose (4, 4) or {' or '.join(kinds)}; got shape {given.shape}"
                )
        if self.rotation == 0:
            return np.asarray(usual[:3, 3])
        aims = usual[:3].ravel()
        if self.position == 0:
            aims[3::4] = 0
        return aims

    def target(self, aims: Array) -> Array:
        """Return the target of given target numbers: a pose, a rotation or a point."""
        if self.rotation == 0:
            return np.array(aims)
        if self.position == 0:
            return np.array(aims.reshape(3, 4)[:, :3])
        return np.vstack([aims.reshape(3, 4), [0.0, 0.0, 0.0, 1.0]])


@dataclass(frozen=True)
class Planted(Pin):
    """A frame that keeps its pose, with priority over all pins: a foot on the ground, a hand on a rail.

    load: its share of the weight against other planted frames; None: unknown.
    """

    priority: int = 0
    load: float | None = None

    moves: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.load is not None:
            object.__setattr__(self, "load", checked_load(self.load, str(self.name)))


@dataclass(frozen=True)
class Gaze:
    """An axis of a frame that aims at a point (3,): eyes, a head, a lamp. It may rotate about the axis; see `limbik.LookAt`."""

    frame: str
    axis: Any = Z
    at: Any = ORIGIN
    weight: float = 1.0
    priority: int = 1
    tolerance: float = PIN_TOLERANCE
    name: str = "gaze"

    moves: ClassVar[bool] = True

    def __post_init__(self) -> None:
        goal = self.goal()
        object.__setattr__(self, "axis", goal.axis)
        object.__setattr__(self, "at", goal.at)
        checked_name(self.name, self.frame, "Gaze")

    def goal(self) -> LookAt:
        """Return the pin as a goal with a placeholder target."""
        options: dict[str, Any] = {"weight": self.weight, "tolerance": self.tolerance, "priority": self.priority}
        return LookAt(self.frame, (0.0, 0.0, 1.0), self.axis, self.at, **options)

    def here(self, T: Array) -> Array:
        """Return the point 1 m ahead of the frame at T."""
        return np.asarray(T[:3, :3] @ (np.array(self.at) + np.array(self.axis)) + T[:3, 3])

    def towards(self, target: Any, aims: Array) -> Array:
        """Return the numbers of a new target."""
        return vector(target, f"the target of '{self.name}'")

    def target(self, aims: Array) -> Array:
        """Return the target of given target numbers: a point."""
        return np.array(aims)


def checked_name(name: Any, frame: Any, kind: str) -> str:
    """Return the name of a pin. Raises BadOption."""
    if not isinstance(frame, str):
        raise BadOption(f"{kind}: frame={shown(frame)} must be the name of a frame")
    if name is not None and (not isinstance(name, str) or not name):
        raise BadOption(f"{kind}: name={shown(name)} must be text")
    return frame if name is None else name


def checked_load(given: Any, name: str) -> float:
    """Return a share of the weight. Raises BadOption."""
    load = number(given, f"the load of '{name}'")
    if not (math.isfinite(load) and load >= 0):
        raise BadOption(f"the load of '{name}' is {shown(given)}; give a share of the weight, 0 or more")
    return load

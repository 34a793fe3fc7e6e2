"""One joint: how a child link may move against its parent, and how far."""

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

import numpy as np

from limbik.errors import BadModel
from limbik.model.transform import Array, as_pose, frozen, vector

# An axis shorter than this has no direction.
SHORTEST_AXIS = 1e-9
# An axis this close to unit length is left as written.
UNIT_ROUNDING = 1e-15


class Kind(StrEnum):
    """How a joint moves. The numbers of q that it takes: `Kind.size`."""

    FIXED = "fixed"
    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    BALL = "ball"
    FLOATING = "floating"

    @property
    def size(self) -> int:
        """How many numbers of q the joint takes."""
        return {Kind.FIXED: 0, Kind.BALL: 3, Kind.FLOATING: 6}.get(self, 1)

    @property
    def turns(self) -> bool:
        """True for the two kinds that turn about one axis."""
        return self in (Kind.REVOLUTE, Kind.CONTINUOUS)


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another: value = multiplier * value of `joint` + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


def _identity() -> Array:
    return np.eye(4)


def _z() -> Array:
    return np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Joint:
    """How `child` moves against `parent`.

    origin: (4, 4) T_parent_joint, where the joint stands at zero. axis: unit vector in the joint's own frame.
    lower, upper: range of a revolute or prismatic joint [rad or m]. velocity: greatest speed [rad/s or m/s].
    A continuous joint that is given a range is revolute. A ball's range is a cone: `swing` is how far its axis may tilt
    [rad], `twist` the turn about it [rad, rad].
    Raises BadModel for a zero axis, crossed limits and the like.
    """

    name: str
    kind: Kind
    parent: str
    child: str
    origin: Array = field(default_factory=_identity)
    axis: Array = field(default_factory=_z)
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    swing: float = math.inf
    twist: tuple[float, float] = (-math.inf, math.inf)
    mimic: Mimic | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", Kind(self.kind))
        for field_name in ("lower", "upper", "velocity", "swing"):
            object.__setattr__(self, field_name, float(getattr(self, field_name)))
        object.__setattr__(self, "twist", (float(self.twist[0]), float(self.twist[1])))
        object.__setattr__(self, "origin", as_pose(self.origin, f"the origin of joint '{self.name}'"))
        axis = vector(self.axis, f"the axis of joint '{self.name}'")
        length = float(np.linalg.norm(axis))
        if length < SHORTEST_AXIS:
            if self.kind not in (Kind.FIXED, Kind.FLOATING):
                raise BadModel(
                    f"joint '{self.name}' has the axis {axis.tolist()}, which has no direction; give it a length"
                )
            axis, length = frozen(_z()), 1.0
        if abs(length - 1.0) > UNIT_ROUNDING:
            axis = frozen(axis / length)
        object.__setattr__(self, "axis", axis)
        if self.kind is Kind.CONTINUOUS and (math.isfinite(self.lower) or math.isfinite(self.upper)):
            object.__setattr__(self, "kind", Kind.REVOLUTE)
        for low, high, what in ((self.lower, self.upper, "lower"), (*self.twist, "lower twist")):
            if math.isnan(low) or math.isnan(high):
                raise BadModel(f"joint '{self.name}' has a limit that is NaN; leave it out for no limit")
            if low > high:
                raise BadModel(f"joint '{self.name}' has {what} {low:g} above upper {high:g}; swap them")
        if math.isnan(self.velocity) or self.velocity < 0:
            raise BadModel(f"joint '{self.name}' has the speed limit {self.velocity:g}; it must not be negative")
        if not self.swing >= 0:
            raise BadModel(f"joint '{self.name}' has the swing {self.swing:g}; an angle from 0 to pi is meant")

    def moved_to(self, **changes: object) -> Self:
        """Return the same joint with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def _key(self) -> tuple[object, ...]:
        return (self.name, self.kind, self.parent, self.child, self.origin.tobytes(), self.axis.tobytes(), self.lower,
                self.upper, self.velocity, self.swing, self.twist, self.mimic)  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Joint) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


@dataclass(frozen=True)
class Link:
    """One rigid body: its name, its mass [kg] and centre of mass in its own frame [m]."""

    name: str
    mass: float = 0.0
    centre_of_mass: tuple[float, float, float] = (0.0, 0.0, 0.0)

"""A joint: the motion of a child link relative to its parent, and its limits."""

import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

import numpy as np

from limbik.errors import BadModel, NotFinite, shown
from limbik.geometry.arrays import LARGEST, Array, frozen, number, vector
from limbik.geometry.se3 import as_pose
from limbik.model.shape import SHAPES, Shape

# An axis shorter than this has no direction.
SHORTEST_AXIS = 1e-9
# Unicode categories: control characters (line ends among them), surrogates, line and paragraph separators.
_UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}
# An axis this close to unit length is left as written.
UNIT_ROUNDING = 1e-15


class Kind(StrEnum):
    """The kind of a joint. `size` is the number of its joint values in q."""

    FIXED = "fixed"
    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    BALL = "ball"
    FLOATING = "floating"

    @property
    def size(self) -> int:
        """The number of joint values."""
        return {Kind.FIXED: 0, Kind.BALL: 3, Kind.FLOATING: 6}.get(self, 1)

    @property
    def is_revolute(self) -> bool:
        """True for revolute and continuous joints."""
        return self in (Kind.REVOLUTE, Kind.CONTINUOUS)


@dataclass(frozen=True)
class Mimic:
    """The dependence of a mimic joint on another: value = multiplier * value of `joint` + offset.

    The mimic joint's own range narrows the range of the other.
    """

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


def check_name(name: object, what: str) -> str:
    """Return a name. Raises BadModel if it is not text on one line."""
    if not isinstance(name, str):
        raise BadModel(f"the name of {what} must be text; got {shown(name)}")
    if not name.isprintable() and any(unicodedata.category(letter) in _UNPRINTABLE for letter in name):
        raise BadModel(
            f"the name of {what} is {shown(name)}, which holds control characters or unpaired surrogates; rename it"
        )
    return name


def _identity() -> Array:
    return np.eye(4)


def _z() -> Array:
    return np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Joint:
    """The motion of `child` relative to `parent`.

    origin: (4, 4) placement T_parent_joint, the child's pose at zero. axis: unit vector in the joint's own frame.
    lower, upper: range of a revolute or prismatic joint [rad or m]. velocity: greatest speed [rad/s or m/s].
    A continuous joint with a range becomes revolute. The range of a ball is a cone and a twist range: `swing` is the
    largest tilt of its axis [rad], `twist` the range of the rotation about it, (lower, upper) [rad].
    Raises BadModel for contradictory fields such as a zero axis or crossed limits; NotNumeric, ShapeError, NotFinite or
    NotRigid for invalid numbers.
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
        check_name(self.name, "a joint")
        for role in ("parent", "child"):
            check_name(getattr(self, role), f"the {role} of joint '{self.name}'")
        if self.kind not in tuple(Kind):
            raise BadModel(f"joint '{self.name}' has the kind {shown(self.kind)}; use one of {', '.join(Kind)}")
        self._set(kind=Kind(self.kind), origin=as_pose(self.origin, f"the origin of joint '{self.name}'"))
        self._set(axis=self._checked_axis())
        self._check_range()
        self._check_cone()
        self._check_mimic()

    def _set(self, **fields: object) -> None:
        for field_name, value in fields.items():
            object.__setattr__(self, field_name, value)

    def _checked_axis(self) -> Array:
        axis = vector(self.axis, f"the axis of joint '{self.name}'")
        largest = float(np.abs(axis).max())
        if largest > LARGEST:  # its square would overflow
            axis = frozen(axis / largest)
        length = float(np.linalg.norm(axis))
        if length < SHORTEST_AXIS:
            if self.kind in (Kind.FIXED, Kind.FLOATING):
                return frozen(_z())
            raise BadModel(
                f"joint '{self.name}' has the axis {axis.tolist()}, which is too short to have a direction; give a longer vector"
            )
        return frozen(axis / length) if abs(length - 1.0) > UNIT_ROUNDING else axis

    def _check_range(self) -> None:
        for field_name in ("lower", "upper"):
            value = number(getattr(self, field_name), f"{field_name} of joint '{self.name}'")
            if LARGEST < abs(value) < math.inf:
                raise BadModel(f"joint '{self.name}' has {field_name} {value:g}; leave it out for no limit")
            self._set(**{field_name: value})
        self._check_order(self.lower, self.upper, "lower")
        if self.kind is Kind.CONTINUOUS and (math.isfinite(self.lower) or math.isfinite(self.upper)):
            self._set(kind=Kind.REVOLUTE)
        self._set(velocity=number(self.velocity, f"the speed limit of joint '{self.name}'"))
        if math.isnan(self.velocity) or self.velocity < 0:
            raise BadModel(f"joint '{self.name}' has the speed limit {self.velocity:g}; it must not be negative")

    def _check_order(self, low: float, high: float, what: str) -> None:
        if math.isnan(low) or math.isnan(high):
            raise BadModel(f"joint '{self.name}' has a limit that is NaN; leave it out for no limit")
        if low == math.inf or high == -math.inf:
            raise BadModel(f"joint '{self.name}' has {what} {low:g} and upper {high:g}, which leaves no value")
        if low > high:
            raise BadModel(f"joint '{self.name}' has {what} {low:g} above upper {high:g}; swap them")

    def _check_cone(self) -> None:
        self._set(swing=number(self.swing, f"the swing of joint '{self.name}'"))
        if not self.swing >= 0:
            raise BadModel(f"joint '{self.name}' has the swing {self.swing:g}; give an angle from 0 to pi")
        try:
            low, high = (number(x, f"the twist of joint '{self.name}'") for x in self.twist)
        except (TypeError, ValueError):
            raise BadModel(f"joint '{self.name}' has the twist {shown(self.twist)}; give two angles") from None
        self._set(twist=(low, high))
        self._check_order(low, high, "lower twist")
        if low > math.pi or high < -math.pi:
            raise BadModel(
                f"joint '{self.name}' has the twist {low:g} to {high:g}, which holds no angle from -pi to pi; "
                "subtract multiples of 2 pi"
            )

    def _check_mimic(self) -> None:
        mimic = self.mimic
        if mimic is None:
            return
        if not isinstance(mimic, Mimic):
            raise BadModel(f"joint '{self.name}' has the mimic {shown(mimic)}; give a Mimic(joint, multiplier, offset)")
        if self.kind.size != 1:
            raise BadModel(f"joint '{self.name}' is {self.kind}; only a joint with one axis can mimic another")
        driver = check_name(mimic.joint, f"what joint '{self.name}' mimics")
        multiplier = number(mimic.multiplier, f"the multiplier of joint '{self.name}'")
        offset = number(mimic.offset, f"the offset of joint '{self.name}'")
        check_factors(self.name, multiplier, offset)
        self._set(mimic=Mimic(driver, multiplier, offset))

    def moved_to(self, **changes: object) -> Self:
        """Return this joint with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def _key(self) -> tuple[object, ...]:
        return (self.name, self.kind, self.parent, self.child, self.origin.tobytes(), self.axis.tobytes(), self.lower,
                self.upper, self.velocity, self.swing, self.twist, self.mimic)  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Joint) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


def check_factors(name: str, multiplier: float, offset: float) -> None:
    """Raise BadModel if the multiplier or the offset of a mimic joint is not finite, or too large."""
    if not (math.isfinite(multiplier) and math.isfinite(offset)):
        raise BadModel(f"joint '{name}' mimics with a multiplier or offset that is not finite")
    if max(abs(multiplier), abs(offset)) > LARGEST:
        raise BadModel(
            f"joint '{name}' mimics with the multiplier {multiplier:g} and offset {offset:g}, too large to compute with"
        )


@dataclass(frozen=True)
class Link:
    """One rigid body: its name, its mass [kg], and in its own frame its centre of mass [m] and its collision shapes.

    unread: the collision geometry of the file that was not read, a few words each ("mesh arm.stl"); it is not checked for
    collisions. covers: for each shape, the kind of body that it encloses ("cylinder"), "" if the shape is exact; () if all are.
    Raises BadModel, NotNumeric, ShapeError or NotFinite for invalid fields.
    """

    name: str
    mass: float = 0.0
    centre_of_mass: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shapes: tuple[Shape, ...] = ()
    unread: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.name, "a link")
        mass = number(self.mass, f"the mass of link '{self.name}'")
        if not math.isfinite(mass):
            raise NotFinite(f"the mass of link '{self.name}' is {mass}; a finite number is needed")
        x, y, z = vector(self.centre_of_mass, f"the centre of mass of link '{self.name}'").tolist()
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "centre_of_mass", (x, y, z))
        shapes = tuple(self.shapes) if isinstance(self.shapes, Iterable) and not isinstance(self.shapes, str) else None
        if shapes is None or not all(isinstance(shape, SHAPES) for shape in shapes):
            raise BadModel(
                f"the shapes of link '{self.name}' are {shown(self.shapes)}; a list of Sphere, Capsule and Box is needed"
            )
        object.__setattr__(self, "shapes", shapes)
        if isinstance(self.unread, str) or not all(isinstance(words, str) for words in self.unread):
            raise BadModel(f"`unread` of link '{self.name}' is {shown(self.unread)}; a list of texts is needed")
        object.__setattr__(self, "unread", tuple(self.unread))
        covers = () if isinstance(self.covers, str) else tuple(self.covers)
        if isinstance(self.covers, str) or not all(isinstance(word, str) for word in covers):
            raise BadModel(f"`covers` of link '{self.name}' is {shown(self.covers)}; a list of texts is needed")
        if covers and len(covers) != len(shapes):
            raise BadModel(
                f"link '{self.name}' has {len(shapes)} shapes, but `covers` has {len(covers)} entries; give one for each shape"
            )
        object.__setattr__(self, "covers", covers if any(covers) else ())

    def scaled(self, factor: float) -> Self:
        """Return this link with every length multiplied."""
        x, y, z = self.centre_of_mass
        shapes = tuple(shape.scaled(factor) for shape in self.shapes)
        return replace(self, centre_of_mass=(x * factor, y * factor, z * factor), shapes=shapes)

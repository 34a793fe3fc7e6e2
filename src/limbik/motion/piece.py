"""Pieces of a path: poses as functions of a parameter from 0 to 1.

Between two orientations, the rotation is the shortest one, about one axis. The axis of a rotation by half a revolution comes from
the rotation matrix, so it is deterministic.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, NotRigid
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import as_pose
from limbik.model.record import Record

# The weight of a radian in the combined length of a path [m/rad].
METRES_PER_RADIAN = 0.25
# A relative change of velocity above this between two pieces is a corner.
KINK = 1e-3
# The number of samples per knot for the length of a curve.
SAMPLES = 48
# Poses closer than this are equal [m, rad].
SAME_POSE = 1e-12


class Piece(ABC, Record):
    """A part of a path."""

    @abstractmethod
    def at(self, x: Array) -> Array:
        """Return the poses at parameters from 0 to 1, (k,) -> (k, 4, 4)."""

    @property
    def pace(self) -> tuple[float, float]:
        """The length [m] and the rotation [rad] that determine the default duration: as if the initial speed were constant."""
        return self.extent

    @property
    def kinks(self) -> Array:
        """The parameters of velocity discontinuities inside the piece."""
        return np.zeros(0)

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The length [m] and the total rotation [rad]."""
        Ts = self.at(np.linspace(0.0, 1.0, 2 * SAMPLES + 1))
        steps = pose_error(Ts[:-1], Ts[1:])
        return float(np.linalg.norm(steps[:, :3], axis=1).sum()), float(np.linalg.norm(steps[:, 3:], axis=1).sum())


@dataclass(frozen=True, eq=False)
class Stay(Piece):
    """No motion."""

    T: Array

    def at(self, x: Array) -> Array:
        """Return the constant pose."""
        return np.broadcast_to(self.T, (len(x), 4, 4)).copy()

    @cached_property
    def extent(self) -> tuple[float, float]:
        """No length and no rotation."""
        return 0.0, 0.0


@dataclass(frozen=True, eq=False)
class Straight(Piece):
    """A straight line with constant angular velocity about one axis."""

    start: Array
    end: Array

    @cached_property
    def _difference(self) -> Array:
        return np.asarray(pose_error(self.start, self.end))

    def at(self, x: Array) -> Array:
        """Return the poses."""
        return make_poses(
            self.start[:3, 3] + np.multiply.outer(x, self._difference[:3]),
            rotations(np.multiply.outer(x, self._difference[3:])) @ self.start[:3, :3],
        )

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The distance and the angle."""
        return float(np.linalg.norm(self._difference[:3])), float(np.linalg.norm(self._difference[3:]))


@dataclass(frozen=True, eq=False)
class Polyline(Piece):
    """Straight segments through poses.

    Ts: (k, 4, 4). knots: (k,) the parameter of each, from 0 to 1. sampled: the poses are samples of a smooth path, so the
    knots are not corners.
    """

    Ts: Array
    knots: Array
    sampled: bool = False

    @cached_property
    def _differences(self) -> Array:
        return np.asarray(pose_error(self.Ts[:-1], self.Ts[1:])).reshape(-1, 6)

    def at(self, x: Array) -> Array:
        """Return the poses; those at the knots are exactly the given ones."""
        k = np.clip(np.searchsorted(self.knots, x, side="right") - 1, 0, len(self._differences) - 1)
        part = ((x - self.knots[k]) / (self.knots[k + 1] - self.knots[k]))[:, None]
        out = make_poses(
            self.Ts[k, :3, 3] + part * self._differences[k, :3],
            rotations(part * self._differences[k, 3:]) @ self.Ts[k, :3, :3],
        )
        ends = np.flatnonzero(x >= 1.0)
        out[ends] = self.Ts[-1]
        return out

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The sums of the distances and of the angles."""
        return float(np.linalg.norm(self._differences[:, :3], axis=1).sum()), float(
            np.linalg.norm(self._differences[:, 3:], axis=1).sum()
        )

    @cached_property
    def kinks(self) -> Array:
        """The knots at which the velocity changes."""
        if self.sampled:
            return np.zeros(0)
        velocity = self._differences / np.diff(self.knots)[:, None]
        size = np.linalg.norm(velocity, axis=1)
        change = np.linalg.norm(np.diff(velocity, axis=0), axis=1)
        return np.asarray(self.knots[1:-1][change > KINK * np.maximum(size[1:], size[:-1])])


@dataclass(frozen=True, eq=False)
class Screw(Piece):
    """A screw motion: the origin rotates by `angle` [rad] about an axis through a point and moves by `rise` [m] along the axis.

    rotating: the orientation follows the screw; otherwise it rotates by `rotation`, a rotation vector.
    """

    start: Array
    point: Array
    axis: Array
    angle: float
    rise: float
    rotating: bool
    rotation: Array

    def at(self, x: Array) -> Array:
        """Return the poses."""
        R_screw = rotations(np.multiply.outer(x * self.angle, self.axis))
        arm = self.start[:3, 3] - self.point
        places = self.point + R_screw @ arm + np.multiply.outer(x * self.rise, self.axis)
        R = (R_screw if self.rotating else rotations(np.multiply.outer(x, self.rotation))) @ self.start[:3, :3]
        return make_poses(places, R)

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The length of the arc or helix, and the rotation of the frame."""
        arm = self.start[:3, 3] - self.point
        radius = float(np.linalg.norm(arm - self.axis * (arm @ self.axis)))
        rotated = abs(self.angle) if self.rotating else float(np.linalg.norm(self.rotation))
        return math.hypot(radius * self.angle, self.rise), rotated


@dataclass(frozen=True, eq=False)
class Corner(Piece):
    """A rounded corner: a parabola from one line to the next, with rotations blended in the same way (de Casteljau)."""

    start: Array
    middle: Array
    end: Array

    def at(self, x: Array) -> Array:
        """Return the poses."""
        first, second = Straight(self.start, self.middle), Straight(self.middle, self.end)
        a, b = first.at(x), second.at(x)
        difference = np.asarray(pose_error(a, b)).reshape(-1, 6)
        return make_poses(
            a[:, :3, 3] + x[:, None] * difference[:, :3], rotations(x[:, None] * difference[:, 3:]) @ a[:, :3, :3]
        )

    @property
    def pace(self) -> tuple[float, float]:
        """The values of the sharp corner. With its duration, the rounded corner has its neighbours' speed at both ends."""
        first, second = Straight(self.start, self.middle).extent, Straight(self.middle, self.end).extent
        return first[0] + second[0], first[1] + second[1]


@dataclass(frozen=True, eq=False)
class Function(Piece):
    """A pose as a user's function of time, from 0 to `seconds`."""

    function: Callable[[float], Any]
    seconds: float

    def at(self, x: Array) -> Array:
        """Return the poses. Raises as `as_pose`, naming the time."""
        out = np.empty((len(x), 4, 4))
        for k, place in enumerate(x):
            try:
                out[k] = as_pose(self.function(float(place * self.seconds)))
            except NotRigid as error:
                raise NotRigid(f"the path at {place * self.seconds:g} s: {error}") from None
        return out


@dataclass(frozen=True, eq=False)
class Transformed(Piece):
    """Another piece, transformed, reversed or restricted to a part."""

    piece: Piece
    T: Array
    first: float
    last: float

    def at(self, x: Array) -> Array:
        """Return the poses."""
        return np.asarray(self.T @ self.piece.at(self.first + x * (self.last - self.first)))

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The value of the part."""
        length, angle = self.piece.extent
        part = abs(self.last - self.first)
        return length * part, angle * part

    @property
    def pace(self) -> tuple[float, float]:
        """The value of the part."""
        length, angle = self.piece.pace
        part = abs(self.last - self.first)
        return length * part, angle * part

    @property
    def kinks(self) -> Array:
        """The kinks inside the part."""
        places = (self.piece.kinks - self.first) / (self.last - self.first)
        return np.sort(places[(places > 0) & (places < 1)])


def rotations(vectors: Array) -> Array:
    """Return the rotations of rotation vectors, (..., 3) -> (..., 3, 3)."""
    angle = np.linalg.norm(vectors, axis=-1)
    safe = np.where(angle > 0, angle, 1.0)
    x, y, z = np.moveaxis(vectors / safe[..., None], -1, 0)
    none = np.zeros_like(x)
    K = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*x.shape, 3, 3)
    s, c = np.sin(angle)[..., None, None], (2.0 * np.sin(0.5 * angle) ** 2)[..., None, None]
    return np.asarray(np.eye(3) + s * K + c * (K @ K))


def make_poses(places: Array, Rs: Array) -> Array:
    """Return poses from positions and rotations."""
    T = np.zeros((len(places), 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = Rs, places, 1.0
    return T


def check_distinct(a: Array, b: Array, what: str) -> None:
    """Raise BadOption if two poses are equal."""
    if np.abs(pose_error(a, b)).max() <= SAME_POSE:
        raise BadOption(f"{what} are the same pose: the path has no length; use Path.stay(T, seconds) to wait")

"""The decoupling of a chain: joints that position the wrist centre, and a spherical wrist that orients the tip.

If the last three axes meet in one point, that point (the wrist centre) depends only on the preceding joints. A table then needs
cells over (x, y, z) and, given the arm's joints, cells over the orientation, instead of cells over all six numbers at once. A
redundant arm with a swivel has a fourth number beside x, y, z: the elbow inclination v, the angle of the plane of shoulder, elbow
and wrist about the line from shoulder to wrist (Kim & Tarokh, section 2).

All geometry comes from the chain's Jacobian: a revolute joint with axis w that moves the tip at p with velocity s has the point
p + w x s on its axis.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.solvers.table import lookup_chain

# Joints of a spherical wrist, and numbers of a place.
WRIST, PLACE = 3, 3
# Numbers of a pose.
POSE = 6
# A central difference of the inclination [rad]: good to some 1e-10.
STEP = 1e-6
# Squared sine below which two axes are parallel.
PARALLEL = 1e-12


class Arm(lookup_chain.Arm, Protocol):
    """The interface of a chain for tables of cells."""

    @property
    def n(self) -> int: ...
    @property
    def lower(self) -> Array: ...
    @property
    def upper(self) -> Array: ...
    @property
    def home(self) -> Array: ...
    @property
    def branch_names(self) -> tuple[str, ...]: ...
    @property
    def redundancy(self) -> Any: ...
    @property
    def structure(self) -> Any: ...
    def forward_jacobian(self, q: Any) -> tuple[Array, Array]: ...
    def sample(self, rng: np.random.Generator, size: Any = ()) -> Array: ...
    def solve_all(self, T: Any, *, limits: bool = True, swivel: Any = None) -> Any: ...
    def solve_all_batch(self, Ts: Any, *, threads: int | None = None, limits: bool = True) -> Any: ...


@dataclass(frozen=True)
class Split:
    """The decoupling of a chain for tables. whole: no decoupling; cells are over whole poses.

    inclined: v is one of the cell coordinates. directed: v distinguishes the side of the line from shoulder to wrist on which
    the elbow is; otherwise it is the angle of a plane, in (-pi/2, pi/2], and either side will do.
    """

    arm: Arm
    whole: bool
    inclined: bool = False
    directed: bool = True

    @property
    def joints(self) -> int:
        """The number of joints of the first level: those before the wrist, or all."""
        return self.arm.n if self.whole else self.arm.n - WRIST

    @property
    def numbers(self) -> int:
        """The number of coordinates of the first level."""
        return POSE if self.whole else PLACE + self.inclined

    @cached_property
    def turning(self) -> npt.NDArray[np.bool_]:
        """(n,) which joints are revolute."""
        return np.array([kind == "R" for kind in self.arm.structure.kinds])

    @cached_property
    def centre(self) -> Array:
        """(3,) the wrist centre seen from the tip [m]."""
        T, J = self.arm.forward_jacobian(self.arm.home)
        rows = [np.cross(np.eye(3), w) for w in J[3:, -WRIST:].T]  # s = w x (p - c), three times
        away = np.linalg.lstsq(np.concatenate(rows), J[:3, -WRIST:].T.ravel(), rcond=None)[0]
        return np.asarray(T[:3, :3].T @ -away) + 0.0

    @cached_property
    def wrist_axes(self) -> Array:
        """(3, 3) the axes of the wrist, a row each, seen from the tip when the wrist's joints are at zero."""
        q = np.array(self.arm.home)
        q[-WRIST:] = 0.0
        T, J = self.arm.forward_jacobian(q)
        return np.asarray((T[:3, :3].T @ J[3:, -WRIST:]).T)

    def full(self, q: Array) -> Array:
        """Return postures of the whole chain (..., n) from those of its first joints; the wrist at zero."""
        if q.shape[-1] == self.arm.n:
            return q
        return np.concatenate([q, np.zeros((*q.shape[:-1], self.arm.n - q.shape[-1]))], axis=-1)

    def tip_at(self, place: Array) -> Array:
        """Return poses (..., 4, 4) whose wrist centre is at (..., 3), turned as the base is."""
        T = np.tile(np.eye(4), (*place.shape[:-1], 1, 1))
        T[..., :3, 3] = place - self.centre
        return T

    def place_of(self, T: Array) -> Array:
        """Return the wrist centre (..., 3) of tip poses."""
        return np.asarray(T[..., :3, 3] + T[..., :3, :3] @ self.centre)

    def place(self, q: Array) -> Array:
        """Return the numbers that place the wrist, (..., 3) or (..., 4) with v, from the first joints (..., joints)."""
        return self.place_jacobian(q)[0]

    def place_jacobian(self, q: Array) -> tuple[Array, Array]:
        """Return the numbers of `place` and their derivatives by the first joints, (..., 3 or 4, joints)."""
        T, J = self.arm.forward_jacobian(self.full(q))
        offset = T[..., :3, :3] @ self.centre
        linear = J[..., :3, : self.joints] + np.cross(J[..., 3:, : self.joints], offset[..., None], axis=-2)
        u = T[..., :3, 3] + offset
        if not self.inclined:
            return u, linear
        v, by_joint = self._inclination(T[..., :3, 3], J, u, linear)
        return np.concatenate([u, v[..., None]], axis=-1), np.concatenate([linear, by_joint[..., None, :]], axis=-2)

    def _inclination(self, tip: Array, J: Array, wrist: Array, wrist_speed: Array) -> tuple[Array, Array]:
        """Return v (...) and its derivatives (..., joints). The elbow is the point of axis 4 that is nearest to axis 3."""
        shoulder = _nearest(*_axis(tip, J, 0), *_axis(tip, J, 1))
        elbow = _nearest(*_axis(tip, J, 3), *_axis(tip, J, 2))
        zero = np.asarray(self.arm.redundancy.zero, dtype=float)
        v = _angle(shoulder, elbow, wrist, zero)
        speed = _elbow_speed(tip, J, elbow, self.joints)
        ahead, behind = (
            _angle(
                shoulder[..., None],
                elbow[..., None] + step * speed,
                wrist[..., None] + step * wrist_speed,
                zero[:, None],
                -2,
            )
            for step in (STEP, -STEP)
        )
        by_joint = wrap(ahead - behind) / (2 * STEP)
        return (v if self.directed else as_plane(v)), by_joint


def as_plane(v: Array) -> Array:
    """Return angles of an undirected plane: the same modulo half a turn, in [-pi/2, pi/2)."""
    return np.asarray(np.remainder(v + np.pi / 2, np.pi) - np.pi / 2)


def _axis(tip: Array, J: Array, joint: int) -> tuple[Array, Array]:
    """Return a point on a joint's axis and its direction, (..., 3) each."""
    w = J[..., 3:, joint]
    return tip + np.cross(w, J[..., :3, joint]), w


def _nearest(p: Array, w: Array, other: Array, across: Array) -> Array:
    """Return the point of the line (p, w) that is nearest to another line; p where they are parallel."""
    cosine = (w * across).sum(-1)
    way = other - p
    bottom = 1.0 - cosine**2
    top = (way * w).sum(-1) - cosine * (way * across).sum(-1)
    along = np.where(bottom > PARALLEL, top / np.maximum(bottom, PARALLEL), 0.0)
    return np.asarray(p + along[..., None] * w)


def _elbow_speed(tip: Array, J: Array, elbow: Array, joints: int) -> Array:
    """Return the velocity of the elbow by the first joints, (..., 3, joints); those from the fourth on leave it."""
    speed = J[..., :3, :joints] + np.cross(J[..., 3:, :joints], (elbow - tip)[..., None], axis=-2)
    speed[..., 3:] = 0.0
    return np.asarray(speed)


def _angle(shoulder: Array, elbow: Array, wrist: Array, zero: Array, axis: int = -1) -> Array:
    """Return the angle of the elbow from `zero`, right-handed about the line from shoulder to wrist [rad]."""
    way = wrist - shoulder
    way = way / np.linalg.norm(way, axis=axis, keepdims=True)
    arm = elbow - shoulder
    across = np.cross(way, np.broadcast_to(zero, way.shape), axis=axis)
    return np.asarray(np.arctan2((across * arm).sum(axis), (np.cross(across, way, axis=axis) * arm).sum(axis)))


def split_of(arm: Arm, *, whole: bool = False, directed: bool = True) -> Split:
    """Return the decoupling of a chain. whole=True: none. Raises BadOption for a redundant chain without swivel."""
    structure = arm.structure
    if not whole and structure.spherical_wrist and arm.n > WRIST:
        if arm.n <= POSE:
            return Split(arm, whole=False)
        redundancy = arm.redundancy
        if arm.n == POSE + 1 and redundancy is not None and redundancy.kind == "swivel":
            return Split(arm, whole=False, inclined=True, directed=directed)
    if arm.n > POSE:
        raise BadOption(f"'{arm.name}' has {arm.n} joints, is redundant and has no swivel: fix joints by with_frozen")
    return Split(arm, whole=True)

"""The decoupling of a chain: joints that position the wrist centre, and a spherical wrist that orients the tip.

If the last three axes meet in one point, that point (the wrist centre) depends only on the preceding joints. A table
then needs cells over (x, y, z) and, given the arm's joints, cells over the orientation, instead of cells over all six
coordinates at once. A redundant arm with a swivel has a fourth coordinate beside x, y, z: the elbow inclination v, the
angle of the plane of shoulder, elbow and wrist about the line from shoulder to wrist (Kim & Tarokh, section 2).

All geometry comes from the chain's Jacobian: a revolute joint with axis w that moves the tip at p with velocity s has the point
p + w x s on its axis.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.all_postures import closed_form, redundancy, structure_of
from limbik.solvers.table.lookup_chain import Arm

# Joints of a spherical wrist, and coordinates of its centre.
WRIST, PLACE = 3, 3
# Coordinates of a pose.
POSE = 6
# Step of the central difference of the inclination, per unit of joint velocity: its error is some 1e-10.
STEP = 1e-6
# Squared sine below which two axes are parallel.
PARALLEL = 1e-12


@dataclass(frozen=True)
class Split:
    """The decoupling of a chain for tables. whole: no decoupling; cells are over whole poses.

    inclined: v is one of the cell coordinates. directed: v distinguishes the side of the line from shoulder to wrist on which
    the elbow is; otherwise it is the angle of a plane, in [-pi/2, pi/2), and the elbow may be on either side.
    """

    arm: Arm
    whole: bool
    inclined: bool = False
    directed: bool = True

    @property
    def model(self) -> Model:
        """The model of the chain."""
        return self.arm.model

    @property
    def branch_names(self) -> tuple[str, ...]:
        """The names of the branches of the closed form; () without one."""
        form = closed_form(self.model)
        return () if form is None else form.branch_names

    @property
    def joints(self) -> int:
        """The number of joints of the first level: those before the wrist, or all."""
        return self.model.n if self.whole else self.model.n - WRIST

    @property
    def numbers(self) -> int:
        """The number of coordinates of the first level."""
        return POSE if self.whole else PLACE + self.inclined

    @cached_property
    def turning(self) -> npt.NDArray[np.bool_]:
        """(n,) which joints are revolute."""
        return np.array([kind == "R" for kind in structure_of(self.model).kinds])

    @cached_property
    def centre(self) -> Array:
        """(3,) the wrist centre in the tip frame [m]."""
        T, J = self.forward_jacobian(self.model.ranges.home)
        rows = [
            np.cross(np.eye(3), w) for w in J[3:, -WRIST:].T
        ]  # the velocity w x (p - c) of the tip p, for three joints
        away = np.linalg.lstsq(np.concatenate(rows), J[:3, -WRIST:].T.ravel(), rcond=None)[0]
        return np.asarray(T[:3, :3].T @ -away) + 0.0

    @cached_property
    def wrist_axes(self) -> Array:
        """(3, 3) the axes of the wrist, one per row, in the tip frame, with the wrist's joints at zero."""
        q = np.array(self.model.ranges.home)
        q[-WRIST:] = 0.0
        T, J = self.forward_jacobian(q)
        return np.asarray((T[:3, :3].T @ J[3:, -WRIST:]).T)

    def forward_jacobian(self, q: Array) -> tuple[Array, Array]:
        """Return the pose of the tip and its Jacobian, (..., n) -> (..., 4, 4) and (..., 6, n)."""
        return self.model.kernel.forward_jacobian(q, -1, 0)

    def full(self, q: Array) -> Array:
        """Return postures of the whole chain (..., n) from those of its first joints; the wrist's joints are 0."""
        if q.shape[-1] == self.model.n:
            return q
        return np.concatenate([q, np.zeros((*q.shape[:-1], self.model.n - q.shape[-1]))], axis=-1)

    def tip_at(self, place: Array) -> Array:
        """Return tip poses (..., 4, 4) with wrist centres (..., 3) and the base's orientation."""
        T = np.tile(np.eye(4), (*place.shape[:-1], 1, 1))
        T[..., :3, 3] = place - self.centre
        return T

    def place_of(self, T: Array) -> Array:
        """Return the wrist centre (..., 3) of tip poses."""
        return np.asarray(T[..., :3, 3] + T[..., :3, :3] @ self.centre)

    def place(self, q: Array) -> Array:
        """Return the wrist centre, (..., 3), or with v (..., 4), as a function of the first joints (..., joints)."""
        return self.place_jacobian(q)[0]

    def place_jacobian(self, q: Array) -> tuple[Array, Array]:
        """Return `place` and its derivatives with respect to the first joints, (..., 3 or 4, joints)."""
        T, J = self.forward_jacobian(self.full(q))
        offset = T[..., :3, :3] @ self.centre
        linear = J[..., :3, : self.joints] + np.cross(J[..., 3:, : self.joints], offset[..., None], axis=-2)
        u = T[..., :3, 3] + offset
        if not self.inclined:
            return u, linear
        v, by_joint = self._inclination(T[..., :3, 3], J, u, linear)
        return np.concatenate([u, v[..., None]], axis=-1), np.concatenate([linear, by_joint[..., None, :]], axis=-2)

    def _inclination(self, tip: Array, J: Array, wrist: Array, wrist_speed: Array) -> tuple[Array, Array]:
        """Return v (...) and its derivatives (..., joints). The elbow is the point of axis 4 closest to axis 3."""
        shoulder = _nearest(*_axis(tip, J, 0), *_axis(tip, J, 1))
        elbow = _nearest(*_axis(tip, J, 3), *_axis(tip, J, 2))
        swivel = redundancy(self.model)
        assert swivel is not None, "an inclined split has a swivel"
        zero = np.asarray(swivel.zero, dtype=float)
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
    """Return angles of an undirected plane: wrapped modulo pi to [-pi/2, pi/2)."""
    return np.asarray(np.remainder(v + np.pi / 2, np.pi) - np.pi / 2)


def _axis(tip: Array, J: Array, joint: int) -> tuple[Array, Array]:
    """Return a point on a joint's axis and its direction, (..., 3) each."""
    w = J[..., 3:, joint]
    return tip + np.cross(w, J[..., :3, joint]), w


def _nearest(p: Array, w: Array, other: Array, across: Array) -> Array:
    """Return the point of the line (p, w) that is closest to another line; p for parallel lines."""
    cosine = (w * across).sum(-1)
    offset = other - p
    bottom = 1.0 - cosine**2
    top = (offset * w).sum(-1) - cosine * (offset * across).sum(-1)
    along = np.where(bottom > PARALLEL, top / np.maximum(bottom, PARALLEL), 0.0)
    return np.asarray(p + along[..., None] * w)


def _elbow_speed(tip: Array, J: Array, elbow: Array, joints: int) -> Array:
    """Return the velocity of the elbow for each of the first joints, (..., 3, joints); from the fourth on it is 0."""
    speed = J[..., :3, :joints] + np.cross(J[..., 3:, :joints], (elbow - tip)[..., None], axis=-2)
    speed[..., 3:] = 0.0
    return np.asarray(speed)


def _angle(shoulder: Array, elbow: Array, wrist: Array, zero: Array, axis: int = -1) -> Array:
    """Return the angle of the elbow from `zero`, right-handed about the line from shoulder to wrist [rad]."""
    line = wrist - shoulder
    line = line / np.linalg.norm(line, axis=axis, keepdims=True)
    arm = elbow - shoulder
    across = np.cross(line, np.broadcast_to(zero, line.shape), axis=axis)
    return np.asarray(np.arctan2((across * arm).sum(axis), (np.cross(across, line, axis=axis) * arm).sum(axis)))


def split_of(arm: Arm, *, whole: bool = False, directed: bool = True) -> Split:
    """Return the decoupling of a chain. whole=True: none. Raises BadOption for a redundant chain without swivel."""
    model = arm.model
    if not whole and structure_of(model).spherical_wrist and model.n > WRIST:
        if model.n <= POSE:
            return Split(arm, whole=False)
        free = redundancy(model)
        if model.n == POSE + 1 and free is not None and free.kind == "swivel":
            return Split(arm, whole=False, inclined=True, directed=directed)
    if model.n > POSE:
        raise BadOption(
            f"'{model.name}' has {model.n} joints, is redundant and has no swivel: fix joints by with_frozen"
        )
    return Split(arm, whole=True)

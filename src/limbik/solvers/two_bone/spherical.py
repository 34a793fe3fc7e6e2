"""Joints that rotate about one point: a ball, or three hinges whose axes intersect. From rotations to joint values.

Three hinges make G = Rz(q1) M2 Rz(q2) M3 Rz(q3). With the axes at zero joint values, a1 = z, a2 = M2 z, a3 = M2 M3 z,
this is R = G (M2 M3)' = exp(a1 q1) exp(a2 q2) exp(a3 q3), and
    a1.R a3 = a1.exp(a2 q2) a3        determines the middle joint, with two roots;
    exp(a1 q1) (exp(a2 q2) a3) = R a3 determines the first; the remainder is a rotation about a3.
Near the double root of the first equation the middle joint has half the digits only; it is computed again once the
first is known, from exp(-a1 q1) R a3 = exp(a2 q2) a3. If the last axis is parallel to the first, the first joint keeps
its seed value.

For a rotation through a full circle, G(s) = Rot(k, s) G0, every joint reaches a bound at the roots s of one equation:
    first joint at b:   (exp(a1 b) a2).R(s) a3 = a2.a3 middle joint at b:  a1.R(s) a3 = a1.exp(a2 b) a3 last joint at b:
    a1.R(s) exp(-a3 b) a2 = a1.a2 a ball's swing:     a.G(s) a = cos(swing) a ball's twist t:   the quaternion of G(s)
    Rot(a, -t) has no component along a, an equation in the sine and cosine of s / 2.
The first four have the form p cos s + q sin s + c = v with up to two roots, the last has one root. Between neighbouring
roots of all equations (`cuts`) the feasibility of the joints is constant.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.geometry.angles import TURN, nearest_copy
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import angle_between, quaternion_from_matrix, quaternion_product
from limbik.model.joint import Joint
from limbik.model.ranges import CONE_ROUNDING, NO_TWIST, swing_twist
from limbik.solvers.two_bone import rotations
from limbik.solvers.two_bone.plane import Flags, cross, dots

# A value up to this far outside a limit is clipped to it, and forward kinematics then decides [rad]: a double root has
# half the digits.
EDGE = 1e-7
# Sine of the angle between first and last axis below which the first joint is free.
GIMBAL = 1e-9
# Amplitude of a wave below which its phase is undefined.
FLAT = 1e-12


@dataclass(frozen=True, eq=False)
class Ball:
    """A ball joint with its cone."""

    joint: Joint
    size: int = 3

    def postures(self, G: Array, seed: Array, limits: bool, edge: float = EDGE) -> tuple[Array, Flags]:
        """Return the rotation vectors of rotations, (..., 1, 3), and whether they are inside the limits, (..., 1)."""
        w = rotations.to_vectors(G, np.broadcast_to(seed, (*G.shape[:-2], 3)))
        good = np.ones(w.shape[:-1], bool) if not limits else self._inside(w)
        return w[..., None, :], good[..., None]

    def _inside(self, w: Array) -> Flags:
        swing, twist = swing_twist(w, self.joint.axis)
        low, high = self.joint.twist
        room = CONE_ROUNDING
        twist_fits = ((twist >= low - room) & (twist <= high + room)) | (np.cos(swing / 2) < NO_TWIST)
        return np.asarray((swing <= self.joint.swing + room) & twist_fits)

    def cuts(self, k: Array, G0: Array) -> Array:
        """Return the angles s at which Rot(k, s) G0 reaches a limit of the ball, (..., m); NaN if there is none."""
        a = self.joint.axis
        found = [
            wave_roots(
                k,
                G0,
                np.broadcast_to(a, k.shape),
                np.broadcast_to(a, k.shape),
                math.cos(min(self.joint.swing, math.pi)),
            )
        ]
        q0 = quaternion_from_matrix(G0)
        for t in (*(x for x in self.joint.twist if math.isfinite(x)), math.pi):
            X = quaternion_product(q0, np.concatenate([-math.sin(t / 2) * a, [math.cos(t / 2)]]))
            Y = quaternion_product(np.concatenate([k, np.zeros((*k.shape[:-1], 1))], -1), X)
            found.append(2 * np.arctan2(-(X[..., :3] @ a), Y[..., :3] @ a)[..., None])
        return np.concatenate(found, -1)

    def distance(self, values: Array, seed: Array) -> Array:
        """Return the distance of joint values from a seed [rad]."""
        return angle_between(rotations.from_vectors(values), rotations.from_vectors(seed))

    def rotation(self, values: Array) -> Array:
        """Return the rotation of joint values."""
        return rotations.from_vectors(values)


@dataclass(frozen=True, eq=False)
class Hinges:
    """Three hinges whose axes intersect. between: the rotations M2, M3 between them; lower, upper: (3,) [rad]."""

    between: tuple[Array, Array]
    lower: Array
    upper: Array
    size: int = 3

    @cached_property
    def axes(self) -> tuple[Array, Array, Array]:
        """The axes at zero, in the frame of the first."""
        z = np.array([0.0, 0.0, 1.0])
        return z, self.between[0] @ z, self.between[0] @ self.between[1] @ z

    @cached_property
    def _rest(self) -> Array:
        return self.between[0] @ self.between[1]

    def rotation(self, values: Array) -> Array:
        """Return the rotation of joint values."""
        a1, a2, a3 = self.axes
        parts = [rotations.turn(a, values[..., i]) for i, a in enumerate((a1, a2, a3))]
        return parts[0] @ parts[1] @ parts[2] @ self._rest

    def postures(self, G: Array, seed: Array, limits: bool, edge: float = EDGE) -> tuple[Array, Flags]:
        """Return both solutions of rotations, (..., 2, 3), and which exist and are inside the limits, (..., 2)."""
        a1, a2, a3 = self.axes
        R = G @ self._rest.T
        value = (R @ a3) @ a1
        c0 = (a1 @ a2) * (a2 @ a3)
        A, B = a1 @ a3 - c0, a1 @ cross(a2, a3)
        size = math.hypot(A, B)
        cosine = (value - c0) / size
        exists = np.abs(cosine) <= 1 + EDGE * EDGE
        spread = np.arctan2(np.sqrt(np.maximum(1 - cosine * cosine, 0.0)), np.clip(cosine, -1, 1))
        out = []
        for sign in (1.0, -1.0):
            q2 = math.atan2(B, A) + sign * spread
            v = rotations.turn(a2, q2) @ a3
            w = R @ a3
            flat_v, flat_w = v - (v @ a1)[..., None] * a1, w - (w @ a1)[..., None] * a1
            q1 = np.arctan2(cross(flat_v, flat_w) @ a1, dots(flat_v, flat_w))
            free = np.linalg.norm(flat_v, axis=-1) < GIMBAL
            q1 = np.where(free, seed[..., 0], q1)
            left = np.swapaxes(rotations.turn(a1, q1), -1, -2) @ R
            q2 = self._about(a2, np.broadcast_to(a3, w.shape), left @ a3)
            left = np.swapaxes(rotations.turn(a2, q2), -1, -2) @ left
            q3 = self._about(a3, np.broadcast_to(a2, w.shape), left @ a2)
            out.append(np.stack([q1, q2, q3], -1))
        values = np.stack(out, -2)
        copies, inside = nearest_turns(values, seed[..., None, :], self.lower, self.upper, limits, edge)
        return copies, inside.all(-1) & exists[..., None]

    @staticmethod
    def _about(axis: Array, start: Array, end: Array) -> Array:
        """Return the angle about an axis between the perpendicular components of two vectors."""
        along = cross(start, end) @ axis
        return np.arctan2(along, dots(start, end) - (start @ axis) * (end @ axis))

    def cuts(self, k: Array, G0: Array) -> Array:
        """Return the angles s at which the joints of Rot(k, s) G0 reach their bounds, (..., m); NaN if there is none."""
        a1, a2, a3 = self.axes
        R0 = G0 @ self._rest.T

        def wide(a: Array) -> Array:
            return np.broadcast_to(a, k.shape)

        found = []
        for bounds in (self.lower, self.upper):
            for i, b in enumerate(bounds):
                if not math.isfinite(b):
                    continue
                about = rotations.turn((a1, a2, a3)[i], np.array(b))
                left, right, value = (
                    (about @ a2, a3, a2 @ a3), (a1, a3, a1 @ about @ a3), (a1, about.T @ a2, a1 @ a2)
                )[i]  # fmt: skip
                found.append(wave_roots(k, R0, wide(left), wide(right), float(value)))
        c0, height = (a1 @ a2) * (a2 @ a3), math.hypot(a1 @ a3 - (a1 @ a2) * (a2 @ a3), a1 @ cross(a2, a3))
        for end in (height, -height):  # the double roots of the middle joint
            found.append(wave_roots(k, R0, wide(a1), wide(a3), float(c0 + end)))
        p, q, _ = wave(k, R0, wide(a1), wide(a3))
        top = np.arctan2(q, p)[..., None]
        return np.concatenate([*found, top, top - np.where(top > 0, math.pi, -math.pi)], -1)

    def distance(self, values: Array, seed: Array) -> Array:
        """Return the distance of joint values from a seed [rad]."""
        return np.asarray(np.abs(values - seed).max(-1))


def wave(k: Array, R0: Array, left: Array, right: Array) -> tuple[Array, Array, Array]:
    """Return p, q, c of left.Rot(k, s) R0 right = p cos s + q sin s + c."""
    v = np.einsum("...ij,...j->...i", R0, right)
    c = dots(k, v) * dots(k, left)
    return dots(left, v) - c, dots(left, cross(k, v)), c


def wave_roots(k: Array, R0: Array, left: Array, right: Array, value: float) -> Array:
    """Return the two angles s at which left.Rot(k, s) R0 right has a given value, (..., 2); NaN if there is none."""
    p, q, c = wave(k, R0, left, right)
    size = np.hypot(p, q)
    ratio = (value - c) / np.where(size > FLAT, size, 1.0)
    exists = (size > FLAT) & (np.abs(ratio) <= 1)
    ratio = np.clip(ratio, -1, 1)
    spread = np.arctan2(np.sqrt((1 - ratio) * (1 + ratio)), ratio)
    middle = np.arctan2(q, p)
    both = np.stack([middle - spread, middle + spread], -1)
    return np.where(exists[..., None], both, np.nan)


def nearest_turns(
    values: Array, seed: Array, lower: Array, upper: Array, limits: bool, edge: float = EDGE
) -> tuple[Array, Flags]:
    """Return the 2-pi copies of angles that are inside the limits and nearest the seed, and which are inside, to `edge`."""
    near = nearest_copy(values, seed)
    if not limits:
        return near, np.ones(near.shape, bool)
    best, inside = near, np.zeros(near.shape, bool)
    shifts = (0.0, -1.0, 1.0)
    # For limits more than a turn from the seed: the first copy above the lower bound, and the last below the upper.
    low = np.where(np.isfinite(lower), lower, -math.inf)
    candidates = [near + TURN * shift for shift in shifts]
    for bound, rounding in ((lower, np.ceil), (upper, np.floor)):
        b = np.where(np.isfinite(bound), bound, 0.0)
        room = edge if rounding is np.floor else -edge
        candidates.append(np.where(np.isfinite(bound), values + TURN * rounding((b + room - values) / TURN), near))
    for candidate in candidates:
        fits = (candidate >= low - edge) & (candidate <= upper + edge)
        better = fits & (~inside | (np.abs(candidate - seed) < np.abs(best - seed)))
        best, inside = np.where(better, candidate, best), inside | fits
    return np.where(inside, np.clip(best, lower, upper), best), inside

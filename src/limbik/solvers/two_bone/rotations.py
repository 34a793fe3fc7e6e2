"""Rotations of many joints at once: matrices (..., 3, 3), rotation vectors (..., 3)."""

import math

import numpy as np

from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import quaternion_from_matrix
from limbik.solvers.two_bone.plane import dots


def turn(axis: Array, angle: Array) -> Array:
    """Return the rotations about unit axes, (..., 3, 3): c I + s [a] + (1 - c) a a'."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = axis[..., 0], axis[..., 1], axis[..., 2]
    v = 1 - c
    vx, vy = v * x, v * y
    xy, xz, yz = vx * y, vx * z, vy * z
    sx, sy, sz = s * x, s * y, s * z
    vz2 = v * z * z + c
    out = np.empty((*np.shape(vz2), 3, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = vx * x + c, xy - sz, xz + sy
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = xy + sz, vy * y + c, yz - sx
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = xz - sy, yz + sx, vz2
    return out


def about_z(angle: Array) -> Array:
    """Return the rotations about z."""
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((*np.shape(angle), 3, 3))
    out[..., 0, 0], out[..., 1, 1], out[..., 1, 0], out[..., 0, 1], out[..., 2, 2] = c, c, s, -s, 1.0
    return out


def from_vectors(w: Array) -> Array:
    """Return the rotations of rotation vectors."""
    angle = np.linalg.norm(w, axis=-1)
    axis = w / np.where(angle > 0, angle, 1.0)[..., None]
    return turn(axis, angle)


def to_vectors(R: Array, near: Array | None = None) -> Array:
    """Return rotation vectors with angles up to pi; for a vector of `near` longer than pi, the 2-pi copy closest to it."""
    q = quaternion_from_matrix(R)
    size = np.linalg.norm(q[..., :3], axis=-1)
    angle = 2 * np.arctan2(size, q[..., 3])
    some = size > 0
    axis = q[..., :3] / np.where(some, size, 1.0)[..., None]
    w = np.where(some[..., None], axis * angle[..., None], 2 * q[..., :3])
    if near is None:
        return w
    # The same rotation by more turns about the same axis: as many as the component of `near` along it has.
    turns = np.where(some, np.round((dots(axis, near) - angle) / TURN), 0.0)
    far = np.linalg.norm(near, axis=-1) > math.pi
    return np.asarray(w + np.where(far, turns, 0.0)[..., None] * TURN * axis)

"""Rotations of many joints at once: matrices (..., 3, 3), rotation vectors (..., 3), unit quaternions (w first)."""

import math

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.limb.plane import cross, dots


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


def quaternions(R: Array) -> Array:
    """Return unit quaternions, (..., 4), w first and not below 0: from the largest of the four, so nothing cancels."""
    m = [[R[..., i, j] for j in range(3)] for i in range(3)]
    trace = m[0][0] + m[1][1] + m[2][2]
    rows = [
        np.stack([1 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]], -1),
        np.stack([m[2][1] - m[1][2], 1 + 2 * m[0][0] - trace, m[0][1] + m[1][0], m[0][2] + m[2][0]], -1),
        np.stack([m[0][2] - m[2][0], m[0][1] + m[1][0], 1 + 2 * m[1][1] - trace, m[1][2] + m[2][1]], -1),
        np.stack([m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1 + 2 * m[2][2] - trace], -1),
    ]
    best = np.argmax(np.stack([trace, m[0][0], m[1][1], m[2][2]], -1), axis=-1)
    q = np.take_along_axis(np.stack(rows, -2), best[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.asarray(np.where(q[..., :1] < 0, -q, q))


def product(a: Array, b: Array) -> Array:
    """Return the products of quaternions."""
    w = a[..., :1] * b[..., :1] - dots(a[..., 1:], b[..., 1:])[..., None]
    return np.concatenate([w, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + cross(a[..., 1:], b[..., 1:])], -1)


def to_vectors(R: Array, near: Array | None = None) -> Array:
    """Return rotation vectors of at most half a turn, or of the whole turn that is nearest to the vectors `near`."""
    q = quaternions(R)
    size = np.linalg.norm(q[..., 1:], axis=-1)
    angle = 2 * np.arctan2(size, q[..., 0])
    some = size > 0
    axis = q[..., 1:] / np.where(some, size, 1.0)[..., None]
    w = np.where(some[..., None], axis * angle[..., None], 2 * q[..., 1:])
    if near is None:
        return w
    # the same rotation by more turns about the same axis: where the earlier vector, seen along it, stands
    turns = np.where(some, np.round((dots(axis, near) - angle) / (2 * math.pi)), 0.0)
    far = np.linalg.norm(near, axis=-1) > math.pi
    return np.asarray(w + np.where(far, turns, 0.0)[..., None] * (2 * math.pi) * axis)


def between(R0: Array, R1: Array) -> Array:
    """Return the angles from rotations to others [rad]."""
    q = quaternions(np.swapaxes(R0, -1, -2) @ R1)
    return np.asarray(2 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), q[..., 0]))

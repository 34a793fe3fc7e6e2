"""Rotation vectors, quaternions and matrices, many at once."""

import numpy as np

from limbik.model.transform import Array

# Below this half angle [rad] sin(x)/x is its series: 1 - x^2/6 is exact to the last digit.
SMALL = 1e-4


def to_quaternions(vectors: Array, *, continuous: bool = False) -> Array:
    """Return unit quaternions (w, x, y, z) of rotation vectors, (..., 3) -> (..., 4).

    continuous: the signs along the first axis are chosen so that neighbours lie near each other.
    """
    half = 0.5 * np.linalg.norm(vectors, axis=-1, keepdims=True)
    safe = np.maximum(half, SMALL)
    q = np.concatenate([np.cos(half), 0.5 * vectors * np.where(half < SMALL, 1 - half**2 / 6, np.sin(safe) / safe)], -1)
    if continuous and len(q) > 1:
        flips = np.where((q[1:] * q[:-1]).sum(-1) < 0, -1.0, 1.0)
        q[1:] *= np.cumprod(flips, axis=0)[..., None]
    return q


def from_quaternions(quaternions: Array) -> Array:
    """Return the rotation vectors of quaternions (w, x, y, z) of any length but zero, the short way, (..., 4) -> (..., 3).

    The arc tangent reads small and large angles alike.
    """
    w, v = quaternions[..., :1], quaternions[..., 1:]
    v = np.where(w < 0, -v, v)
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    half = np.arctan2(length, np.abs(w))
    safe = np.where(length > 0, length, 1.0)
    vectors: Array = v * (2 * half / safe)
    return vectors


def to_matrices(vectors: Array) -> Array:
    """Return the matrices of rotation vectors, (..., 3) -> (..., 3, 3)."""
    w, x, y, z = np.moveaxis(to_quaternions(vectors), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def matrix_quaternions(matrices: Array) -> Array:
    """Return unit quaternions (w, x, y, z) of rotation matrices, (..., 3, 3) -> (..., 4), their greatest part positive.

    Each is read off the column of w q, x q, y q or z q that is longest, which loses no digits anywhere (Shepperd).
    """
    m = np.asarray(matrices)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    rows = [
        [1 + xx + yy + zz, wx, wy, wz],
        [wx, 1 + xx - yy - zz, xy, xz],
        [wy, xy, 1 - xx + yy - zz, yz],
        [wz, xz, yz, 1 - xx - yy + zz],
    ]
    columns = np.stack([np.stack(row, -1) for row in rows], -2)
    diagonal = np.diagonal(columns, axis1=-2, axis2=-1)
    longest = np.argmax(diagonal, axis=-1)[..., None, None]
    q = np.take_along_axis(columns, np.broadcast_to(longest, (*longest.shape[:-1], 4)), axis=-2)[..., 0, :]
    unit: Array = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return unit


def matrix_vectors(matrices: Array) -> Array:
    """Return the rotation vectors of rotation matrices, (..., 3, 3) -> (..., 3)."""
    return from_quaternions(matrix_quaternions(matrices))

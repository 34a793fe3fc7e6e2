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

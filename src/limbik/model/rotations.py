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


def from_matrices(R: Array) -> Array:
    """Return the rotation vectors of matrices, (..., 3, 3) -> (..., 3).

    By the quaternion whose largest part is read from the diagonal, so that no angle is read badly.
    """
    d = R[..., [0, 1, 2], [0, 1, 2]]
    trace = d.sum(-1)
    squares = np.stack([1 + trace, *(1 + 2 * d[..., k] - trace for k in range(3))], -1)
    x, y, z = (R[..., 2, 1] - R[..., 1, 2]), (R[..., 0, 2] - R[..., 2, 0]), (R[..., 1, 0] - R[..., 0, 1])
    xy, xz, yz = (R[..., 0, 1] + R[..., 1, 0]), (R[..., 0, 2] + R[..., 2, 0]), (R[..., 1, 2] + R[..., 2, 1])
    w2, x2, y2, z2 = np.moveaxis(squares, -1, 0)
    rows = np.stack(
        [
            np.stack([w2, x, y, z], -1),
            np.stack([x, x2, xy, xz], -1),
            np.stack([y, xy, y2, yz], -1),
            np.stack([z, xz, yz, z2], -1),
        ],
        -2,
    )
    best = squares.argmax(-1)
    return from_quaternions(np.take_along_axis(rows, best[..., None, None], -2)[..., 0, :])

"""Rotations, one or many: matrices (..., 3, 3), unit quaternions (..., 4) and rotation vectors (..., 3) [rad].

Quaternions have their real part last, x y z w, as in ROS, SciPy and glTF. Readers of formats that write it first reorder it
(`real_part_last`).
"""

import numpy as np

from limbik.geometry.arrays import Array


def quaternion_from_matrix(matrices: Array) -> Array:
    """Return the unit quaternions (..., 4) with w >= 0, of rotation matrices (..., 3, 3).

    The matrix 4 q q^T of the quaternion q is linear in the rotation matrix. Its column with the largest diagonal entry is a
    multiple of q, and normalising it involves no cancellation.
    """
    m = np.asarray(matrices, dtype=np.float64)
    a, b, c = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    rows = np.stack(
        [
            np.stack([1 + a - b - c, xy, xz, wx], axis=-1),
            np.stack([xy, 1 - a + b - c, yz, wy], axis=-1),
            np.stack([xz, yz, 1 - a - b + c, wz], axis=-1),
            np.stack([wx, wy, wz, 1 + a + b + c], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    found = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    found = found / np.linalg.norm(found, axis=-1, keepdims=True)
    upper: Array = np.where(found[..., 3:] < 0, -found, found)
    return upper


def vector_from_quaternion(quaternion: Array) -> Array:
    """Return the shortest rotation vectors (..., 3) of quaternions (..., 4) of any length but zero.

    The arc tangent is accurate for small and large angles.
    """
    q = np.asarray(quaternion, dtype=np.float64)
    q = np.where(q[..., 3:] < 0, -q, q)
    sine = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., 3:])
    vectors: Array = q[..., :3] * np.divide(angle, sine, out=np.full_like(sine, 2.0), where=sine > 0)
    return vectors


def vector_from_matrix(matrices: Array) -> Array:
    """Return the shortest rotation vectors (..., 3) of rotation matrices (..., 3, 3)."""
    return vector_from_quaternion(quaternion_from_matrix(matrices))


def matrix_from_quaternion(quaternion: Array) -> Array:
    """Return the rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    x, y, z, w = np.moveaxis(np.asarray(quaternion, dtype=np.float64), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def matrix_from_rpy(rpy: Array) -> Array:
    """Return the rotation matrices (..., 3, 3) of URDF's roll, pitch and yaw [rad], (..., 3), about fixed axes x, y, z."""
    cr, cp, cy = np.moveaxis(np.cos(rpy), -1, 0)
    sr, sp, sy = np.moveaxis(np.sin(rpy), -1, 0)
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_product(a: Array, b: Array) -> Array:
    """Return the quaternion products a b, (..., 4): the rotation by b, then by a."""
    av, aw, bv, bw = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    vector = aw * bv + bw * av + np.cross(av, bv)
    return np.concatenate([vector, aw * bw - np.sum(av * bv, axis=-1, keepdims=True)], axis=-1)


def with_continuous_signs(quaternion: Array) -> Array:
    """Return the same rotations (frames, ..., 4) with signs such that successive quaternions have a dot product of at least 0."""
    if len(quaternion) < 2:
        return quaternion
    flips = np.sum(quaternion[1:] * quaternion[:-1], axis=-1, keepdims=True) < 0
    signs = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    return np.concatenate([quaternion[:1], quaternion[1:] * signs])


def real_part_last(wxyz: Array) -> Array:
    """Return quaternions w x y z as x y z w, (..., 4)."""
    return np.roll(np.asarray(wxyz, dtype=np.float64), -1, axis=-1)


def quaternion_from_vector(vectors: Array) -> Array:
    """Return the unit quaternions (..., 4) of rotation vectors (..., 3)."""
    v = np.asarray(vectors, dtype=np.float64)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    sinc = np.divide(np.sin(angle / 2), angle, out=np.full_like(angle, 0.5), where=angle > 0)
    return np.concatenate([v * sinc, np.cos(angle / 2)], axis=-1)


def matrix_from_vector(vectors: Array) -> Array:
    """Return the rotation matrices (..., 3, 3) of rotation vectors (..., 3)."""
    return matrix_from_quaternion(quaternion_from_vector(vectors))


def angle_between(R0: Array, R1: Array) -> Array:
    """Return the angles [rad], (...), between rotation matrices (..., 3, 3) and others."""
    q = quaternion_from_matrix(np.swapaxes(R0, -1, -2) @ R1)
    angles: Array = 2 * np.arctan2(np.linalg.norm(q[..., :3], axis=-1), q[..., 3])
    return angles

"""Conversion between rotation matrices and the quaternions (w, x, y, z) of the page, many at once."""

import numpy as np

from limbik.geometry.arrays import Array


def quaternions(R: Array) -> Array:
    """Return the quaternions of rotations, (..., 3, 3) -> (..., 4), w first, by the largest of the four (Shepperd 1978)."""
    R = np.asarray(R, float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], -1)
    a, b, c = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    d, e, f = R[..., 1, 0] + R[..., 0, 1], R[..., 0, 2] + R[..., 2, 0], R[..., 2, 1] + R[..., 1, 2]
    rows = np.stack(
        [
            np.stack([squares[..., 0], a, b, c], -1),
            np.stack([a, squares[..., 1], d, e], -1),
            np.stack([b, d, squares[..., 2], f], -1),
            np.stack([c, e, f, squares[..., 3]], -1),
        ],
        -2,
    )
    largest = np.argmax(squares, -1)[..., None, None]
    q = np.take_along_axis(rows, largest, -2)[..., 0, :]
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def pose_of(wxyz: Array, position: Array) -> Array:
    """Return the pose (4, 4) of a quaternion, w first, and a position."""
    w, x, y, z = np.asarray(wxyz, float) / np.linalg.norm(wxyz)
    T = np.eye(4)
    T[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    T[:3, 3] = position
    return T

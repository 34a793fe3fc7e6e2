"""Rotations as three angles: Rz(a) Ry(b) Rz(g), b in [0, pi], or Rz(a) Ry(b) Rx(g), b in [-pi/2, pi/2].

The paper names no convention. Both are offered; the joint angles are closer to linear functions of the convention that
matches the wrist's own axes (ZYZ for most wrists). a and g are in (-pi, pi]. Where b determines only their sum or
difference (gimbal lock), g is 0.
"""

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array

CONVENTIONS = ("zyz", "zyx")
# Below this sine of b (cosine for ZYX) the angles a and g are not separately determined.
NO_DIRECTION = 1e-12


def check(convention: str) -> str:
    """Return a convention's name, or raise BadOption."""
    if convention not in CONVENTIONS:
        raise BadOption(f"no Euler angles {convention!r}; there are {', '.join(CONVENTIONS)}")
    return convention


def angles(R: Array, convention: str) -> Array:
    """Return the Euler angles of rotations, (..., 3, 3) -> (..., 3) [rad]."""
    if convention == "zyz":
        sine = np.hypot(R[..., 2, 0], R[..., 2, 1])
        b = np.arctan2(sine, R[..., 2, 2])
        a = np.arctan2(R[..., 1, 2], R[..., 0, 2])
        g = np.arctan2(R[..., 2, 1], -R[..., 2, 0])
        locked = np.arctan2(np.sign(R[..., 2, 2]) * R[..., 1, 0], np.sign(R[..., 2, 2]) * R[..., 0, 0])
    else:
        sine = np.hypot(R[..., 0, 0], R[..., 1, 0])  # |cos b| in this convention
        b = np.arctan2(-R[..., 2, 0], sine)
        a = np.arctan2(R[..., 1, 0], R[..., 0, 0])
        g = np.arctan2(R[..., 2, 1], R[..., 2, 2])
        locked = np.arctan2(-R[..., 0, 1], R[..., 1, 1])
    free = sine <= NO_DIRECTION
    return np.stack([np.where(free, locked, a), b, np.where(free, 0.0, g)], axis=-1)


def rotation(angles: Array, convention: str) -> Array:
    """Return the rotations of Euler angles, (..., 3) -> (..., 3, 3)."""
    a, b, g = (_about(angles[..., k], axis) for k, axis in enumerate(convention))
    return np.asarray(a @ b @ g)


def _about(angle: Array, axis: str) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    k = "xyz".index(axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    R = np.zeros((*angle.shape, 3, 3))
    R[..., k, k] = 1.0
    R[..., i, i] = R[..., j, j] = c
    R[..., j, i], R[..., i, j] = s, -s
    return R

"""A spherical wrist in closed form: solve M = exp(b1 t1) exp(b2 t2) exp(b3 t3) for the three angles; up to two solutions.

The b are unit axes. Multiplying from the left by b1^T and from the right by b3 eliminates t1 and t3: b1 . exp(b2 t2) b3
= b1 . M b3. With a = b1 . b3 - (b1 . b2)(b2 . b3), b = b1 . (b2 x b3) and d = b1 . M b3 - (b1 . b2)(b2 . b3) this is a
cos t2 + b sin t2 = d. It has two roots, one double root if |d| = sqrt(a^2 + b^2), and none if |d| is larger, which
cannot occur if consecutive axes are perpendicular. Then t1 is the rotation about b1 that takes exp(b2 t2) b3 to M b3,
and t3 follows in the same way from M^T b1.

The two roots differ in the sign of the derivative b cos t2 - a sin t2, which is the determinant of the wrist's
Jacobian; it is positive for kind 0. If the rotated b3 is parallel to b1, only t1 + t3 or t1 - t3 is determined; t1 is
then 0.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

# d^2 may exceed its bound by this fraction: rounding at the double root.
ROUNDING = 1e-12
# Squared length below which a vector has no direction.
NO_DIRECTION = 1e-20


def postures(M: Array, axes: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return both wrist postures of rotations (..., 3, 3): (..., 2, 3) [rad] in (-pi, pi], and which exist (..., 2)."""
    b1, b2, b3 = axes
    before, after = b1 @ b2, b2 @ b3
    a, b = b1 @ b3 - before * after, b1 @ np.cross(b2, b3)
    to = M @ b3
    d = to @ b1 - before * after
    length2 = a * a + b * b
    root2 = length2 - d * d
    exists = root2 >= -ROUNDING * length2
    root = np.sqrt(np.maximum(root2, 0.0))[..., None] * np.array([1.0, -1.0])
    d = d[..., None]
    # derivative b cos - a sin = +-root
    t2 = np.arctan2(b * d - a * root, a * d + b * root)
    b3_rotated = rotated(b3, b2, t2)
    t1 = angle_about(b1, b3_rotated, to[..., None, :])
    back = np.swapaxes(M, -1, -2) @ b1
    b1_rotated = rotated(b1, b2, -t2)
    t3 = -angle_about(b3, b1_rotated, back[..., None, :])
    locked = np.linalg.norm(np.cross(b1, b3_rotated), axis=-1) ** 2 <= NO_DIRECTION
    if locked.any():
        across = np.cross(b3, b2)  # rotated by t3 alone, once t2 is undone
        rest = angle_about(b3, across, rotated((M @ across)[..., None, :], b2, -t2))
        t1, t3 = np.where(locked, 0.0, t1), np.where(locked, rest, t3)
    return np.stack([t1, t2, t3], axis=-1), np.broadcast_to(exists[..., None], t2.shape)


def kind_of(q: Array, axes: Array) -> npt.NDArray[np.intp]:
    """Return which of the two solutions wrist angles (..., 3) belong to: 0 or 1."""
    b1, b2, b3 = axes
    a, b = b1 @ b3 - (b1 @ b2) * (b2 @ b3), b1 @ np.cross(b2, b3)
    return np.asarray((b * np.cos(q[..., 1]) - a * np.sin(q[..., 1]) < 0).astype(np.intp))


def rotated(p: Array, axis: Array, angle: Array) -> Array:
    """Return vectors (3,) or (..., 3) rotated about an axis by angles (...): (..., 3)."""
    along = (p @ axis)[..., None] * axis
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return np.asarray(along + c * (p - along) + s * np.cross(axis, p))


def angle_about(axis: Array, p: Array, to: Array) -> Array:
    """Return the angles of the rotations about an axis that take p to `to`, (...)."""
    sine = (np.cross(np.broadcast_to(axis, p.shape), p) * to).sum(-1)
    return np.asarray(np.arctan2(sine, (p * to).sum(-1) - (p @ axis) * (to @ axis)))

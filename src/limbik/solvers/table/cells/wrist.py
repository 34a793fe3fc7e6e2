"""A spherical wrist in closed form: M = exp(b1 t1) exp(b2 t2) exp(b3 t3), three angles from a rotation, two ways.

The b are unit axes. Both sides applied between b1 and b3 leave t2 alone: b1 . exp(b2 t2) b3 = b1 . M b3. With
a = b1 . b3 - (b1 . b2)(b2 . b3), b = b1 . (b2 x b3) and d = b1 . M b3 - (b1 . b2)(b2 . b3) that is a cos t2 + b sin t2 = d: two
roots, one where they meet, none where |d| is greater than sqrt(a^2 + b^2), which no wrist with right angles knows. Then
exp(b2 t2) b3 turned about b1 must be M b3, which is t1, and t3 is what is left, found in the same way from M^T b1.

The two roots differ in the sign of the derivative b cos t2 - a sin t2, which is the wrist's determinant: kind 0 has it positive.
Where b1 and the turned b3 fall together only t1 + t3 is held; t1 is then 0.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

# |d| may exceed its bound by this part: rounding at the double root.
ROUNDING = 1e-12
# Squared length below which a direction says nothing.
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
    lifted = turned(b3, b2, t2)
    t1 = about(b1, lifted, to[..., None, :])
    back = np.swapaxes(M, -1, -2) @ b1
    lowered = turned(b1, b2, -t2)
    t3 = -about(b3, lowered, back[..., None, :])
    locked = np.linalg.norm(np.cross(b1, lifted), axis=-1) ** 2 <= NO_DIRECTION
    if locked.any():
        across = np.cross(b3, b2)  # turned by t3 alone, once t2 is undone
        rest = about(b3, across, turned((M @ across)[..., None, :], b2, -t2))
        t1, t3 = np.where(locked, 0.0, t1), np.where(locked, rest, t3)
    return np.stack([t1, t2, t3], axis=-1), np.broadcast_to(exists[..., None], t2.shape)


def kind_of(q: Array, axes: Array) -> npt.NDArray[np.intp]:
    """Return which of the two postures these wrist angles (..., 3) are: 0 or 1."""
    b1, b2, b3 = axes
    a, b = b1 @ b3 - (b1 @ b2) * (b2 @ b3), b1 @ np.cross(b2, b3)
    return np.asarray((b * np.cos(q[..., 1]) - a * np.sin(q[..., 1]) < 0).astype(np.intp))


def turned(p: Array, axis: Array, angle: Array) -> Array:
    """Return vectors (3,) or (..., 3) turned about an axis by angles (...): (..., 3)."""
    along = (p @ axis)[..., None] * axis
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return np.asarray(along + c * (p - along) + s * np.cross(axis, p))


def about(axis: Array, p: Array, to: Array) -> Array:
    """Return the angles about an axis that take p to another vector, (...)."""
    sine = (np.cross(np.broadcast_to(axis, p.shape), p) * to).sum(-1)
    return np.asarray(np.arctan2(sine, (p * to).sum(-1) - (p @ axis) * (to @ axis)))

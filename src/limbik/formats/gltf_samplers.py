"""Values between the keys of a glTF sampler (glTF 2.0, appendix C).

STEP holds the previous key. LINEAR interpolates linearly, rotations along the shorter arc at constant speed (slerp).
CUBICSPLINE has for each key an in-tangent a, a value v and an out-tangent b. With the time t_d between two keys and s
from 0 to 1,
    p = (2 s^3 - 3 s^2 + 1) v_0 + t_d (s^3 - 2 s^2 + s) b_0 + (-2 s^3 + 3 s^2) v_1 + t_d (s^3 - s^2) a_1,
and a rotation is then normalised. Before the first key and after the last one, the value of that key holds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import with_continuous_signs

# Quaternions shorter than this cannot be normalised. Rotations closer than this are interpolated linearly [rad].
NO_LENGTH, NEAR = 1e-6, 1e-6


@dataclass(frozen=True, eq=False)
class Sampler:
    """Keys at increasing times (k,) with values (k, c), or (k, 3, c) for a spline. rotation: values are quaternions, x y z w."""

    times: Array
    values: Array
    mode: str
    rotation: bool

    def at(self, times: Array) -> Array:
        """Return the values at these times, (n, c)."""
        keys = self.times
        last = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 1)
        if self.mode == "STEP":
            return self.values[last]
        after = np.minimum(last + 1, len(keys) - 1)
        gap = keys[after] - keys[last]
        s = np.clip((times - keys[last]) / np.where(gap > 0, gap, 1.0), 0.0, 1.0)[:, None]
        if self.mode == "CUBICSPLINE":
            return self._spline(last, after, s, gap[:, None])
        a, b = self.values[last], self.values[after]
        return _arc(a, b, s) if self.rotation else a + s * (b - a)

    def _spline(self, last: npt.NDArray[np.intp], after: npt.NDArray[np.intp], s: Array, gap: Array) -> Array:
        v0, b0 = self.values[last, 1], self.values[last, 2]
        a1, v1 = self.values[after, 0], self.values[after, 1]
        p: Array = (2 * s**3 - 3 * s**2 + 1) * v0 + gap * (s**3 - 2 * s**2 + s) * b0
        p = p + (3 * s**2 - 2 * s**3) * v1 + gap * (s**3 - s**2) * a1
        if not self.rotation:
            return p
        length = np.linalg.norm(p, axis=1, keepdims=True)
        return with_continuous_signs(
            np.where(length > NO_LENGTH, p / np.where(length > NO_LENGTH, length, 1.0), unit(v0))
        )


def unit(quaternion: Array) -> Array:
    """Return normalised quaternions; the identity for a quaternion of length zero."""
    length = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    valid = length > NO_LENGTH
    return np.where(valid, quaternion / np.where(valid, length, 1.0), np.array([0.0, 0.0, 0.0, 1.0]))


def _arc(a: Array, b: Array, s: Array) -> Array:
    """Return the rotations at s on the shorter arc from a to b."""
    a, b = unit(a), unit(b)
    cosine = np.sum(a * b, axis=1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    sine = np.linalg.norm(b - a, axis=1, keepdims=True) / 2
    half = np.arcsin(np.minimum(sine, 1.0))  # half the angle between them, exact where it is small
    angle = 2 * half
    far = angle > NEAR
    weight = np.where(far, np.sin(angle), 1.0)
    blended = (
        np.where(far, np.sin((1 - s) * angle) / weight, 1 - s) * a + np.where(far, np.sin(s * angle) / weight, s) * b
    )
    return unit(blended)

"""Slopes of a cubic through keys that overshoots none of them.

Between two keys a Hermite cubic with the slopes m_0, m_1 and the secant d is monotone where both slopes lie between 0 and 3 d
(Fritsch and Carlson, Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17, 1980: the square inside their region M).
So each key takes the slope of the parabola through it and its neighbours, cut to what the secants on both sides allow: 0 where
they differ in sign, a key that is an extremum. Every value then lies between the two keys around it, and a range that holds the
keys holds the whole curve.

Vectors have no sign. There the slope p is shortened to t p, 0 <= t <= 1, until it lies in the ball whose diameter leads from 0
to 3 d, for both secants: t = 3 p.d / |p|^2 at most. Along one line that is the same rule; it does not depend on the axes.
"""

import numpy as np

from limbik.geometry.arrays import Array

# How many times the secant a slope may be.
STEEPEST = 3.0


def parabolic_slopes(h: Array, secants: Array) -> Array:
    """Return the slopes at keys (k + 1, n) of the parabolas through three of them. h: spans (k, 1); secants: (k, n)."""
    if len(secants) == 1:
        return np.repeat(secants, 2, axis=0)
    inner = (h[1:] * secants[:-1] + h[:-1] * secants[1:]) / (h[1:] + h[:-1])
    return np.concatenate([(2 * secants[0] - inner[0])[None], inner, (2 * secants[-1] - inner[-1])[None]])


def limited_slopes(slopes: Array, secants: Array) -> Array:
    """Return slopes (k + 1, n) cut so that no column overshoots a key. secants: (k, n)."""
    before, after = _around(secants)
    most = STEEPEST * np.minimum(np.abs(before), np.abs(after))
    rising = (before > 0) & (after > 0) & (slopes > 0)
    falling = (before < 0) & (after < 0) & (slopes < 0)
    return np.where(rising, np.minimum(slopes, most), np.where(falling, np.maximum(slopes, -most), 0.0))


def limited_vectors(slopes: Array, secants: Array) -> Array:
    """Return vectors (k + 1, 3) shortened so that none overshoots a key. secants: (k, 3)."""
    size = np.maximum(np.abs(slopes).max(axis=1, keepdims=True), np.finfo(float).tiny)
    way = slopes / size  # what is squared is near 1, however fast the keys follow each other
    part = np.ones_like(size)
    for secant in _around(secants):
        along = (way * (secant / size)).sum(axis=1, keepdims=True)
        part = np.minimum(part, STEEPEST * along / np.maximum((way**2).sum(axis=1, keepdims=True), 1.0))
    out: Array = slopes * np.maximum(part, 0.0)
    return out


def monotone_slopes(values: Array, times: Array) -> Array:
    """Return the slopes at keys (k, n) with which a cubic overshoots none of them; 0 for a single key."""
    if len(times) == 1:
        return np.zeros_like(values)
    h = np.diff(times)[:, None]
    secants = np.diff(values, axis=0) / h
    return limited_slopes(parabolic_slopes(h, secants), secants)


def _around(secants: Array) -> tuple[Array, Array]:
    """Return the secant before and behind each key; the only one at the ends."""
    return np.concatenate([secants[:1], secants]), np.concatenate([secants, secants[-1:]])

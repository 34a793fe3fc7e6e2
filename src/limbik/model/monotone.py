"""Slopes of a cubic spline through keys that does not overshoot them.

Between two keys, a Hermite cubic with the end slopes m_0 and m_1 and the secant slope d is monotone if both slopes lie between 0
and 3 d (Fritsch and Carlson, Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17, 1980: the square inside their
region M). Each key therefore gets the slope of the parabola through it and its neighbours, clipped to what the secants on both
sides allow: 0 if the secants differ in sign, because the key is then an extremum. Every value lies between the two keys around
it, so a range that contains the keys contains the whole curve.

Vectors have no sign. Their slope p is shortened to t p, 0 <= t <= 1, until it lies in the ball with the diameter from 0 to 3 d,
for both secants: t <= 3 p.d / |p|^2. For collinear vectors this is the same rule, and it does not depend on the axes.
"""

import numpy as np

from limbik.geometry.arrays import Array

# The largest ratio of a slope to a secant.
STEEPEST = 3.0


def parabolic_slopes(h: Array, secants: Array) -> Array:
    """Return the slopes (k + 1, n) at keys of parabolas through three keys each. h: intervals (k, 1); secants: (k, n)."""
    if len(secants) == 1:
        return np.repeat(secants, 2, axis=0)
    inner = (h[1:] * secants[:-1] + h[:-1] * secants[1:]) / (h[1:] + h[:-1])
    return np.concatenate([(2 * secants[0] - inner[0])[None], inner, (2 * secants[-1] - inner[-1])[None]])


def limited_slopes(slopes: Array, secants: Array) -> Array:
    """Return slopes (k + 1, n) clipped so that no column overshoots a key. secants: (k, n)."""
    before, after = _around(secants)
    most = STEEPEST * np.minimum(np.abs(before), np.abs(after))
    rising = (before > 0) & (after > 0) & (slopes > 0)
    falling = (before < 0) & (after < 0) & (slopes < 0)
    return np.where(rising, np.minimum(slopes, most), np.where(falling, np.maximum(slopes, -most), 0.0))


def limited_vectors(slopes: Array, secants: Array) -> Array:
    """Return vectors (k + 1, 3) shortened so that none overshoots a key. secants: (k, 3)."""
    size = np.maximum(np.abs(slopes).max(axis=1, keepdims=True), np.finfo(float).tiny)
    scaled = slopes / size  # entries of at most 1: squares neither overflow nor underflow
    factor = np.ones_like(size)
    for secant in _around(secants):
        along = (scaled * (secant / size)).sum(axis=1, keepdims=True)
        factor = np.minimum(factor, STEEPEST * along / np.maximum((scaled**2).sum(axis=1, keepdims=True), 1.0))
    out: Array = slopes * np.maximum(factor, 0.0)
    return out


def monotone_slopes(values: Array, times: Array) -> Array:
    """Return slopes (k, n) at keys for a cubic spline that does not overshoot them; 0 for a single key."""
    if len(times) == 1:
        return np.zeros_like(values)
    h = np.diff(times)[:, None]
    secants = np.diff(values, axis=0) / h
    return limited_slopes(parabolic_slopes(h, secants), secants)


def _around(secants: Array) -> tuple[Array, Array]:
    """Return the secants before and after each key; the first and the last key have one secant, used for both."""
    return np.concatenate([secants[:1], secants]), np.concatenate([secants, secants[-1:]])

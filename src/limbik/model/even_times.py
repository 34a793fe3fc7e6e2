"""Uniform sampling times recovered from rounded ones: t_k = start + k step, called a beat here.

Files print times in milliseconds or store them as float32, and a part of a recording begins where it was cut. Such times are
meant to be uniform, but are not to the last digit. They count as uniform if a start and a step exist such that every time is
within a bound of start + k step:

    1 % of the step, or half a millisecond if all times are whole milliseconds and the step is at least 2 ms.

The first displaces a body at 10 m/s, sampled at 100 Hz, by 1 mm; the second is the rounding error of printing. The step is the
one with the least maximum error, a convex problem in one unknown. A whole number of frames per second, or per 1.001 s (29.97 and
59.94 Hz), is preferred if its error is within the bound and at most twice the least one.
"""

import math
from typing import NamedTuple

import numpy as np

from limbik.geometry.arrays import Array

# The largest deviation of a time from the beat, as a part of the step.
OFF_BEAT = 0.01
# The unit in which times are printed, and the least step for which its rounding is tolerated [s].
PRINTED, LEAST_STEP = 1e-3, 2e-3
# The largest deviation from whole printed units, as a part of one: float32 holds this up to ten minutes.
WHOLE_UNIT = 0.05
# Deviations below this part of a step are rounding of float64: such times are uniform already.
EXACT = 1e-9
# The largest error of a round rate, relative to that of the best step.
NO_WORSE = 2.0
# Iterations of the golden-section search for the best step: each leaves 0.62 of the interval.
SEARCHED = 80
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


class Beat(NamedTuple):
    """Uniform times: start and step [s]. off: the largest deviation of the given times from them [s]."""

    start: float
    step: float
    off: float

    def times(self, count: int) -> Array:
        """Return the times of `count` frames [s]."""
        out: Array = self.start + np.arange(count, dtype=np.float64) * self.step
        return out


def beat_of(times: Array) -> Beat | None:
    """Return the beat of increasing times (frames,), or None if they are not uniform. A single time has the step 0."""
    if len(times) < 3:
        return Beat(float(times[0]), float(times[-1] - times[0]), 0.0)
    mean = (float(times[-1]) - float(times[0])) / (len(times) - 1)
    if not np.isfinite(mean):
        return None
    plain = _off(times, mean)
    if plain.off <= EXACT * mean + 4 * np.finfo(float).eps * float(np.abs(times).max()):
        return Beat(float(times[0]), mean, plain.off)
    bound = OFF_BEAT * mean
    if mean >= LEAST_STEP and _printed(times):
        bound = max(bound, 0.5 * PRINTED * (1 + WHOLE_UNIT))
    if plain.off > 2 * bound + 1e-12:  # the error of the mean step is at most twice the least one
        return None
    best = _best(times, mean)
    if best.off > bound:
        return None
    for rate in (float(np.round(1 / best.step)), float(np.round(1.001 / best.step)) / 1.001):
        if rate > 0 and (rounded := _off(times, 1 / rate)).off <= min(bound, NO_WORSE * best.off):
            best = rounded
            break
    first = float(times[0])  # preferred as the start, if the error stays within the bound
    off = float(np.abs(times - Beat(first, best.step, 0.0).times(len(times))).max())
    return Beat(first, best.step, off) if off <= bound else best


def even(times: Array) -> Array | None:
    """Return the uniform times that rounded times are meant to be, unchanged if they are exact; None if they are not uniform."""
    beat = beat_of(times)
    if beat is None or len(times) < 3:
        return None if beat is None else times
    return times if beat.off <= EXACT * beat.step else beat.times(len(times))


def _printed(times: Array) -> bool:
    """Return whether all times are whole milliseconds, up to float32 rounding."""
    units = times / PRINTED
    return bool(np.abs(units - np.round(units)).max() <= WHOLE_UNIT * min(1.0, float(np.diff(units).min())))


def _off(times: Array, step: float) -> Beat:
    """Return the beat with a given step and the best start."""
    left = times - np.arange(len(times)) * step
    low, high = float(left.min()), float(left.max())
    return Beat((low + high) / 2, step, (high - low) / 2)


def _best(times: Array, mean: float) -> Beat:
    """Return the beat with the least maximum error, by golden-section search about the mean step."""
    reach = 4 * _off(times, mean).off / (len(times) - 1)
    low, high = mean - reach, mean + reach
    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_a, at_b = _off(times, a), _off(times, b)
    for _ in range(SEARCHED):
        if at_a.off <= at_b.off:
            high, b, at_b = b, a, at_a
            a = high - _GOLDEN * (high - low)
            at_a = _off(times, a)
        else:
            low, a, at_a = a, b, at_b
            b = low + _GOLDEN * (high - low)
            at_b = _off(times, b)
    return at_a if at_a.off <= at_b.off else at_b

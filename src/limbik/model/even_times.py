"""Times that stand for an even beat: t_k = start + k step, up to rounding.

Files print times in milliseconds or keep them as float32, and a part of a recording begins where it was cut. Such times are even
in meaning, not to the last digit. They count as even where start and step exist that no time is farther from than a bound:

    1 % of the step, or half a millisecond where all times are whole milliseconds and the step is at least 2 ms.

The first moves a body at 10 m/s, 100 frames a second, by 1 mm; the second is what printing took away. Among all steps the
one with the least greatest error is sought, a convex problem in one unknown; a whole number of frames a second, or of frames in
1.001 s (29.97, 59.94), is preferred where it is no worse than rounding makes it.
"""

import math
from typing import NamedTuple

import numpy as np

from limbik.geometry.arrays import Array

# The part of a step by which times may be off the beat.
OFF_BEAT = 0.01
# What times are printed in, and the least step of which that is known to be rounding [s].
PRINTED, LEAST_STEP = 1e-3, 2e-3
# Part of a printed unit by which a number may be off whole units: times in float32 up to ten minutes.
WHOLE_UNIT = 0.05
# Part of a step that is the rounding of float64: such times are even as they are.
EXACT = 1e-9
# How much worse than the best step a round rate may be.
NO_WORSE = 2.0
# Steps of the search for the best step: each leaves 0.62 of the interval.
SEARCHED = 80
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


class Beat(NamedTuple):
    """An even beat: start and step [s], and how far the times are off it at most [s]."""

    start: float
    step: float
    off: float

    def times(self, count: int) -> Array:
        """Return the times of so many frames."""
        out: Array = self.start + np.arange(count, dtype=np.float64) * self.step
        return out


def beat_of(times: Array) -> Beat | None:
    """Return the beat that rising times (frames,) stand for, or None where they are not even. A single time has the step 0."""
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
    if plain.off > 2 * bound + 1e-12:  # no step is that much better than the mean one
        return None
    best = _best(times, mean)
    if best.off > bound:
        return None
    for rate in (float(np.round(1 / best.step)), float(np.round(1.001 / best.step)) / 1.001):
        if rate > 0 and (round_one := _off(times, 1 / rate)).off <= min(bound, NO_WORSE * best.off):
            best = round_one
            break
    first = float(times[0])  # kept, where it is no worse than the bound
    off = float(np.abs(times - Beat(first, best.step, 0.0).times(len(times))).max())
    return Beat(first, best.step, off) if off <= bound else best


def even(times: Array) -> Array | None:
    """Return the even times that some times stand for, the same where they are even already; None where they are not."""
    beat = beat_of(times)
    if beat is None or len(times) < 3:
        return None if beat is None else times
    return times if beat.off <= EXACT * beat.step else beat.times(len(times))


def _printed(times: Array) -> bool:
    units = times / PRINTED
    return bool(np.abs(units - np.round(units)).max() <= WHOLE_UNIT * min(1.0, float(np.diff(units).min())))


def _off(times: Array, step: float) -> Beat:
    """Return the best beat of one step."""
    left = times - np.arange(len(times)) * step
    low, high = float(left.min()), float(left.max())
    return Beat((low + high) / 2, step, (high - low) / 2)


def _best(times: Array, mean: float) -> Beat:
    """Return the beat from which times are least far, by golden sections about the mean step."""
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

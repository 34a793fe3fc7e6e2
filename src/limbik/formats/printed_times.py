"""Printed times of frames, and the evenly spaced times that they approximate."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.even_times import OFF_BEAT, Beat, even

# Decimals with which files print seconds; fewer say too little to tell rounding from a beat that varies.
DECIMALS = (2, 3, 4, 5, 6)
# Part of a printed unit by which a number that was read may be off whole units.
WHOLE_UNIT = 1e-3


def meant_times(times: Array, rate: float | None = None) -> Array:
    """Return the even times that printed ones stand for, or them as they are where they are not even.

    rate: frames a second that the file announces; believed where every time is within half a printed unit of its beat. Repeated
    times, which a coarse unit makes of a fast beat, are even then.
    """
    if len(times) < 2 or not np.isfinite(times).all():
        return times
    if rate is not None and 0 < rate < np.inf and (meant := _announced(times, rate)) is not None:
        return meant
    if not (np.diff(times) > 0).all():
        return times
    found = even(times)
    return times if found is None else found


def _announced(times: Array, rate: float) -> Array | None:
    step = 1.0 / rate
    units = [10.0**-d for d in DECIMALS]
    unit = next((u for u in units if np.abs(times / u - np.round(times / u)).max() <= WHOLE_UNIT), 0.0)
    bound = max(OFF_BEAT * step, 0.5 * unit * (1 + WHOLE_UNIT))
    left = times - np.arange(len(times)) * step
    for start in (float(times[0]), float(left.min() + left.max()) / 2):
        if np.abs(left - start).max() <= bound:
            return Beat(start, step, 0.0).times(len(times))
    return None

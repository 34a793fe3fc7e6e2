"""Printed times of frames, and the evenly spaced times that they approximate."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.even_times import OFF_BEAT, Beat, even

# Decimals of printed seconds. With fewer, rounding and uneven times cannot be distinguished.
DECIMALS = (2, 3, 4, 5, 6)
# The largest deviation of a time from whole printed units, in these units.
WHOLE_UNIT = 1e-3


def meant_times(times: Array, rate: float | None = None) -> Array:
    """Return the evenly spaced times that printed times [s] approximate, or the printed times if they are not even.

    rate: frames per second as declared in the file. It is used if every time agrees with it within half a printed unit. Then
    repeated times, the result of coarse printing of a high rate, count as even, too.
    """
    if len(times) < 2 or not np.isfinite(times).all():
        return times
    if rate is not None and 0 < rate < np.inf and (declared := _at_rate(times, rate)) is not None:
        return declared
    if not (np.diff(times) > 0).all():
        return times
    found = even(times)
    return times if found is None else found


def _at_rate(times: Array, rate: float) -> Array | None:
    """Return even times at a rate [Hz] if all times agree with it up to printing, else None."""
    step = 1.0 / rate
    units = [10.0**-d for d in DECIMALS]
    unit = next((u for u in units if np.abs(times / u - np.round(times / u)).max() <= WHOLE_UNIT), 0.0)
    bound = max(OFF_BEAT * step, 0.5 * unit * (1 + WHOLE_UNIT))
    offsets = times - np.arange(len(times)) * step
    for start in (float(times[0]), float(offsets.min() + offsets.max()) / 2):
        if np.abs(offsets - start).max() <= bound:
            return Beat(start, step, 0.0).times(len(times))
    return None

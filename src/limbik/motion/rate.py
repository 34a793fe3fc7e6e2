"""Frame rates, and the times of frames."""

import math
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number

# The default frame rate [Hz].
DEFAULT_RATE = 30.0
# A last interval shorter than this part of a frame is rounding.
FRAME_ROUNDING = 1e-6


def checked_rate(given: Any) -> float:
    """Return a frame rate [Hz]. Raises BadOption."""
    rate = number(given, "the rate")
    if isinstance(given, bool | np.bool_) or not 0 < rate < np.inf:
        raise BadOption(f"rate={shown(given)}: give a number of frames per second above 0")
    return rate


def frame_times(duration: float, rate: float) -> Array:
    """Return evenly spaced times from 0 to a duration [s], at least `rate` of them per second [Hz]."""
    return np.linspace(0.0, duration, max(math.ceil(duration * rate - FRAME_ROUNDING), 1) + 1)

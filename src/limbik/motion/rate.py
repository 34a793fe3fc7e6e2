"""Frame rates."""

from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number

# The default frame rate [Hz].
DEFAULT_RATE = 30.0


def checked_rate(given: Any) -> float:
    """Return a frame rate [Hz]. Raises BadOption."""
    rate = number(given, "the rate")
    if isinstance(given, bool | np.bool_) or not 0 < rate < np.inf:
        raise BadOption(f"rate={shown(given)}: give a number of frames per second above 0")
    return rate

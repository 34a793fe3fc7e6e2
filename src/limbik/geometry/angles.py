"""Angles and their 2-pi copies."""

import math
from typing import Any

import numpy as np

# A full turn [rad].
TURN = 2 * math.pi


def wrap(angle: Any) -> Any:
    """Return angles wrapped to [-pi, pi] by multiples of 2 pi, (...); those inside are returned bit for bit."""
    return angle - TURN * np.rint(np.asarray(angle) / TURN)


def nearest_copy(angle: Any, near: Any) -> Any:
    """Return the 2-pi copy of each angle that is nearest to `near`, (...)."""
    return angle + TURN * np.rint((np.asarray(near) - angle) / TURN)


def copy_inside(angle: float, near: float, lower: float, upper: float, *, slack: float = 0.0) -> float:
    """Return the 2-pi copy inside [lower - slack, upper + slack] nearest to `near`; if none is inside, the nearest copy."""
    best = angle + TURN * round((near - angle) / TURN)
    if best < lower - slack:
        up = best + TURN * math.ceil((lower - slack - best) / TURN)
        return up if up <= upper + slack else best
    if best > upper + slack:
        down = best - TURN * math.ceil((best - upper - slack) / TURN)
        return down if down >= lower - slack else best
    return best

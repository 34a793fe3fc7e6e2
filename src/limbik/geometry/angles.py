"""Angles and their 2-pi copies."""

import math
from typing import Any

import numpy as np

# A whole turn [rad].
TURN = 2 * math.pi


def wrap(angle: Any) -> Any:
    """Return angles moved by whole turns into [-pi, pi], (...); those inside stay as they are, to the bit."""
    return angle - TURN * np.rint(np.asarray(angle) / TURN)


def nearest_copy(angle: Any, near: Any) -> Any:
    """Return the 2-pi copies of angles that are nearest to other angles, (...)."""
    return angle + TURN * np.rint((np.asarray(near) - angle) / TURN)


def copy_inside(angle: float, near: float, lower: float, upper: float, *, slack: float = 0.0) -> float:
    """Return the 2-pi copy inside [lower - slack, upper + slack] that is nearest to `near`; the nearest copy where none is."""
    best = angle + TURN * round((near - angle) / TURN)
    if best < lower - slack:
        up = best + TURN * math.ceil((lower - slack - best) / TURN)
        return up if up <= upper + slack else best
    if best > upper + slack:
        down = best - TURN * math.ceil((best - upper - slack) / TURN)
        return down if down >= lower - slack else best
    return best

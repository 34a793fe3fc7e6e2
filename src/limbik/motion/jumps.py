"""The discontinuities of a clip, by the frames that follow them."""

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array


def jumps_at(jumps: Iterable[int], old: Array, new: Array) -> tuple[int, ...]:
    """Return the jumps of a clip resampled at other times inside it.

    A jump moves to the first new frame at or after its own. old, new: the times of the frames [s].
    """
    last = len(new) - 1
    found = set()
    for k in jumps:
        near = 1e-9 * (old[k] - old[k - 1])
        at = int(np.searchsorted(new, old[k] - near))
        if at <= last or new[-1] > old[k - 1] + near:  # or the new clip ends between the two frames of the jump
            found.add(min(at, last))
    return tuple(sorted(found - {0}))


def checked_jumps(given: Any, frames: int) -> tuple[int, ...]:
    """Return the frames after jumps, increasing. Raises BadOption."""
    try:
        found = [] if isinstance(given, str | bytes) else [operator.index(k) for k in given]
    except TypeError:
        found = [-1]
    if isinstance(given, str | bytes) or not all(0 < k < frames for k in found):
        raise BadOption(f"jumps={shown(given)}: give the indices of frames after jumps, from 1 to {frames - 1}")
    return tuple(sorted(set(found)))

"""Times for ratios: the CPU time of the process, on which other programs of a busy machine have little influence.

Calls take turns, and the shortest of several passes of each counts, so that what load remains meets all of them alike.
"""

from collections.abc import Callable, Mapping
from time import process_time

import numpy as np

from limbik._core import CellTable
from limbik.geometry.arrays import Array

MICROSECONDS = 1e6
# The number of targets in a timed call: the cost of entering the core is then small beside that of the targets.
ROWS = 1000
PASSES = 15
# The number of targets between two readings of the core's own clock, which runs on while other programs run.
CHUNK = 128


def in_turns(
    calls: Mapping[str, Callable[[], object]], targets: int, passes: int = PASSES, *, warm: bool = True
) -> dict[str, float]:
    """Return the time per target of each call [us]: the shortest of several passes, in which the calls take turns.

    warm: each call is made once more before the one that is timed, so that it finds its data in the cache.
    """
    shortest = dict.fromkeys(calls, np.inf)
    for _ in range(passes):
        for name, call in calls.items():
            if warm:
                call()
            start = process_time()
            call()
            shortest[name] = min(shortest[name], process_time() - start)
    return {name: each / targets * MICROSECONDS for name, each in shortest.items()}


def by_part(table: CellTable, T: Array, v: Array | None) -> Array:
    """Return the time of each part of a look-up per target [us], by the core's clock: of each chunk, the shortest of several
    passes.
    """
    total = np.zeros(len(table.find(T[:1], None if v is None else v[:1])[3]))
    for first in range(0, len(T), CHUNK):
        rows = slice(first, first + CHUNK)
        total += np.min([table.find(T[rows], None if v is None else v[rows])[3] for _ in range(PASSES)], axis=0)
    return np.asarray(total / len(T) * MICROSECONDS)


def repeated(rows: Array, least: int = ROWS) -> Array:
    """Return rows repeated until they are at least `least`: the same targets again, so what they use stays in the cache."""
    return np.concatenate([rows] * max(1, -(-least // len(rows))))

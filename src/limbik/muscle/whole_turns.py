"""2-pi copies of a posture (configuration): they have the same tip pose, but different lengths of muscles on pulleys.

A closed form gives each posture with one 2-pi copy of each joint. If the limits admit several copies and a muscle runs
over a pulley of the joint, each copy has its own length, and perhaps only one is in range.
"""

import itertools
import math

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array
from limbik.muscle.problem import MuscleProblem

# Largest number of copies of one posture, and of turns to either side of an unlimited joint.
COPIES, AROUND = 1024, 2
# Poses that differ by less are equal [1, and m for an arm of up to 1 m; relative to larger arms].
SAME = 1e-9


def whole_turns(problem: MuscleProblem, q: Array) -> tuple[Array, npt.NDArray[np.int64], bool]:
    """Return postures with their copies, (k, n); the row of q that each comes from, (k,); and whether those are all."""
    lower, upper = problem.lower, problem.upper
    free = np.flatnonzero(problem.counted & (upper - lower >= TURN))
    if not len(free) or not len(q):
        return q, np.arange(len(q)), True
    rows: list[Array] = []
    source: list[int] = []
    every = True
    for k, row in enumerate(q):
        choices = [_turns(float(row[j]), float(lower[j]), float(upper[j])) for j in free]
        every = every and all(whole for _, whole in choices)
        copies = list(itertools.islice(itertools.product(*(values for values, _ in choices)), COPIES + 1))
        if len(copies) > COPIES:
            copies, every = copies[:-1], False
        for values in copies:
            copy = row.copy()
            copy[free] = values
            rows.append(copy)
            source.append(k)
    out, origin = np.array(rows), np.array(source, np.int64)
    scale = SAME * max(1.0, problem.model.reach.span if math.isfinite(problem.model.reach.span) else 1.0)
    same = (
        np.abs(problem.model.kernel.forward(out, -1, 0) - problem.model.kernel.forward(q, -1, 0)[origin]).max(
            axis=(1, 2)
        )
        <= scale
    )
    return out[same], origin[same], every


def _turns(x: float, lower: float, upper: float) -> tuple[list[float], bool]:
    """Return the 2-pi copies of an angle inside the limits, the angle itself first, and whether these are all."""
    first = math.ceil((lower - x) / TURN - 1e-12) if math.isfinite(lower) else -math.inf
    last = math.floor((upper - x) / TURN + 1e-12) if math.isfinite(upper) else math.inf
    low = int(max(first, -COPIES)) if math.isfinite(first) else -AROUND
    high = int(min(last, COPIES)) if math.isfinite(last) else AROUND
    others = [min(max(x + TURN * m, lower), upper) for m in range(low, high + 1) if m]
    return [x, *others], low == first and high == last

"""Where a recording leaps: frames that do not belong to the motion around them, such as a T-pose put before it.

From one frame to the next a joint turns by a step. A step is a leap when it is more than LEAP, and more than TIMES as large as
the largest steps before and after it. Fast motion has large steps too, but in a row. What lies between leaps is carried over by
itself: nothing is smoothed or eased across one.
"""

from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array

# A leap is at least this far [rad or m], and so many times the steps around it.
LEAP, TIMES = 0.4, 5.0


def parts(steps: Array, count: int) -> list[slice]:
    """Return the frames between leaps. steps: (frames - 1, joints), how far each joint moves from each frame to the next."""
    largest = steps.max(axis=1, initial=0.0) if steps.size else np.zeros(max(count - 1, 0))
    before = np.concatenate([[0.0], largest[:-1]])
    after = np.concatenate([largest[1:], [0.0]])
    leaps = np.flatnonzero((largest > LEAP) & (largest > TIMES * np.maximum(before, after)))
    edges = [0, *(int(k) + 1 for k in leaps), count]
    return [slice(a, b) for a, b in pairwise(edges)]

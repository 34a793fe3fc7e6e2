"""Divide a recording at its jumps, for example after a leading T-pose.

A joint step between frames is a jump if it is longer than JUMP and more than TIMES as long as the largest steps before and after
it. Fast motion also has long steps, but several in a row. The parts between jumps are retargeted independently, without smoothing
across them.
"""

from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array

# A jump is at least this step [rad or m], and this many times the steps around it.
JUMP, TIMES = 0.4, 5.0


def parts_between_jumps(steps: Array, count: int) -> list[slice]:
    """Return the parts between jumps. steps: (frames - 1, joints) the joint steps between frames."""
    largest = steps.max(axis=1, initial=0.0) if steps.size else np.zeros(max(count - 1, 0))
    before = np.concatenate([[0.0], largest[:-1]])
    after = np.concatenate([largest[1:], [0.0]])
    jumps = np.flatnonzero((largest > JUMP) & (largest > TIMES * np.maximum(before, after)))
    edges = [0, *(int(k) + 1 for k in jumps), count]
    return [slice(a, b) for a, b in pairwise(edges)]

"""The swivel of a limb over time: one angle per frame, inside the joint limits, with the smallest change.

Each frame has feasible ranges of swivels. On a grid of angles, dynamic programming finds the sequence with the smallest sum of
squared changes and a small cost for the distance from the middle of a range; it is then smoothed between the grid angles and
clamped to the ranges.
"""

import numpy as np

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array

# The number of grid angles: five degrees apart.
RING = 72
# The cost of a radian from the middle of the range, relative to a radian of change between frames (both squared).
MIDDLE = 2e-3
# The cost of a change of the branch, at which joints jump.
BRANCH_CHANGE = 1e3
# The cost of infeasible angles, above that of any feasible sequence.
CLOSED = 1e6
# The weight of the second difference of the smoothed swivel, relative to its distance from the grid solution.
STIFF = 50.0

Ranges = list[tuple[float, float]]


def swivel_path(ranges: list[dict[int, Ranges]]) -> tuple[Array, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """Return one unwrapped swivel per frame [rad] and its branch, from the ranges of each branch.

    Frames without a range are interpolated.
    """
    angles: Array = np.arange(RING, dtype=np.float64) * (2 * np.pi / RING) - np.pi
    branches = sorted({branch for of in ranges for branch, some in of.items() if some}) or [0]
    cost = np.stack([np.concatenate([_cost(angles, of, branch) for branch in branches]) for of in ranges])
    turn = np.abs(wrap(angles[:, None] - angles[None])) ** 2
    count = len(branches)
    other = BRANCH_CHANGE * (1 - np.eye(count))
    # The cost of the transitions between all branches and angles: that of the change of the angle, and of the branch.
    transitions = (other[:, None, :, None] + turn[None, :, None, :]).reshape(count * RING, count * RING)
    best = np.empty((len(ranges), count * RING), dtype=np.int64)
    total = cost[0]
    for t in range(1, len(ranges)):
        reached = total[:, None] + transitions
        best[t] = reached.argmin(axis=0)
        total = reached[best[t], np.arange(count * RING)] + cost[t]
    path = np.empty(len(ranges), dtype=np.int64)
    path[-1] = int(total.argmin())
    for t in range(len(ranges) - 1, 0, -1):
        path[t - 1] = best[t, path[t]]
    taken = np.array(branches)[path // RING]
    angle_path = _smooth(np.unwrap(angles[path % RING]))
    return np.array([inside(x, of.get(int(b), [])) for x, of, b in zip(angle_path, ranges, taken, strict=True)]), taken


def _cost(angles: Array, ranges: dict[int, Ranges], branch: int) -> Array:
    if not any(ranges.values()):
        return np.zeros(RING)
    out = np.full(RING, CLOSED)
    for low, high in ranges.get(branch, []):
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        off = (angles - middle + np.pi) % (2 * np.pi) - np.pi
        # A grid angle represents its neighbourhood, so that no range lies between two grid angles.
        within = np.abs(off) <= half + np.pi / RING
        out = np.where(within, np.minimum(out, MIDDLE * off**2), out)
    return out


def _smooth(angle_path: Array) -> Array:
    from scipy.linalg import solveh_banded

    if len(angle_path) < 3:
        return angle_path
    band = np.zeros((3, len(angle_path)))
    band[0] = 1.0
    for k, value in ((0, 1.0), (1, 4.0), (2, 1.0)):
        band[0, k : len(angle_path) - 2 + k] += STIFF * value
    band[1, :-2] -= 2 * STIFF
    band[1, 1:-1] -= 2 * STIFF
    band[2, :-2] += STIFF
    smooth: Array = solveh_banded(band, angle_path, lower=True, check_finite=False)
    return smooth


def inside(angle: float, ranges: Ranges) -> float:
    """Return the nearest angle inside one of the ranges, modulo 2 pi."""
    found, least = angle, np.inf
    for low, high in ranges:
        shift = 2 * np.pi * np.round((angle - 0.5 * (low + high)) / (2 * np.pi))
        # slightly inside, because of rounding at the edge
        edge = 1e-9 * (high - low)
        near = float(np.clip(angle, low + shift + edge, high + shift - edge))
        if abs(near - angle) < least:
            found, least = near, abs(near - angle)
    return found

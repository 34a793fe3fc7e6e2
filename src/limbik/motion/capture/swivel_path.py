"""Where an elbow swings over time: one angle a frame, inside what the joints allow, turning as little as it can.

Each frame has ranges of swivels that keep the limits. Over a ring of angles the way with the least sum of squared turns,
and a little for leaving the middle of a range, is found exactly (dynamic programming, forwards and back); then it is made
smooth between the angles of the ring and put back into the ranges.
"""

import numpy as np

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array

# Angles of the ring: five degrees apart.
RING = 72
# What a radian from the middle of the range costs beside a radian of turn from one frame to the next, squared both.
MIDDLE = 2e-3
# What a change of the branch costs, in which joints leap.
LEAP = 1e3
# Not allowed: more than any way costs.
CLOSED = 1e6
# How stiff the smooth way is: a bend of a radian a frame squared beside a radian from the ring's way.
STIFF = 50.0

Ranges = list[tuple[float, float]]


def swivel_path(ranges: list[dict[int, Ranges]]) -> tuple[Array, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """Return one swivel for each frame [rad, without leaps] and the branch that it is in, from the ranges of each branch.

    Frames without a range take what lies between their neighbours.
    """
    angles: Array = np.arange(RING, dtype=np.float64) * (2 * np.pi / RING) - np.pi
    branches = sorted({branch for of in ranges for branch, some in of.items() if some}) or [0]
    cost = np.stack([np.concatenate([_cost(angles, of, branch) for branch in branches]) for of in ranges])
    turn = np.abs(wrap(angles[:, None] - angles[None])) ** 2
    count = len(branches)
    other = LEAP * (1 - np.eye(count))
    # From each branch and angle to each: the turn, and a leap where the branch is another.
    ways = (other[:, None, :, None] + turn[None, :, None, :]).reshape(count * RING, count * RING)
    best = np.empty((len(ranges), count * RING), dtype=np.int64)
    total = cost[0]
    for t in range(1, len(ranges)):
        arriving = total[:, None] + ways
        best[t] = arriving.argmin(axis=0)
        total = arriving[best[t], np.arange(count * RING)] + cost[t]
    path = np.empty(len(ranges), dtype=np.int64)
    path[-1] = int(total.argmin())
    for t in range(len(ranges) - 1, 0, -1):
        path[t - 1] = best[t, path[t]]
    taken = np.array(branches)[path // RING]
    way = _smooth(np.unwrap(angles[path % RING]))
    return np.array([inside(x, of.get(int(b), [])) for x, of, b in zip(way, ranges, taken, strict=True)]), taken


def _cost(angles: Array, ranges: dict[int, Ranges], branch: int) -> Array:
    if not any(ranges.values()):
        return np.zeros(RING)
    out = np.full(RING, CLOSED)
    for low, high in ranges.get(branch, []):
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        off = (angles - middle + np.pi) % (2 * np.pi) - np.pi
        # An angle of the ring stands for its surroundings, so that no range falls between two.
        within = np.abs(off) <= half + np.pi / RING
        out = np.where(within, np.minimum(out, MIDDLE * off**2), out)
    return out


def _smooth(way: Array) -> Array:
    from scipy.linalg import solveh_banded

    if len(way) < 3:
        return way
    band = np.zeros((3, len(way)))
    band[0] = 1.0
    for k, value in ((0, 1.0), (1, 4.0), (2, 1.0)):
        band[0, k : len(way) - 2 + k] += STIFF * value
    band[1, :-2] -= 2 * STIFF
    band[1, 1:-1] -= 2 * STIFF
    band[2, :-2] += STIFF
    smooth: Array = solveh_banded(band, way, lower=True, check_finite=False)
    return smooth


def inside(angle: float, ranges: Ranges) -> float:
    """Return the nearest angle inside one of the ranges, whole turns apart from them."""
    found, least = angle, np.inf
    for low, high in ranges:
        turns = 2 * np.pi * np.round((angle - 0.5 * (low + high)) / (2 * np.pi))
        # A little inside: at the very edge rounding decides.
        edge = 1e-9 * (high - low)
        near = float(np.clip(angle, low + turns + edge, high + turns - edge))
        if abs(near - angle) < least:
            found, least = near, abs(near - angle)
    return found

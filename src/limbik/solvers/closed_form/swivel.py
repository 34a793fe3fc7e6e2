"""Which swivel: an elbow that may swing has a range of postures in every branch, and these functions choose in it.

A range is an arc of the swivel's circle, exact under the joint limits. A score is looked at on a grid of each arc and then
refined about the best place by golden sections, so its maximum is found where the grid does not pass over a peak.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import Answer, Answers, PostureSolver

# Places of an arc that are looked at first, and sections about the best of them.
GRID, SECTIONS = 17, 40
# Places of each arc that a caller's `valid` is asked about.
SPREAD = 5
# How far inside the ends of an arc it is entered [rad]; the ends themselves are feasible up to rounding.
INSIDE = 1e-9

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def arcs(postures: PostureSolver, T: Any) -> list[tuple[int, float, float]]:
    """Return (branch, low, high) of every feasible range."""
    return [(branch, low, high) for branch, ranges in postures.swivel_ranges(T).items() for low, high in ranges]


def spread_swivels(postures: PostureSolver, T: Any, seed: Any) -> list[Answer]:
    """Return several postures of each feasible range, evenly apart, and those whose elbow points as the seed's does."""
    found = list(postures.solve_all(T, seed))
    for branch, low, high in arcs(postures, T):
        places = np.linspace(low, high, SPREAD + 2)[1:-1]
        found += list(postures.at_swivels(T, seed, [branch] * SPREAD, places.tolist()))
    return found


def best_swivels(postures: PostureSolver, T: Any, seed: Any, score: Callable[[Any], float]) -> Answers:
    """Return, for each feasible range, its posture with the greatest score."""
    branches: list[int] = []
    swivels: list[float] = []
    for branch, low, high in arcs(postures, T):
        inset = min(INSIDE, 0.25 * (high - low))

        def at(swivel: float, branch: int = branch) -> float:
            found = postures.at_swivels(T, seed, [branch], [swivel])
            return score(found[0].q) if len(found) else -math.inf

        grid = np.linspace(low + inset, high - inset, GRID)
        looks = [at(x) for x in grid]
        middle = int(np.argmax(looks))
        best, place = looks[middle], float(grid[middle])
        a, b = float(grid[max(middle - 1, 0)]), float(grid[min(middle + 1, GRID - 1)])
        for _ in range(SECTIONS):
            x1, x2 = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
            one, two = at(x1), at(x2)
            if max(one, two) > best:
                best, place = (one, x1) if one >= two else (two, x2)
            a, b = (a, x2) if one >= two else (x1, b)
        branches.append(branch)
        swivels.append(place)
    return postures.at_swivels(T, seed, branches, swivels) if branches else postures.solve_all(T, seed)

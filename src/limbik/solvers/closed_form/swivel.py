"""The choice of the swivel, for arms with infinitely many postures (configurations) per branch.

The feasible swivels of a branch are arcs of the swivel circle, exact under the joint limits. A score is evaluated on a grid
over each arc and refined between the neighbours of the best grid point by golden-section search. The maximum is found unless it
is a peak narrower than the spacing of the grid.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import Answer, Answers, PostureSolver

# Grid points per arc, and golden-section steps around the best of them.
GRID, SECTIONS = 17, 40
# Samples of each arc for which a caller's `valid` is evaluated.
SPREAD = 5
# Inset of samples from the ends of an arc [rad]; the ends themselves are feasible up to rounding.
INSIDE = 1e-9

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def arcs(postures: PostureSolver, T: Any) -> list[tuple[int, float, float]]:
    """Return (branch, low, high) of every feasible arc [rad]."""
    return [(branch, low, high) for branch, ranges in postures.swivel_ranges(T).items() for low, high in ranges]


def spread_swivels(postures: PostureSolver, T: Any, seed: Any) -> list[Answer]:
    """Return evenly spaced postures of each feasible arc, and those with the swivel of the seed."""
    found = list(postures.solve_all(T, seed))
    for branch, low, high in arcs(postures, T):
        swivels = np.linspace(low, high, SPREAD + 2)[1:-1]
        found += list(postures.at_swivels(T, seed, [branch] * SPREAD, swivels.tolist()))
    return found


def best_swivels(postures: PostureSolver, T: Any, seed: Any, score: Callable[[Any], float]) -> Answers:
    """Return, for each feasible arc, the posture with the greatest score; without an arc, the answer of `solve_all`.

    score: a function of q (n,); the greatest value is the best. seed: (n,) or None, as in `solve_all`.
    """
    branches: list[int] = []
    swivels: list[float] = []
    for branch, low, high in arcs(postures, T):
        inset = min(INSIDE, 0.25 * (high - low))

        def score_at(swivel: float, branch: int = branch) -> float:
            found = postures.at_swivels(T, seed, [branch], [swivel])
            return score(found[0].q) if len(found) else -math.inf

        grid = np.linspace(low + inset, high - inset, GRID)
        scores = [score_at(x) for x in grid]
        k = int(np.argmax(scores))
        best, best_swivel = scores[k], float(grid[k])
        a, b = float(grid[max(k - 1, 0)]), float(grid[min(k + 1, GRID - 1)])
        for _ in range(SECTIONS):
            x1, x2 = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
            score1, score2 = score_at(x1), score_at(x2)
            if max(score1, score2) > best:
                best, best_swivel = (score1, x1) if score1 >= score2 else (score2, x2)
            a, b = (a, x2) if score1 >= score2 else (x1, b)
        branches.append(branch)
        swivels.append(best_swivel)
    return postures.at_swivels(T, seed, branches, swivels) if branches else postures.solve_all(T, seed)

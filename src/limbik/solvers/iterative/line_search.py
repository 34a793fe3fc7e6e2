"""How far to go along a way that leads down: backtracking with Armijo's condition (1966) and a quadratic guess."""

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.iterative.problem import Problem

# A step must bring this part of what the slope promises; steps are cut to between a tenth and a half; at most so many cuts.
PROMISED, SHORTEST, LONGEST, CUTS = 1e-4, 0.1, 0.5, 30
# No step is longer than this [rad, or half spans].
LARGEST_STEP = 2.0


def backtrack(problem: Problem, x: Array, residual: Array, gradient: Array, way: Array) -> tuple[Array, Array] | None:
    """Return (x, residual) after a step along `way` that lowers the value, or None where there is none."""
    slope = float(gradient @ way)
    if not slope < 0:
        return None
    value = float(residual @ residual)
    share = min(1.0, LARGEST_STEP / max(float(np.abs(way).max()), LARGEST_STEP))
    for _ in range(CUTS):
        ahead = x + share * way
        r = problem.residual(ahead)
        found = float(r @ r)
        if found <= value + PROMISED * share * slope:
            return ahead, r
        guess = -slope * share**2 / (2 * (found - value - slope * share)) if np.isfinite(found) else 0.0
        share = min(max(guess, SHORTEST * share), LONGEST * share)
    return None

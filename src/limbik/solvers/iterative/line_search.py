"""How far to go along a way that leads down: far enough to be sure of a lower value, or to the lowest point of the line."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.line_minimum import lowest
from limbik.solvers.iterative.problem import Problem

# A step must bring this part of what the slope promises; steps are cut to between a tenth and a half; at most so many cuts.
PROMISED, SHORTEST, LONGEST, CUTS = 1e-4, 0.1, 0.5, 30
# No step is longer than this [rad, or half spans].
LARGEST_STEP = 2.0
# How well the lowest point of a line is found, relative.
ACCURACY = 1e-3


def backtrack(problem: Problem, x: Array, residual: Array, gradient: Array, way: Array) -> tuple[Array, Array] | None:
    """Return (x, residual) after a step along `way` that lowers the value, or None where there is none.

    Steps are cut, after a parabola, until Armijo's condition (1966) holds.
    """
    slope = float(gradient @ way)
    if not slope < 0:
        return None
    value = float(residual @ residual)
    share = min(1.0, LARGEST_STEP / max(float(np.abs(way).max()), LARGEST_STEP))
    for _ in range(CUTS):
        ahead = x + share * way
        r = problem.residual(ahead)
        found = float(r @ r)
        if found < value and found <= value + PROMISED * share * slope:
            return ahead, r
        guess = -slope * share**2 / (2 * (found - value - slope * share)) if np.isfinite(found) else 0.0
        share = min(max(guess, SHORTEST * share), LONGEST * share)
    return None


def to_minimum(problem: Problem, x: Array, residual: Array, gradient: Array, way: Array) -> tuple[Array, Array] | None:
    """Return (x, residual) near the lowest point along `way`, or None where nothing is lower."""
    slope, largest = float(gradient @ way), float(np.abs(way).max())
    if not slope < 0:
        return None
    value = float(residual @ residual)
    # a parabola with this slope that touches 0 lies lowest here; lines of r'r lie lowest sooner
    first = min(-2.0 * value / slope, LARGEST_STEP / largest)
    seen = {0.0: residual}

    def line(t: float) -> float:
        if t not in seen:
            seen[t] = problem.residual(x + t * way)
        return float(seen[t] @ seen[t])

    for _ in range(CUTS):  # in a narrow valley the lowest point lies much nearer
        found = line(first)
        if found < value:
            break
        guess = -slope * first**2 / (2 * (found - value - slope * first)) if np.isfinite(found) else 0.0
        first = min(max(guess, SHORTEST**2 * first), LONGEST * first)
    else:
        return None
    t, below = lowest(line, value, first, ACCURACY)
    return (x + t * way, seen[t]) if below < value else None

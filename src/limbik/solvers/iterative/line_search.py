"""Line searches along a descent direction: to a sufficient decrease (Armijo), or to the minimum of the line."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.line_minimum import lowest
from limbik.solvers.iterative.problem import Problem

# Armijo's constant; bounds of the factor that reduces a step; largest number of reductions.
ARMIJO, LEAST_FACTOR, MOST_FACTOR, REDUCTIONS = 1e-4, 0.1, 0.5, 30
# Largest step [rad, or half spans].
LARGEST_STEP = 2.0
# Relative accuracy of the minimum of a line.
ACCURACY = 1e-3


def backtrack(
    problem: Problem, x: Array, residual: Array, gradient: Array, direction: Array
) -> tuple[Array, Array] | None:
    """Return (x, residual) after a step along `direction` that lowers the value; None if there is none.

    Steps are reduced by parabolic interpolation until Armijo's condition (1966) holds.
    """
    slope = float(gradient @ direction)
    if not slope < 0:
        return None
    value = float(residual @ residual)
    share = min(1.0, LARGEST_STEP / max(float(np.abs(direction).max()), LARGEST_STEP))
    for _ in range(REDUCTIONS):
        ahead = x + share * direction
        r = problem.residual(ahead)
        found = float(r @ r)
        if found < value and found <= value + ARMIJO * share * slope:
            return ahead, r
        guess = -slope * share**2 / (2 * (found - value - slope * share)) if np.isfinite(found) else 0.0
        share = min(max(guess, LEAST_FACTOR * share), MOST_FACTOR * share)
    return None


def to_minimum(
    problem: Problem, x: Array, residual: Array, gradient: Array, direction: Array
) -> tuple[Array, Array] | None:
    """Return (x, residual) near the minimum along `direction`; None if there is no decrease."""
    slope, largest = float(gradient @ direction), float(np.abs(direction).max())
    if not slope < 0:
        return None
    value = float(residual @ residual)
    # the minimum of the parabola with this slope that touches 0; minima of r'r lie closer
    first = min(-2.0 * value / slope, LARGEST_STEP / largest)
    seen = {0.0: residual}

    def line(t: float) -> float:
        if t not in seen:
            seen[t] = problem.residual(x + t * direction)
        return float(seen[t] @ seen[t])

    for _ in range(REDUCTIONS):  # in a narrow valley the minimum lies much closer
        found = line(first)
        if found < value:
            break
        guess = -slope * first**2 / (2 * (found - value - slope * first)) if np.isfinite(found) else 0.0
        first = min(max(guess, LEAST_FACTOR**2 * first), MOST_FACTOR * first)
    else:
        return None
    t, below = lowest(line, value, first, ACCURACY)
    return (x + t * direction, seen[t]) if below < value else None

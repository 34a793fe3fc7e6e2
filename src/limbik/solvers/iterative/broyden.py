"""Broyden's method (1965) with a line search: a quasi-Newton method that updates the derivative instead of computing it.

B approximates the derivative of r. After a step s that changed r by y, the matrix closest to B that maps s to y is

    B <- B + (y - B s) s'/s's.

A step solves B dx = -r, as in newton.py, and costs one evaluation if the full step is accepted. The slope for the line search
also comes from B. If the search finds no decrease, B is recomputed; if that does not help, the method stops.

The box in Chin's thesis has no line search (broyden_plain.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.linear_step import linear_step
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Broyden(Iterative):
    """Stops below `value` or after `steps`. fresh: B is recomputed at least every so many steps."""

    name = "broyden"
    title = "Broyden's method: quasi-Newton with an updated derivative"

    value: float = 1e-22
    steps: int = 200
    fresh: int = 25

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        r = problem.residual(x)
        B, age = np.zeros((0, 0)), self.fresh
        for _ in range(self.steps):
            if not self.value < r @ r < np.inf:
                return
            found = None
            if age < self.fresh:
                found = backtrack(problem, x, r, 2.0 * r @ B, linear_step(B, r))
            if found is None:
                B, age = problem.jacobian(x, r), 0
                found = backtrack(problem, x, r, 2.0 * r @ B, linear_step(B, r))
            if found is None:
                return
            ahead, r_ahead = found
            s, y = ahead - x, r_ahead - r
            x, r = ahead, r_ahead
            yield x
            B, age = B + np.outer(y - B @ s, s) / (s @ s), age + 1

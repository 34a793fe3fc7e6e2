"""Broyden's method (1965) with a line search: Newton's, with a derivative that is kept up to date instead of computed.

B stands for the derivative of r. After a step s that changed r by y, the matrix nearest to B that maps s to y is

    B <- B + (y - B s) s'/s's.

A step is B dx = -r, as in newton.py, and costs one evaluation when no cut is needed. The slope that the line search believes in
comes from B too; where it finds nothing lower, B is computed afresh, and where that does not help, the method ends.

The thesis' box has no line search (broyden_plain.py).
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
    """When it ends: a value this small, or so many steps. fresh: B is computed again at least this often [steps]."""

    name = "broyden"
    title = "Broyden's method: Newton's with a derivative kept up to date"

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

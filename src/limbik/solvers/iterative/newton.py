"""Newton's method for r(x) = 0, with a line search.

With J the derivative of r, the step J dx = -r makes the linear model zero. It is a descent direction of f = r'r, because the
slope of f along it is 2 r'J dx = -2 f. A backtracking line search (Armijo's condition) ensures the decrease. Near a regular
solution full steps are taken and the number of correct digits doubles with each. If J is not square, least squares are used
(Gauss-Newton), with the step of least norm for redundant joints.

Errata of the box "Newton's Method" in Chin's thesis: q_k = q_(k+1) + dq has the indices reversed, and the sums run to n, not to
3. Its table 6.2 counts the evaluations for finite differences: one for the start, then n + 1 per step; 22 = 1 + 3 (6 + 1).
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
class Newton(Iterative):
    """Stops below `value` or after `steps`."""

    name = "newton"
    title = "Newton's method with LU and a line search"

    value: float = 1e-22
    steps: int = 100

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        r = problem.residual(x)
        for _ in range(self.steps):
            if not self.value < r @ r < np.inf:
                return
            J = problem.jacobian(x, r)
            found = backtrack(problem, x, r, 2.0 * r @ J, linear_step(J, r))
            if found is None:
                return
            x, r = found
            yield x

"""Newton's method by the pseudoinverse, as in the box of Chin's thesis: x <- x - J+ r, no line search.

J+ gives the least-squares step of least norm, for a J of any shape or rank. Near singularities the steps become very large
(Maciejewski 1990), so singular values below `rank` times the largest count as zero, and steps are limited to `bound`. A decrease
of the value is not enforced.

The thesis says that this needs at least 200 steps on its chain with three joints and takes LU and a line search instead
(newton.py). With J in the frame of the residual it needs a handful, with and without the bound. (5.28)-(5.30) give J in the base
frame for residuals in the tip frame; so printed, it does not converge.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class NewtonPinv(Iterative):
    """Stops below `value` or after `steps`. bound: the largest component of a step [rad, or half spans].

    rank: singular values below this part of the largest count as zero.
    """

    name = "newton_pinv"
    title = "Newton's method by the pseudoinverse, full steps"

    value: float = 1e-22
    steps: int = 200
    bound: float = 0.5
    rank: float = 1e-6

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        r = problem.residual(x)
        for _ in range(self.steps):
            if not self.value < r @ r < np.inf:
                return
            dx = -np.linalg.pinv(problem.jacobian(x, r), rcond=self.rank) @ r
            largest = float(np.abs(dx).max())
            if not 0 < largest < np.inf:
                return
            x = x + min(1.0, self.bound / largest) * dx
            r = problem.residual(x)
            yield x

"""The Jacobian transposed in place of its inverse (Balestrino et al. 1984, Wolovich and Elliott 1984; the step of Buss 2004).

With e the pose error, J'e is the descent direction of |e|^2 / 2. No matrix is inverted, so singularities do no harm. A joint step
a J'e moves the tip by a JJ'e to first order; the step length that minimises the remaining error is

    a = e'JJ'e / |JJ'e|^2.

It is steepest descent with a good guess of the step length. Slow directions shrink at a rate set by the square of the condition
number, so final convergence needs hundreds of steps if an arm is long and its wrist is short.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Transpose(Iterative):
    """Stops below `value` or `step`, or after `steps`. bound: the largest step of a number of x.

    Also stops after `patience` steps in which the least value fell by less than the share `progress`.
    """

    name = "transpose"
    title = "Jacobian transpose with the step length of Buss"
    # the rate of convergence depends on the square of the condition number: 1000 steps are often too few
    exact = False

    value: float = 1e-20
    step: float = 1e-13
    steps: int = 1000
    bound: float = 0.5
    progress: float = 1e-2
    patience: int = 40

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        least, since = np.inf, 0
        for _ in range(self.steps):
            r = problem.residual(x)
            value = float(r @ r)
            since += 1
            if value < (1.0 - self.progress) * least:
                least, since = value, 0
            if value <= self.value or since > self.patience:
                return
            J = problem.jacobian(x, r)
            direction = -J.T @ r
            moved = J @ direction
            square = float(moved @ moved)
            if square == 0.0:
                return
            direction *= -float(r @ moved) / square
            largest = float(np.abs(direction).max())
            if largest <= self.step:
                return
            x = x + direction * min(1.0, self.bound / largest)
            yield x

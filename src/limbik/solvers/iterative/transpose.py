"""The Jacobian transposed in place of its inverse (Balestrino et al. 1984, Wolovich and Elliott 1984; the step of Buss 2004).

With e what is missing, J'e points down the slope of |e|^2 / 2, so that no matrix is inverted and no singularity is felt. A
joint step a J'e moves the hand by a JJ'e to first order; the length that leaves least of e is

    a = e'JJ'e / |JJ'e|^2.

It is steepest descent with a good guess of the length: the slow directions shrink by a share that the square of the
condition number sets, so that the last digits need hundreds of steps where an arm is long and its wrist is short.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Transpose(Iterative):
    """When it ends: a value this small, a step this small, or so many steps. bound: no number moves farther in a step.

    It gives up after `patience` steps in which the least value fell by less than the share `progress`.
    """

    name = "transpose"
    title = "Jacobian transpose with the step length of Buss"
    # the share of the error that a step leaves is set by the square of the condition number: 1000 steps are often too few
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
            way = -J.T @ r
            moved = J @ way
            square = float(moved @ moved)
            if square == 0.0:
                return
            way *= -float(r @ moved) / square
            largest = float(np.abs(way).max())
            if largest <= self.step:
                return
            x = x + way * min(1.0, self.bound / largest)
            yield x

"""Broyden's method as in the box of Chin's thesis: the inverse is updated, and every step is a full step.

A approximates the inverse of the derivative. With s the last step and y the change of r that it made,

    A <- A + (s - A y) s'A / s'A y        (Sherman and Morrison),        s <- -A r.

The box has C = p I + (s + z) s' with z = -A y and p = -s'z, which is equivalent and correct. A starts as the pseudoinverse, so J
need not be square. Steps are unbounded: on the thesis' own trajectory with residual 200 the method diverges (table 6.3: FAIL).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem

# Singular values below this part of the largest count as zero in the first inverse.
RANK = 1e-9


@dataclass(frozen=True)
class BroydenPlain(Iterative):
    """Stops below `value` or `step`, or after `steps`. far: a longer step ends the attempt [rad, or half spans]."""

    name = "broyden_plain"
    title = "Broyden's method with full steps, as in Chin's thesis"
    # steps are unbounded: about 1 nearby start in 500 diverges, where the arm is nearly singular
    exact = False

    value: float = 1e-22
    step: float = 1e-15
    steps: int = 100
    far: float = 1e6

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        r = problem.residual(x)
        if not self.value < r @ r < np.inf:
            return
        A = np.linalg.pinv(problem.jacobian(x, r), rcond=RANK)
        for _ in range(self.steps):
            s = -A @ r
            if not np.abs(s).max() < self.far:
                return
            x = x + s
            before, r = r, problem.residual(x)
            yield x
            if r @ r <= self.value or np.abs(s).max() <= self.step:
                return
            change = A @ (r - before)
            p = float(s @ change)
            if p == 0.0:
                return
            A = A + np.outer(s - change, s @ A) / p

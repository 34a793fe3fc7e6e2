"""Broyden's method as the thesis' box has it: the inverse is kept up to date, and every step is taken whole.

A stands for the inverse of the derivative. With s the last step and y the change of r that it made,

    A <- A + (s - A y) s'A / s'A y        (Sherman and Morrison),        s <- -A r.

The box, which has C = p I + (s + z) s' with z = -A y and p = -s'z, is this and is right. The pseudoinverse starts A, so that J
need not be square. Nothing bounds a step: on the thesis' own trajectory with residual 200 it loses its way (table 6.3: FAIL).
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
    """When it ends: a value or a step this small, or so many steps. far: a step this long is given up [rad, or half spans]."""

    name = "broyden_plain"
    title = "Broyden's method with whole steps, as in Chin's thesis"
    # nothing bounds its steps: about 1 start in 500 nearby, where the arm is nearly singular, is lost
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

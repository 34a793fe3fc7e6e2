"""DFP: the first quasi-Newton method (Davidon 1959, Fletcher and Powell 1963).

It minimises f = r'r; H approximates the inverse Hessian. With s a step and y the change of the gradient that it made,

    H <- H + s s'/s'y - H y y'H / y'H y,

the dual of BFGS, which updates the inverse of H by the same formula with s and y exchanged. With exact line searches both take
the same steps; with inexact ones DFP recovers slowly from an H that is too small. Here each line search goes to the minimum.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.line_search import to_minimum
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.quasi_newton import QuasiNewton, descend


def update(H: Array, s: Array, y: Array) -> Array:
    """Return H after a step s that changed the gradient by y, y's > 0."""
    w = H @ y
    return np.asarray(H + np.outer(s, s) / (s @ y) - np.outer(w, w) / (y @ w))


@dataclass(frozen=True)
class Dfp(QuasiNewton):
    """Davidon-Fletcher-Powell: the first quasi-Newton method."""

    name = "dfp"
    title = "Davidon-Fletcher-Powell: the first quasi-Newton method"

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, update, to_minimum)

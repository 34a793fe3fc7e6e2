"""BFGS: a quasi-Newton method that builds the inverse Hessian from gradients (Broyden, Fletcher, Goldfarb, Shanno 1970).

Minimises f = r'r. H approximates the inverse Hessian. A step is a line search along -H g; with s the step and
y the change of the gradient,

    H <- (I - s y'/y's) H (I - y s'/y's) + s s'/y's,

the symmetric update closest to H that maps y to s. Near a solution it converges superlinearly without solving a linear system.

Erratum. Step 5 of the box "BFGS" in Chin's thesis prints dg' H g where dg' H dg is meant.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.quasi_newton import QuasiNewton, descend


def update(H: Array, s: Array, y: Array) -> Array:
    """Return H after a step s that changed the gradient by y, y's > 0."""
    ys = float(y @ s)
    V = np.eye(len(s)) - np.outer(s, y) / ys
    return np.asarray(V @ H @ V.T + np.outer(s, s) / ys)


@dataclass(frozen=True)
class Bfgs(QuasiNewton):
    """Broyden-Fletcher-Goldfarb-Shanno: quasi-Newton with a line search."""

    name = "bfgs"
    title = "Broyden-Fletcher-Goldfarb-Shanno: quasi-Newton with a line search"

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, update)

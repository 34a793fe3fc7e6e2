"""Fletcher's method (1970): a switch between BFGS and DFP, without exact line searches.

With s a step and y the change of the gradient, BFGS makes H larger along the step than DFP does. Where y's >= y'H y the inverse
Hessian is too small and BFGS is used; else DFP, which makes it smaller. H thus stays close to the true inverse Hessian, and a
line search that only ensures a decrease is sufficient. The least value is known to be 0, so no step is longer than 2 f / |slope|,
the minimum of the parabola with this slope that touches 0.

Errata of the box in Chin's thesis. Step 3, the line search, is blank. With c1 = 1/s'y and c2 = 1/y'Hy, both positive, v = s and
w = H y, the BFGS branch is H - c1 v w' - c1 w v' + (1 + c1/c2) c1 v v': the box prints c2 before w v' and gives c2 the sign of
the other branch. The DFP branch is H + c1 v v' - c2 w w'; the box leaves out the prime. The box tests the gradient alone, after
n steps or more; here the value is tested too, since its least value is known. The thesis' FLETCHER used 100 evaluations at
every step of its trajectory, which is its bound, so it had not converged.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative import bfgs, dfp
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.quasi_newton import QuasiNewton, descend


def update(H: Array, s: Array, y: Array) -> Array:
    """Return H after a step s that changed the gradient by y, y's > 0."""
    return bfgs.update(H, s, y) if s @ y >= y @ H @ y else dfp.update(H, s, y)


def _search(problem: Problem, x: Array, r: Array, g: Array, direction: Array) -> tuple[Array, Array] | None:
    share = min(1.0, 2.0 * float(r @ r) / -float(g @ direction))
    return backtrack(problem, x, r, g, share * direction)


@dataclass(frozen=True)
class Fletcher(QuasiNewton):
    """Fletcher's switch between DFP and BFGS."""

    name = "fletcher"
    title = "Fletcher's switch between DFP and BFGS"

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, update, _search)

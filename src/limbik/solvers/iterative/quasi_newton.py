"""The common part of the quasi-Newton methods: direction -H g, line search, update of the inverse Hessian estimate H.

They minimise f = r'r and differ in the update of H from a step s and the change y of the gradient: bfgs.py, dfp.py, fletcher.py.
A step with y's <= 0 (negative curvature) does not update H. If its predicted decrease is also negligible compared to f (a correct
H predicts 2 f), H is doubled, so that the method does not stall. H therefore stays positive definite and every direction is a
descent direction; if rounding destroys that, H restarts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.problem import Problem

# y's must be above this part of |y| |s| to be more than rounding.
CURVED = 1e-14
# Factor of H at negative curvature, and the part of f below which a predicted decrease is negligible.
ENLARGED, NEGLIGIBLE = 2.0, 1e-2

# (H, s, y) -> H
Update = Callable[[Array, Array, Array], Array]
# (x, residual, gradient, direction) -> (x, residual), or None if no step lowers the value
Search = Callable[[Problem, Array, Array, Array, Array], tuple[Array, Array] | None]


@dataclass(frozen=True)
class QuasiNewton(Iterative):
    """Stops below `value` or `gradient`, or after `steps`."""

    value: float = 1e-20
    gradient: float = 1e-14
    steps: int = 200


def descend(
    problem: Problem, x: Array, settings: QuasiNewton, update: Update, search: Search = backtrack
) -> Iterator[Array]:
    """Yield x after every step."""
    H = np.eye(problem.n)
    r = problem.residual(x)
    g = problem.gradient(x, r)
    for _ in range(settings.steps):
        if r @ r <= settings.value or np.abs(g).max() <= settings.gradient:
            return
        direction = -H @ g
        if direction @ g >= 0:  # rounding has made H indefinite
            H, direction = np.eye(problem.n), -g
        found = search(problem, x, r, g, direction)
        if found is None:
            return
        ahead, r = found
        g_ahead = problem.gradient(ahead, r)
        s, y = ahead - x, g_ahead - g
        x, g_last, g = ahead, g, g_ahead
        yield x
        if float(y @ s) > CURVED * np.linalg.norm(y) * np.linalg.norm(s):
            H = update(H, s, y)
        elif -(g_last @ direction) < NEGLIGIBLE * (r @ r):
            H = ENLARGED * H

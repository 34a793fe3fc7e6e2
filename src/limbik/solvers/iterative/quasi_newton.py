"""What the quasi-Newton methods share: a way -H g, a line search, and an update of H, the inverse Hessian as far as it is known.

They minimise f = r'r and differ in how they learn H from a step s and the change y of the gradient that it made: bfgs.py,
dfp.py, fletcher.py. A step with y's <= 0, where f bends down, says nothing about a minimum and is not learnt from; H is doubled
where it also promises next to nothing of f (a right H promises 2 f), or the method would creep on with the same H. So H stays
positive definite and every way leads down; where rounding has spoilt that, H starts again.
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
# What H is multiplied by where f bends down and a step promises less than this part of f.
LONGER, TIMID = 2.0, 1e-2

# (H, s, y) -> H
Update = Callable[[Array, Array, Array], Array]
# (x, residual, gradient, way) -> (x, residual), or None where nothing is lower
Search = Callable[[Problem, Array, Array, Array, Array], tuple[Array, Array] | None]


@dataclass(frozen=True)
class QuasiNewton(Iterative):
    """When it ends: a value this small, a gradient this small, or so many steps."""

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
        way = -H @ g
        if way @ g >= 0:  # rounding has spoilt H
            H, way = np.eye(problem.n), -g
        found = search(problem, x, r, g, way)
        if found is None:
            return
        ahead, r = found
        g_ahead = problem.gradient(ahead, r)
        s, y = ahead - x, g_ahead - g
        x, g_last, g = ahead, g, g_ahead
        yield x
        if float(y @ s) > CURVED * np.linalg.norm(y) * np.linalg.norm(s):
            H = update(H, s, y)
        elif -(g_last @ way) < TIMID * (r @ r):
            H = LONGER * H

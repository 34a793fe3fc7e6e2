"""Conjugate gradients for f = r'r: every way is the way down, bent by the last one (Hestenes and Stiefel 1952).

    d <- -g + beta d,

with beta so chosen that on a quadratic the ways are conjugate, and n exact line searches end at its minimum. The two choices are
frprm.py and fletcher_reeves.py. f is no quadratic, so after n steps, and where d leads nowhere lower, d starts again with -g. The
curvature of r'r is J'J, whose condition is that of J squared: near a singular posture the method creeps.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_search import to_minimum
from limbik.solvers.iterative.problem import Problem

# (new gradient, last gradient) -> beta
Beta = Callable[[Array, Array], float]


@dataclass(frozen=True)
class ConjugateGradients(Iterative):
    """When it ends: a value or a gradient this small, or so many steps. restart: every n steps the way is plain again."""

    value: float = 1e-20
    gradient: float = 1e-14
    steps: int = 500
    restart: bool = True


def descend(problem: Problem, x: Array, settings: ConjugateGradients, beta: Beta) -> Iterator[Array]:
    """Yield x after every step."""
    r = problem.residual(x)
    g = problem.gradient(x, r)
    way = -g
    for count in range(settings.steps):
        if r @ r <= settings.value or np.abs(g).max() <= settings.gradient:
            return
        found = to_minimum(problem, x, r, g, way) or to_minimum(problem, x, r, g, -g)
        if found is None:
            return
        x, r = found
        yield x
        before, g = g, problem.gradient(x, r)
        plain = settings.restart and (count + 1) % problem.n == 0
        way = -g if plain else -g + beta(g, before) * way

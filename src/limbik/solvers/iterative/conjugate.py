"""Conjugate gradients for f = r'r: each direction combines the negative gradient with the last one (Hestenes, Stiefel 1952).

    d <- -g + beta d,

beta is chosen so that on a quadratic the directions are conjugate, and n exact line searches reach the minimum. frprm.py and
fletcher_reeves.py have two choices of beta. f is not quadratic, so d restarts with -g after n steps and where d is no descent
direction. The curvature of r'r is J'J, with the squared condition number of J: near singularities the method is slow.
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
    """Stops below `value` or `gradient`, or after `steps`. restart: restart with -g every n steps."""

    value: float = 1e-20
    gradient: float = 1e-14
    steps: int = 500
    restart: bool = True


def descend(problem: Problem, x: Array, settings: ConjugateGradients, beta: Beta) -> Iterator[Array]:
    """Yield x after every step."""
    r = problem.residual(x)
    g = problem.gradient(x, r)
    direction = -g
    for count in range(settings.steps):
        if r @ r <= settings.value or np.abs(g).max() <= settings.gradient:
            return
        found = to_minimum(problem, x, r, g, direction) or to_minimum(problem, x, r, g, -g)
        if found is None:
            return
        x, r = found
        yield x
        before, g = g, problem.gradient(x, r)
        plain = settings.restart and (count + 1) % problem.n == 0
        direction = -g if plain else -g + beta(g, before) * direction

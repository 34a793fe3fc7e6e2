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
from limbik.solvers.iterative.problem import Problem

# Singular values below this part of the largest count as zero in the first inverse.
RANK = 1e-9


@dataclass(frozen=True)
class Settings:
    """When it ends: a value or a step this small, or so many steps. far: a step this long is given up [rad, or half spans]."""

    value: float = 1e-22
    step: float = 1e-15
    steps: int = 100
    far: float = 1e6


SETTINGS = Settings()


def steps(problem: Problem, x: Array, settings: Settings) -> Iterator[Array]:
    """Yield x after every step."""
    r = problem.residual(x)
    if not settings.value < r @ r < np.inf:
        return
    A = np.linalg.pinv(problem.jacobian(x, r), rcond=RANK)
    for _ in range(settings.steps):
        s = -A @ r
        if not np.abs(s).max() < settings.far:
            return
        x = x + s
        before, r = r, problem.residual(x)
        yield x
        if r @ r <= settings.value or np.abs(s).max() <= settings.step:
            return
        change = A @ (r - before)
        p = float(s @ change)
        if p == 0.0:
            return
        A = A + np.outer(s - change, s @ A) / p

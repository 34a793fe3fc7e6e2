"""Steepest descent (Cauchy 1847): repeated line minimisation along -g.

Consecutive directions are perpendicular, so it zigzags down a valley: a step leaves ((c - 1)/(c + 1))^2 of the value, where
c is the condition number of J'J, often a million. It is the baseline for the other methods.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.conjugate import ConjugateGradients, descend
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Steepest(ConjugateGradients):
    """Steepest descent."""

    name = "steepest"
    title = "steepest descent"
    # it zigzags: two in five nearby starts miss the tolerance after 300 steps
    exact = False

    steps: int = 300  # convergence is slow: more steps do not pay

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, lambda new, last: 0.0)

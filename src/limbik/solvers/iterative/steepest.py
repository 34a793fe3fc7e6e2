"""Steepest descent (Cauchy 1847): along -g to the lowest point of the line, again and again.

Each way is at right angles to the last, so that it zigzags down a valley: a step leaves ((c - 1)/(c + 1))^2 of the value, where
c is the condition of J'J, easily a million. The others are measured against it.
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
    # it zigzags: two in five starts nearby are short of the tolerance after 300 steps
    exact = False

    steps: int = 300  # it creeps: more are not worth their time

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, lambda new, last: 0.0)

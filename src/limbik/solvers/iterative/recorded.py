"""The iterates of a library routine, recorded with the evaluation counts at each.

The routine works only on the numbers that can move: a joint with equal limits is held.
"""

from collections.abc import Iterator

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem


class Recorded:
    """The recorded iterates of a routine that runs without interruption."""

    def __init__(self, problem: Problem, start: Array) -> None:
        self.problem = problem
        self._start = problem.inside(start)
        self.moving = problem.lower < problem.upper
        self.start = self._start[self.moving]
        self.lower, self.upper = problem.lower[self.moving], problem.upper[self.moving]
        self.kept: list[tuple[Array, int, int]] = []

    def whole(self, part: Array) -> Array:
        """Return all numbers, inside the limits, from those that move."""
        full = np.array(self._start)
        full[self.moving] = part
        return self.problem.inside(full)

    def keep(self, x: Array) -> None:
        """Store an iterate and the counts up to it."""
        self.kept.append((x.copy(), self.problem.evaluations, self.problem.jacobians))

    def iterates(self, first: int = 0) -> Iterator[Array]:
        """Yield the iterates from number `first` on; the problem's counts are set to those at each iterate."""
        for x, evaluations, jacobians in self.kept[first:]:
            self.problem.evaluations, self.problem.jacobians = evaluations, jacobians
            yield x

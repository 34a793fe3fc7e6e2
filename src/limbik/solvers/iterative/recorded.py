"""A routine of a library, told step by step: its iterates are kept as they come, with the counts of the moment.

The routine sees the numbers that can move and no others: a joint whose limits meet is left where it is.
"""

from collections.abc import Iterator

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem


class Recorded:
    """The iterates of a routine that runs in one go."""

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
        """Keep an iterate, and how much had been computed by then."""
        self.kept.append((x.copy(), self.problem.evaluations, self.problem.jacobians))

    def told(self, first: int = 0) -> Iterator[Array]:
        """Yield the iterates from the first wanted; the problem's counts are those of the moment each was made."""
        for x, evaluations, jacobians in self.kept[first:]:
            self.problem.evaluations, self.problem.jacobians = evaluations, jacobians
            yield x

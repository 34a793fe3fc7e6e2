"""A routine of a library, told step by step: its iterates are kept as they come, with the counts of the moment."""

from collections.abc import Iterator

from limbik.model.transform import Array
from limbik.solvers.iterative.problem import Problem


class Recorded:
    """The iterates of a routine that runs in one go."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.kept: list[tuple[Array, int, int]] = []

    def keep(self, x: Array) -> None:
        """Keep an iterate, and how much had been computed by then."""
        self.kept.append((x.copy(), self.problem.evaluations, self.problem.jacobians))

    def told(self, first: int = 0) -> Iterator[Array]:
        """Yield the iterates from the first wanted; the problem's counts are those of the moment each was made."""
        for x, evaluations, jacobians in self.kept[first:]:
            self.problem.evaluations, self.problem.jacobians = evaluations, jacobians
            yield x

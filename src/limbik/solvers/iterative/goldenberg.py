"""A modified Newton method that reduces its step at the limits (Goldenberg, Benhabib and Fenton 1985).

The residual r is the difference between the hand's frame and the target's; each step solves J dx = -r in the sense of least
squares, and
    1. joints at a limit that dx would push through are taken out, and dx is solved again with those that are left;
    2. dx is cut so that the next joint just meets its limit;
    3. dx is cut further until |r| falls, the modification of Newton's method.
Without 1 and 2 it is the method of Goldenberg and Lawrence (1985), which knows no limits. It may stop in a corner: a joint
that was taken out comes back only when the others ask for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.problem import Problem


def _newton(problem: Problem, x: Array, J: Array, r: Array, settings: "Goldenberg") -> Array:
    """Return the step over the joints that may take it."""
    free = np.ones(problem.n, bool)
    way = np.zeros(problem.n)
    for _ in range(problem.n):
        way[:] = 0.0
        if not free.any():
            break
        way[free] = -np.linalg.pinv(J[:, free], rcond=settings.negligible) @ r
        through = ((way < 0) & (x <= problem.lower + settings.touching)) | (
            (way > 0) & (x >= problem.upper - settings.touching)
        )
        if not through.any():
            break
        free &= ~through
    way[~free] = 0.0
    return way


def _room(problem: Problem, x: Array, way: Array) -> float:
    """Return the share of a step after which the first joint meets its limit, at most 1."""
    ahead = np.where(way > 0, problem.upper - x, problem.lower - x)
    shares = np.divide(ahead, way, out=np.full(problem.n, np.inf), where=way != 0)
    return float(min(1.0, shares.min()))


@dataclass(frozen=True)
class Goldenberg(Iterative):
    """When it ends: a value this small, a step this small, or so many steps.

    It gives up after `patience` steps in a row that each lower the value by less than the share `progress`.
    negligible: singular values below this share of the greatest count as 0. touching: a joint this near its limit is at it.
    """

    name = "goldenberg"
    title = "modified Newton with step reduction at the limits"

    value: float = 1e-20
    step: float = 1e-14
    steps: int = 200
    negligible: float = 1e-7
    touching: float = 1e-12
    progress: float = 1e-3
    patience: int = 12

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        x = problem.inside(x)
        r = problem.residual(x)
        slow = 0
        for _ in range(self.steps):
            value = float(r @ r)
            if value <= self.value or slow >= self.patience:
                return
            J = problem.jacobian(x, r)
            way = _newton(problem, x, J, r, self)
            way *= _room(problem, x, way)
            if float(np.abs(way).max()) <= self.step:
                return
            found = backtrack(problem, x, r, 2.0 * r @ J, way)
            if found is None:
                return
            x, r = problem.inside(found[0]), found[1]
            slow = slow + 1 if r @ r > (1.0 - self.progress) * value else 0
            yield x

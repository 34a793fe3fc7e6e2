"""A modified Newton method that reduces its step at the limits (Goldenberg, Benhabib and Fenton 1985).

The residual r is the difference between the tip's frame and the target's; each step solves J dx = -r in the sense of least
squares, and
    1. joints at a limit that dx would violate are removed, and dx is solved again for the remaining joints;
    2. dx is shortened so that the next joint just reaches its limit;
    3. dx is shortened further until |r| decreases, the modification of Newton's method.
Without 1 and 2 it is the method of Goldenberg and Lawrence (1985), which ignores limits. It may stall at several active limits:
a removed joint returns only if the step of the others requires it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.problem import Problem


def _newton(problem: Problem, x: Array, J: Array, r: Array, settings: "Goldenberg") -> Array:
    """Return the step of the joints that are not at an active limit."""
    free = np.ones(problem.n, bool)
    direction = np.zeros(problem.n)
    for _ in range(problem.n):
        direction[:] = 0.0
        if not free.any():
            break
        direction[free] = -np.linalg.pinv(J[:, free], rcond=settings.negligible) @ r
        through = ((direction < 0) & (x <= problem.lower + settings.touching)) | (
            (direction > 0) & (x >= problem.upper - settings.touching)
        )
        if not through.any():
            break
        free &= ~through
    direction[~free] = 0.0
    return direction


def _room(problem: Problem, x: Array, direction: Array) -> float:
    """Return the share of a step at which the first joint reaches its limit, at most 1."""
    ahead = np.where(direction > 0, problem.upper - x, problem.lower - x)
    shares = np.divide(ahead, direction, out=np.full(problem.n, np.inf), where=direction != 0)
    return float(min(1.0, shares.min()))


@dataclass(frozen=True)
class Goldenberg(Iterative):
    """Stops below `value` or `step`, or after `steps`.

    Also stops after `patience` consecutive steps that each lower the value by less than the share `progress`. negligible:
    singular values below this share of the greatest count as 0. touching: distance at which a joint counts as at its limit.
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
            direction = _newton(problem, x, J, r, self)
            direction *= _room(problem, x, direction)
            if float(np.abs(direction).max()) <= self.step:
                return
            found = backtrack(problem, x, r, 2.0 * r @ J, direction)
            if found is None:
                return
            x, r = problem.inside(found[0]), found[1]
            slow = slow + 1 if r @ r > (1.0 - self.progress) * value else 0
            yield x

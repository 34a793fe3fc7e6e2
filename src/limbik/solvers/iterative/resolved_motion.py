"""The common loop of methods that invert the Jacobian: a step from the residual, bounded and repeated to convergence."""

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem


class StoppingCriteria(Protocol):
    """Stops below `value` or `step`, or after `steps`. bound: the largest step of a number of x."""

    @property
    def value(self) -> float: ...
    @property
    def step(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def bound(self) -> float: ...


def bounded_steps(
    problem: Problem, x: Array, settings: StoppingCriteria, step_of: Callable[[Array, Array], Array]
) -> Iterator[Array]:
    """Yield x after every step; step_of(J, r) is the method's step for a Jacobian and a residual."""
    for _ in range(settings.steps):
        r = problem.residual(x)
        if r @ r <= settings.value:
            return
        direction = step_of(problem.jacobian(x, r), r)
        largest = float(np.abs(direction).max())
        if largest <= settings.step:
            return
        x = x + direction * min(1.0, settings.bound / largest)
        yield x

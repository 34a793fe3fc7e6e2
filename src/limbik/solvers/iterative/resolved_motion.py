"""What methods that invert the Jacobian share: a way is found from what is missing, bounded, and gone, until there is none."""

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem


class Ending(Protocol):
    """When it ends: a value this small, a step this small, or so many steps. bound: no number moves farther in a step."""

    @property
    def value(self) -> float: ...
    @property
    def step(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def bound(self) -> float: ...


def go(problem: Problem, x: Array, settings: Ending, way_of: Callable[[Array, Array], Array]) -> Iterator[Array]:
    """Yield x after every step; way_of(J, r) is the step that a method takes for a Jacobian and a residual."""
    for _ in range(settings.steps):
        r = problem.residual(x)
        if r @ r <= settings.value:
            return
        way = way_of(problem.jacobian(x, r), r)
        largest = float(np.abs(way).max())
        if largest <= settings.step:
            return
        x = x + way * min(1.0, settings.bound / largest)
        yield x

"""A toy iterative method, in one file: Newton steps by the pseudoinverse, with a bounded step."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik import methods


@dataclass(frozen=True)
class ToyNewton(methods.Iterative):
    """largest: bound of each component of a step [rad, or relative to half the span]. count: the number of steps."""

    name = "toy_newton"
    title = "a toy: Newton steps of bounded length"

    largest: float = 0.5
    count: int = 100

    def iterate(self, problem: methods.Problem, x: np.ndarray) -> Iterator[np.ndarray]:
        """Yield x after every step."""
        for _ in range(self.count):
            r = problem.residual(x)
            if r @ r < 1e-22:
                return
            step = -np.linalg.lstsq(problem.jacobian(x), r, rcond=1e-8)[0]
            x = problem.inside(x + step * min(1.0, self.largest / max(np.abs(step).max(), 1e-300)))
            yield x


methods.register(ToyNewton())

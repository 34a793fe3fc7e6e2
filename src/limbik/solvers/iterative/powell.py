"""Powell's method (1964): line searches along directions that become conjugate; no derivatives.

It keeps n directions, at first those of the single joints. A step minimises f along each in turn, from x0 to xn; df is the
largest decrease along one of them. On a quadratic, xn - x0 is conjugate to the later directions. It replaces the direction of the
largest decrease, and f is minimised along it, unless that would make the directions nearly dependent: with f0, fn and fe the
values at x0, xn and 2 xn - x0, the directions are kept if

    fe >= f0    or    2 (f0 - 2 fn + fe) (f0 - fn - df)^2 >= (f0 - fe)^2 df.

Without that test the method fails in more than a few dimensions. The box in Chin's thesis mixes two forms: like Powell's first
paper it drops the first direction, not that of the largest decrease, but it has the test of the later form.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_minimum import lowest
from limbik.solvers.iterative.problem import Problem


def _along(
    problem: Problem, x: Array, value: float, direction: Array, stride: float, settings: "Powell"
) -> tuple[Array, float, float]:
    """Return (x, value, t) at the minimum of a line. t: the distance moved, the first trial of the next search along it."""
    t, below = lowest(lambda t: problem.value(x + t * direction), value, stride, settings.accuracy)
    return x + t * direction, below, t if t != 0.0 else stride / 4


@dataclass(frozen=True)
class Powell(Iterative):
    """Stops below `value`, after a decrease below the part `fall` of the value, or after `steps`.

    accuracy: of a line's minimum, relative. first: the first trial along a line [rad, or half spans].
    """

    name = "powell"
    title = "Powell's directions, no derivatives"

    value: float = 1e-20
    fall: float = 1e-8
    steps: int = 200
    accuracy: float = 1e-3
    first: float = 0.1

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step: a line search along each direction, and the new one."""
        directions = np.eye(problem.n)
        strides = np.full(problem.n, self.first)
        value = problem.value(x)
        for _ in range(self.steps):
            if value <= self.value:
                return
            start, at_start = x, value
            decreases = np.zeros(problem.n)
            for j in range(problem.n):
                x, below, strides[j] = _along(problem, x, value, directions[j], strides[j], self)
                decreases[j], value = value - below, below
            total = x - start
            length = float(np.linalg.norm(total))
            if length > 0 and value > self.value:
                j = int(decreases.argmax())
                beyond = problem.value(x + total)
                curvature = 2 * (at_start - 2 * value + beyond) * (at_start - value - decreases[j]) ** 2
                if beyond < at_start and curvature < (at_start - beyond) ** 2 * decreases[j]:
                    directions[j] = directions[-1]
                    strides[j] = strides[-1]
                    directions[-1] = total / length
                    x, value, strides[-1] = _along(problem, x, value, directions[-1], length, self)
            yield x
            if at_start - value <= self.fall * at_start:
                return

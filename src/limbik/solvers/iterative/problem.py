"""A problem for an iterative method: a chain, a target, an objective; everything that is asked for is counted.

A method sees numbers x, not joints: a joint that turns counts in radians, one that slides in half the chain's span, so that a
step of 1 means much the same for all. It asks for residuals, values and derivatives, and the problem counts how often the hand
was computed (`evaluations`) and how often its Jacobian (`jacobians`). With derivatives by differences, as in 1996, one Jacobian
costs n evaluations.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.objective import Objective

# The step of forward differences, relative to a number's size or 1.
DIFFERENCE = 1.5e-8


@dataclass(eq=False)
class Problem:
    """Find x with residual(x) = 0.

    forward(q) and jacobian_of(q): the hand and its base-frame Jacobian. unit: (n,) how much of q a step of 1 in x is. lower and
    upper: (n,) limits of x, infinite where there are none. metre, radian: what residuals are multiplied by. differences:
    take derivatives by forward differences.
    """

    forward: Callable[[Array], Array]
    jacobian_of: Callable[[Array], Array]
    target: Array
    objective: Objective
    unit: Array
    lower: Array
    upper: Array
    metre: float = 1.0
    radian: float = 1.0
    differences: bool = False
    evaluations: int = field(default=0, init=False)
    jacobians: int = field(default=0, init=False)
    # What a method that is made of several parts says of them.
    note: str = field(default="", init=False)

    @property
    def n(self) -> int:
        """How many numbers x has."""
        return len(self.unit)

    @property
    def rows(self) -> int:
        """How many residuals there are."""
        return len(self._weights)

    @property
    def _weights(self) -> Array:
        if not hasattr(self, "_weighed"):
            count = len(self.objective.residual(self.target, self.target))
            self._weighed = np.where(np.arange(count) < self.objective.positions, self.metre, self.radian)
        return self._weighed

    def q(self, x: Array) -> Array:
        """Return the posture that x says."""
        return np.asarray(x * self.unit)

    def x(self, q: Array) -> Array:
        """Return the numbers of a posture."""
        return np.asarray(q / self.unit)

    def hand(self, x: Array) -> Array:
        """Return the hand's pose, counted as an evaluation: for methods that need more than residuals."""
        self.evaluations += 1
        return self.forward(self.q(x))

    def residual(self, x: Array) -> Array:
        """Return what is missing, weighed, (rows,)."""
        return np.asarray(self._weights * self.objective.residual(self.hand(x), self.target))

    def value(self, x: Array) -> float:
        """Return the sum of the squares of what is missing."""
        r = self.residual(x)
        return float(r @ r)

    def jacobian(self, x: Array, residual: Array | None = None) -> Array:
        """Return the derivatives of the residuals, (rows, n). residual: at x, where it is known: saves an evaluation."""
        if self.differences:
            base = self.residual(x) if residual is None else residual
            columns = np.empty((len(base), self.n))
            for j in range(self.n):
                step = DIFFERENCE * max(abs(float(x[j])), 1.0)
                ahead = np.array(x)
                ahead[j] += step
                columns[:, j] = (self.residual(ahead) - base) / step
            return columns
        self.jacobians += 1
        q = self.q(x)
        J = self.objective.jacobian(self.forward(q), self.jacobian_of(q), self.target)
        return np.asarray(self._weights[:, None] * J * self.unit)

    def gradient(self, x: Array, residual: Array | None = None) -> Array:
        """Return the derivatives of the value, (n,). residual: at x, where it is known."""
        r = self.residual(x) if residual is None else residual
        return np.asarray(2.0 * r @ self.jacobian(x, r))

    def inside(self, x: Array) -> Array:
        """Return x moved to the nearest values inside the limits."""
        return np.clip(x, self.lower, self.upper)

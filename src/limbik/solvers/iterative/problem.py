"""A problem for an iterative method: a chain, a target and an objective. Evaluations are counted.

A method works on numbers x: radians for revolute joints, half the chain's span for prismatic joints, so that a step of 1 has a
similar effect for all. It evaluates residuals, values and derivatives. The problem counts evaluations of the tip pose
(`evaluations`) and of its Jacobian (`jacobians`). With derivatives by finite differences, as in Chin's thesis (1996), one
Jacobian costs n evaluations.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.objective import Objective

# The step of forward differences, relative to the number or to 1.
DIFFERENCE = 1.5e-8


@dataclass(eq=False)
class Problem:
    """Find x with residual(x) = 0.

    forward(q) and jacobian_of(q): the tip pose and its base-frame Jacobian. unit: (n,) the change of q for a step of 1 in x.
    lower, upper: (n,) limits of x, infinite without limits. metre, radian: weights of the residuals. differences: take
    derivatives by forward differences.
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
    # How the solution was found, by a method with several phases.
    note: str = field(default="", init=False)

    @property
    def n(self) -> int:
        """The number of entries of x."""
        return len(self.unit)

    @property
    def rows(self) -> int:
        """The number of residuals."""
        return len(self._weights)

    @cached_property
    def _weights(self) -> Array:
        count = len(self.objective.residual(self.target, self.target))
        return np.where(np.arange(count) < self.objective.positions, self.metre, self.radian)

    def q(self, x: Array) -> Array:
        """Return the configuration q of x."""
        return np.asarray(x * self.unit)

    def x(self, q: Array) -> Array:
        """Return the numbers x of a configuration."""
        return np.asarray(q / self.unit)

    def hand(self, x: Array) -> Array:
        """Return the tip pose, counted as an evaluation: for methods that need more than residuals."""
        self.evaluations += 1
        return self.forward(self.q(x))

    def residual(self, x: Array) -> Array:
        """Return the weighted residuals, (rows,)."""
        return np.asarray(self._weights * self.objective.residual(self.hand(x), self.target))

    def value(self, x: Array) -> float:
        """Return the sum of squares of the weighted residuals."""
        r = self.residual(x)
        return float(r @ r)

    def jacobian(self, x: Array, residual: Array | None = None) -> Array:
        """Return the derivatives of the residuals, (rows, n). residual: at x, if known; saves an evaluation."""
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
        """Return the gradient of the value, (n,). residual: at x, if known."""
        r = self.residual(x) if residual is None else residual
        return np.asarray(2.0 * r @ self.jacobian(x, r))

    def inside(self, x: Array) -> Array:
        """Return x clipped to the limits."""
        return np.clip(x, self.lower, self.upper)

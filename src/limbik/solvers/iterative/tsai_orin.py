"""Integration of joint rates with feedback (after Tsai and Orin 1987).

The desired pose moves along the straight path from the tip's start to the target, p(t) and R(t) for t from 0 to 1, and joint
rates are integrated in steps of dt:

    dx/dt = J+ (xdot_d + K e),      e = the error from the desired pose at t,

the desired rate plus a feedback of the pose error, without which integration errors would accumulate. After t = 1 the desired
rate is 0 and the feedback continues: with K dt = 1 each step is then a Newton step. Near singularities J+ is damped. If a joint
rate exceeds its bound, all rates are scaled by the same factor, so the tip stays on its path and takes more steps.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.dls import damped
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class TsaiOrin(Iterative):
    """along: steps from the start to the target. feedback: K dt, the share of the error corrected in a step.

    bound: the greatest rate per step. damping: of J+, as a share of the error, so that it vanishes at the goal. Stops
    below `value` or `step`, or after `steps`.
    """

    name = "tsai_orin"
    title = "integration of joint rates with feedback"

    along: int = 20
    feedback: float = 1.0
    bound: float = 0.3
    damping: float = 0.02
    value: float = 1e-20
    step: float = 1e-14
    steps: int = 200

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step of integration."""
        # The initial residual is reduced to 0 in equal parts: in the base frame a straight line and a rotation about one axis.
        start = problem.residual(x)
        remaining = 1.0  # the share of the path from the desired pose to the target
        for _ in range(self.steps):
            r = problem.residual(x)
            if remaining == 0.0 and r @ r <= self.value:
                return
            ahead = max(0.0, remaining - 1.0 / self.along)
            rate = (ahead - remaining) * start - self.feedback * (r - remaining * start)
            J = problem.jacobian(x, r)
            direction = damped(J, -rate, self.damping**2 * min(1.0, float(rate @ rate)) + 1e-15)
            largest = float(np.abs(direction).max())
            if remaining == 0.0 and largest <= self.step:
                return
            share = min(1.0, self.bound / max(largest, self.bound))
            x = x + share * direction
            remaining -= share * (remaining - ahead)
            remaining = 0.0 if remaining < 1e-12 else remaining
            yield x

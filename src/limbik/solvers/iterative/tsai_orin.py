"""Integration of joint rates with feedback (after Tsai and Orin 1987).

No equation is solved for a posture. The hand is led along the straight way from where it is to its target, p(t) and R(t) for
t from 0 to 1, and joint rates are integrated in steps of dt:

    dx/dt = J+ (xdot_d + K e),      e = what is missing from the pose wanted at t,

the rate wanted plus a feedback of the position error, without which errors of integration would add up. After t = 1 the rate
wanted is 0 and the feedback goes on: with K dt = 1 each step is then one of Newton's. Near singularities J+ is damped, and a
rate that a joint cannot follow is scaled down, all joints alike, so that the hand stays on its way and arrives later.
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
    """along: steps from the start to the target. feedback: K dt, the share of the error put right in a step.

    bound: the greatest rate, a step. damping: of J+, a share of the error, so that it vanishes at the goal. It ends at a
    value this small, a step this small, or after so many steps.
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
        # The residual of the start is led to 0 in equal parts: in the base frame a straight line and a turn about one axis.
        start = problem.residual(x)
        due = 1.0
        for _ in range(self.steps):
            r = problem.residual(x)
            if due == 0.0 and r @ r <= self.value:
                return
            ahead = max(0.0, due - 1.0 / self.along)
            rate = (ahead - due) * start - self.feedback * (r - due * start)
            J = problem.jacobian(x, r)
            way = damped(J, -rate, self.damping**2 * min(1.0, float(rate @ rate)) + 1e-15)
            largest = float(np.abs(way).max())
            if due == 0.0 and largest <= self.step:
                return
            share = min(1.0, self.bound / max(largest, self.bound))
            x = x + share * way
            due -= share * (due - ahead)
            due = 0.0 if due < 1e-12 else due
            yield x

"""Damped least squares with a constant damping (Wampler 1986).

The step that minimises |J dx - e|^2 + c^2 |dx|^2 is

    dx = J' (J J' + c^2 I)^-1 e.

A singular value s of J is inverted as s / (s^2 + c^2), at most 1 / 2c, so steps are bounded at singularities, unlike those of the
pseudoinverse. The cost is slower convergence: along s a share c^2 / (s^2 + c^2) of the error remains after each step, so
convergence is linear, and slow where s is small.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.resolved_motion import bounded_steps


def damped(J: Array, r: Array, square: float) -> Array:
    """Return -J' (J J' + square I)^-1 r."""
    return np.asarray(-J.T @ np.linalg.solve(J @ J.T + square * np.eye(len(r)), r))


@dataclass(frozen=True)
class Dls(Iterative):
    """damping: c above. Stops below `value` or `step`, or after `steps`. bound: the largest step of a number of x."""

    name = "dls"
    title = "damped least squares with a constant damping"

    damping: float = 0.02
    value: float = 1e-20
    step: float = 1e-14
    steps: int = 500
    bound: float = 0.5

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        return bounded_steps(problem, x, self, lambda J, r: damped(J, r, self.damping**2))

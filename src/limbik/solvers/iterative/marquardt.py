"""Levenberg's and Marquardt's method (1944, 1963), step by step: the reference for what the core does in lanes.

Each step minimises |r + J dx|^2 + m |dx|^2. With m large it is a short step down the gradient, with m = 0 Gauss and Newton's. A
step that lowers f = r'r is taken, else m grows and the step is tried again. m is `share` of f, and `share` shrinks with
success: m goes to 0 with f, so that it ends as fast as Newton's method, and stays bounded at singular postures, where Newton's
jumps.

With J = U S V' the step is -V S/(S^2 + m) U'r, whatever the rank of J, and another m costs next to nothing.

A step dx that failed has told how r bends: c = r(x + dx) - r - J dx. Before m grows, dx is tried once more with the step added
that makes up for c, if that is short beside dx (after Transtrum and Sethna's geodesic acceleration, 2012; here it costs nothing
where steps succeed). In the bent valley near a singular posture that saves dozens of steps.

The thesis does not have the method; it is how the same work is done now.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


def _tried(problem: Problem, x: Array, r: Array, J: Array, inverse: Array, bend: float) -> tuple[Array, Array] | None:
    """Return (x, residual) after a step by a damped inverse of J, bent if need be; None where it is not lower."""
    dx = -inverse @ r
    ahead = problem.residual(x + dx)
    if ahead @ ahead < r @ r:
        return x + dx, ahead
    correction = -inverse @ (ahead - r - J @ dx)
    if not np.linalg.norm(correction) <= bend * np.linalg.norm(dx):
        return None
    dx = dx + correction
    ahead = problem.residual(x + dx)
    return (x + dx, ahead) if ahead @ ahead < r @ r else None


@dataclass(frozen=True)
class Marquardt(Iterative):
    """When it ends: a value this small, or so many steps. share: m is this part of f at first.

    easier, harder: what the share is multiplied by after a success and a failure. least, most: its bounds. bend: how long the
    correction of a failed step may be, beside the step.
    """

    name = "marquardt"
    title = "Levenberg-Marquardt, step by step"

    value: float = 1e-22
    steps: int = 100
    share: float = 1e-2
    easier: float = 0.3
    harder: float = 3.0
    least: float = 1e-3
    most: float = 1e6
    bend: float = 0.75

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step that was taken."""
        r = problem.residual(x)
        share = self.share
        for _ in range(self.steps):
            if not self.value < r @ r < np.inf:
                return
            J = problem.jacobian(x, r)
            U, S, V = np.linalg.svd(J, full_matrices=False)
            while share <= self.most:
                found = _tried(problem, x, r, J, V.T * (S / (S**2 + share * (r @ r))) @ U.T, self.bend)
                if found is not None:
                    break
                share *= self.harder
            else:
                return
            x, r = found
            share = max(self.easier * share, self.least)
            yield x

"""The Levenberg-Marquardt method (1944, 1963), one problem at a time: the reference for the SIMD version of the core.

Each step minimises |r + J dx|^2 + m |dx|^2. For large m it is a short gradient step, for m = 0 a Gauss-Newton step. A step that
lowers f = r'r is accepted; otherwise m grows and the step is tried again. m is `share` times f, and `share` shrinks after
success. m goes to 0 with f, so final convergence is as fast as Newton's, and steps are bounded at singular configurations.

With J = U S V' the step is -V S/(S^2 + m) U'r, whatever the rank of J, and another m costs next to nothing.

A rejected step dx measures the curvature of r: c = r(x + dx) - r - J dx. Before m grows, dx is tried once more with a correction
for c added, if that is short compared to dx (after Transtrum and Sethna's geodesic acceleration, 2012; here it costs nothing if
steps succeed). In the curved valley near a singularity it saves dozens of steps.

Chin's thesis does not have the method; it is today's standard for this problem.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


def _tried(problem: Problem, x: Array, r: Array, J: Array, inverse: Array, bend: float) -> tuple[Array, Array] | None:
    """Return (x, residual) after a step by a damped inverse of J, corrected if it is rejected; None without a decrease."""
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
    """Stops below `value` or after `steps`. share: the initial m as a part of f.

    easier, harder: factors of the share after an accepted and a rejected step. least, most: its bounds. bend: the largest
    correction of a rejected step, relative to the step.
    """

    name = "marquardt"
    title = "Levenberg-Marquardt, traceable"

    value: float = 1e-22
    steps: int = 100
    share: float = 1e-2
    easier: float = 0.3
    harder: float = 3.0
    least: float = 1e-3
    most: float = 1e6
    bend: float = 0.75

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every accepted step."""
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

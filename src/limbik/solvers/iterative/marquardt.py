"""Levenberg's and Marquardt's method (1944, 1963), step by step: the reference for what the core does in lanes.

Each step minimises |r + J dx|^2 + m |dx|^2. With m large it is a short step down the gradient, with m = 0 Gauss and Newton's. A step
that lowers f = r'r is taken, else m grows and the step is tried again. m is `share` of f, and `share` shrinks with success: m goes
to 0 with f, so that it ends as fast as Newton's method, and stays bounded at singular postures, where Newton's jumps.

With J = U S V' the step is -V S/(S^2 + m) U'r, whatever the rank of J, and another m costs next to nothing.

The thesis does not have it; it is how the same work is done now.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Settings:
    """When it ends: a value this small, or so many steps. share: m is this part of f at first.

    easier, harder: what the share is multiplied by after a success and a failure. least, most: its bounds.
    """

    value: float = 1e-22
    steps: int = 100
    share: float = 1e-2
    easier: float = 0.1
    harder: float = 10.0
    least: float = 1e-6
    most: float = 1e6


SETTINGS = Settings()


def steps(problem: Problem, x: Array, settings: Settings) -> Iterator[Array]:
    """Yield x after every step that was taken."""
    r = problem.residual(x)
    value = float(r @ r)
    share = settings.share
    for _ in range(settings.steps):
        if not settings.value < value < np.inf:
            return
        U, S, V = np.linalg.svd(problem.jacobian(x, r), full_matrices=False)
        while True:
            ahead = x - V.T @ (S / (S**2 + share * value) * (U.T @ r))
            r_ahead = problem.residual(ahead)
            if r_ahead @ r_ahead < value:
                break
            share *= settings.harder
            if share > settings.most:
                return
        x, r = ahead, r_ahead
        value = float(r @ r)
        share = max(settings.easier * share, settings.least)
        yield x

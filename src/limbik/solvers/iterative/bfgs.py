"""BFGS: a quasi-Newton method that builds the inverse Hessian from gradients (Broyden, Fletcher, Goldfarb, Shanno 1970).

Minimises f = r'r. With H the inverse Hessian so far, a step goes along -H g as far as a line search allows; with s the step and
y the change of the gradient,

    H <- (I - s y'/y's) H (I - y s'/y's) + s s'/y's,

the symmetric update nearest to H that maps y to s. Near a solution it converges superlinearly without ever solving a system.

The thesis' box "BFGS", step 5, prints dg' H g where dg' H dg is meant.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Settings:
    """When it ends: a value this small, a gradient this small, or so many steps."""

    value: float = 1e-20
    gradient: float = 1e-14
    steps: int = 200


SETTINGS = Settings()


def steps(problem: Problem, x: Array, settings: Settings) -> Iterator[Array]:
    """Yield x after every step."""
    H = np.eye(problem.n)
    r = problem.residual(x)
    g = problem.gradient(x, r)
    for _ in range(settings.steps):
        if r @ r <= settings.value or np.abs(g).max() <= settings.gradient:
            return
        way = -H @ g
        if way @ g >= 0:  # rounding has spoilt H
            H, way = np.eye(problem.n), -g
        found = backtrack(problem, x, r, g, way)
        if found is None:
            return
        ahead, r = found
        g_ahead = problem.gradient(ahead, r)
        s, y = ahead - x, g_ahead - g
        x, g = ahead, g_ahead
        yield x
        ys = float(y @ s)
        if ys > 1e-14 * np.linalg.norm(y) * np.linalg.norm(s):
            V = np.eye(problem.n) - np.outer(s, y) / ys
            H = V @ H @ V.T + np.outer(s, s) / ys

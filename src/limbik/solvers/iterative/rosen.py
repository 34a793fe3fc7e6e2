"""Rosen's gradient projection: limits as linear constraints, as in Jack (Rosen 1960, Zhao and Badler 1994).

Minimises f = r'r subject to lower <= x <= upper. H is an inverse Hessian built as in BFGS, and some limits are active:
    1. d = -H g, where H has no component across the active limits (Goldfarb 1969): the gradient, projected and scaled;
    2. if d vanishes, the multipliers decide: g_i for a joint at its lower limit, -g_i at its upper limit. All are >= 0 at a
       minimum; otherwise the limit with the most negative one is released;
    3. a line search along d, at most to the next limit. If it ends there, that limit becomes active and its direction is removed,
       H <- H - H n n'H / n'H n; otherwise H takes the BFGS update.
Every constraint is a limit of one joint, so projection deletes its row and column.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.line_search import backtrack
from limbik.solvers.iterative.problem import Problem

Mask = npt.NDArray[np.bool_]


def _active_limits(problem: Problem, x: Array, g: Array, active: Mask, H: Array, settings: "Rosen") -> Mask:
    """Return the active limits: add those that the gradient pushes against, release the one with the worst multiplier."""
    low, high = x <= problem.lower, x >= problem.upper
    multiplier = np.where(low & high, np.inf, np.where(low, g, np.where(high, -g, 0.0)))
    active = active | ((low | high) & (multiplier > 0))
    for j in np.flatnonzero(active):
        _remove_direction(H, int(j))
    worst = int(np.argmin(np.where(active, multiplier, np.inf)))
    left = float(np.abs(np.where(active, 0.0, g)).max())
    if active[worst] and multiplier[worst] < 0 and -multiplier[worst] * settings.slack >= left:
        active[worst] = False
        H[worst, :] = H[:, worst] = 0.0
        H[worst, worst] = 1.0
    return active


def _step(problem: Problem, x: Array, r: Array, g: Array, H: Array, active: Mask) -> tuple[Array, Array] | None:
    """Return (x, residual) after a line search that stops at the next limit."""
    for fresh in (False, True):
        if fresh:  # H is indefinite by rounding, or has lost too many directions
            H[:] = np.diag(np.where(active, 0.0, 1.0))
        direction = np.where(active, 0.0, -H @ g)
        # a joint at an inactive limit may only move inwards
        direction[(direction < 0) & (x <= problem.lower) | (direction > 0) & (x >= problem.upper)] = 0.0
        ahead = np.where(direction > 0, problem.upper - x, problem.lower - x)
        shares = np.divide(ahead, direction, out=np.full(problem.n, np.inf), where=direction != 0)
        direction *= min(1.0, float(shares.min()))
        if direction @ g < 0:
            found = backtrack(problem, x, r, g, direction)
            if found is not None:
                x_ahead = found[0]
                full = np.abs(x_ahead - x - direction).max() <= 1e-15
                hit = int(np.argmin(shares))
                if full and shares[hit] <= 1.0:  # exactly on the limit, whatever the rounding
                    x_ahead[hit] = problem.upper[hit] if direction[hit] > 0 else problem.lower[hit]
                return problem.inside(x_ahead), found[1]
    return None


def _remove_direction(H: Array, j: int) -> None:
    """Remove the direction of joint j from H."""
    if H[j, j] > 0:
        H -= np.outer(H[:, j], H[j, :]) / H[j, j]
    H[j, :] = H[:, j] = 0.0


def _update(H: Array, s: Array, y: Array, active: Mask) -> None:
    """Apply the BFGS update over the joints without active limit."""
    s, y = np.where(active, 0.0, s), np.where(active, 0.0, y)
    ys = float(y @ s)
    if ys > 1e-14 * np.linalg.norm(y) * np.linalg.norm(s):
        V = np.diag(np.where(active, 0.0, 1.0)) - np.outer(s, y) / ys
        H[:] = V @ H @ V.T + np.outer(s, s) / ys


@dataclass(frozen=True)
class Rosen(Iterative):
    """Stops below `value`, below the projected `gradient` with no limit to release, or after `steps`.

    slack: a limit is released if its negative multiplier times slack is at least the remaining gradient.
    """

    name = "rosen"
    title = "Rosen's gradient projection with limits as constraints, as in Jack"

    value: float = 1e-20
    gradient: float = 1e-14
    slack: float = 2.0
    steps: int = 300

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        x = problem.inside(x)
        r = problem.residual(x)
        g = problem.gradient(x, r)
        H = np.eye(problem.n)
        active: Mask = np.zeros(problem.n, bool)
        for _ in range(self.steps):
            if r @ r <= self.value:
                return
            active = _active_limits(problem, x, g, active, H, self)
            if np.abs(np.where(active, 0.0, g)).max() <= self.gradient:
                return
            found = _step(problem, x, r, g, H, active)
            if found is None:
                return
            ahead, r = found
            g_ahead = problem.gradient(ahead, r)
            s, y = ahead - x, g_ahead - g
            x, g = ahead, g_ahead
            yield x
            met = ~active & (((x <= problem.lower) & (s < 0)) | ((x >= problem.upper) & (s > 0)))
            if met.any():
                for j in np.flatnonzero(met):
                    _remove_direction(H, int(j))
                active |= met
            else:
                _update(H, s, y, active)

"""Unreachable targets, and the configuration closest to each.

The reference is the core's own descent from many random starts, each run to convergence, without the shortcuts of a solve. It
is compared with SciPy's bounded least squares from many starts, which shares only the model with it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import least_squares

import limbik as lk
from limbik.solvers.solver_set import solver_set

# The distance of a target beyond reach, and of one in the hollow [parts of the reach].
BEYOND, HOLLOW = 1.5, 0.05
# Blocked by limits: the share of every range that remains on each side of its middle.
TIGHT = 0.15


@dataclass(frozen=True)
class Kind:
    """Unreachable targets of one kind, and the arm that solves for them."""

    name: str
    arm: lk.Chain
    targets: np.ndarray


def kinds(arm: lk.Chain, rng: np.random.Generator, count: int) -> tuple[np.ndarray, list[Kind]]:
    """Return reachable targets, (count, 4, 4), and the three kinds made from them; every joint must have limits."""
    T = np.array(arm.forward(arm.sample(rng, count)))
    distance = np.linalg.norm(T[:, :3, 3], axis=1)[:, None]
    far, hollow = T.copy(), T.copy()
    far[:, :3, 3] *= BEYOND * arm.reach / distance
    hollow[:, :3, 3] *= HOLLOW * arm.reach / distance
    span = TIGHT * (arm.upper - arm.lower)
    tight = arm.with_limits(arm.home - span, arm.home + span)
    return T, [Kind("beyond reach", arm, far), Kind("in the hollow", arm, hollow), Kind("blocked by limits", tight, T)]


def by_attempts(arm: lk.Chain) -> Callable[[np.ndarray], lk.Answer]:
    """Return the solve without a closed form and without Python's checks of options."""
    return partial(solver_set(arm.model).pose.solve, seed=None, closed=False)


def least_positions(arm: lk.Chain, T: np.ndarray, starts: int) -> np.ndarray:
    """Return the least position error [m] of each target over random starts, each run to convergence."""
    return solver_set(arm.model).pose.least_positions(np.ascontiguousarray(T), starts, 0)


def ratios(arm: lk.Chain, batch: lk.BatchAnswer, T: np.ndarray, starts: int) -> np.ndarray:
    """Return the position errors of unsolved rows over the best of `starts` random starts; 1 if the position is reached."""
    missed = ~batch.ok
    ours, best = batch.position_error[missed], least_positions(arm, T[missed], starts)
    tolerance = max(1e-8, 1e-9 * arm.reach)
    return np.where(ours <= tolerance, 1.0, ours / np.maximum(best, tolerance))


def least_by_scipy(arm: lk.Chain, T: np.ndarray, rng: np.random.Generator, starts: int) -> float:
    """Return the least position error [m] that SciPy finds from `starts` random starts."""
    span = arm.upper - arm.lower

    def error(q: np.ndarray) -> np.ndarray:
        return arm.forward(q)[:3, 3] - T[:3, 3]

    def jacobian(q: np.ndarray) -> np.ndarray:
        return arm.jacobian(q)[:3]

    best = np.inf
    for q in arm.sample(rng, starts):
        inside = np.where(np.isfinite(span), np.clip(q, arm.lower + 1e-9 * span, arm.upper - 1e-9 * span), q)
        found = least_squares(
            error, inside, jacobian, bounds=(arm.lower, arm.upper), xtol=1e-12, ftol=1e-12, gtol=1e-12
        )
        best = min(best, float(np.linalg.norm(found.fun)))
    return best

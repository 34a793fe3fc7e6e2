"""Levenberg-Marquardt on the pose of a tip: the general solver, for any mechanism.

The problem: find q inside its limits with forward(q) = T. The residual e is the position error, in units of half the arm's
length, and the rotation error, as a chord. The step is J' (J J' + c |e|^2)^-1 e over the joints that are not at an active limit
(Levenberg 1944, Marquardt 1963; damping by the residual: Chan and Lawrence 1988, Sugihara 2011). Near a solution it is Newton's
method. From the seed it solves about two targets in three; the others are reached from starts in a table that is made once per
chain. `core/iterative/solver.hpp` and its neighbours hold the kernels.
"""

import math

import numpy as np

from limbik._core import ATTEMPTS, ROTATION_TOLERANCE, PoseSolver, PostureSolver
from limbik.model.model import Model, position_tolerance
from limbik.solvers.seed_tables import seed_table


def make_solver(
    model: Model,
    *,
    limits: bool = True,
    position: float | None = None,
    rotation: float = ROTATION_TOLERANCE,
    attempts: int = ATTEMPTS,
    postures: PostureSolver | None = None,
) -> PoseSolver:
    """Return the solver for a mechanism's tip, with or without its limits. postures: a closed form, tried first."""
    n, ranges, reach = model.n, model.ranges, model.reach
    lower, upper = (ranges.lower, ranges.upper) if limits else (np.full(n, -math.inf), np.full(n, math.inf))
    low, high = ranges.drawing(reach.span or 1.0)
    return PoseSolver(
        model.kernel,
        seed_table(model.kernel, low.tolist(), high.tolist()),
        postures,
        lower=lower.tolist(),
        upper=upper.tolist(),
        draw_low=low.tolist(),
        draw_high=high.tolist(),
        cones=ranges.cone_rows if limits else [],
        home=ranges.home.tolist(),
        position_tolerance=position_tolerance(reach) if position is None else position,
        rotation_tolerance=rotation,
        attempts=attempts,
        centre=list(reach.centre),
        span=reach.span,
    )

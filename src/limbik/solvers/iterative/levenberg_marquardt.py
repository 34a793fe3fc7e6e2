"""Levenberg-Marquardt on the pose of a tip: the general solver, for any mechanism.

The problem: find q inside its limits with forward(q) = T. The residual is the translation that is missing, in units of half
the arm's length, and the rotation that is missing, as a chord; the step is J' (J J' + c |e|^2)^-1 e over the joints
that are not held at a bound (Levenberg 1944, Marquardt 1963; damping by the residual: Chan and Lawrence 1988, Sugihara
2011). Near a solution it is Newton's method. From the seed it finds a solution for about two targets in three; the rest
are reached from postures of a table made once per chain. `core/iterative/solver.hpp` and its neighbours hold the kernels.
"""

import math

import numpy as np

from limbik._core import PoseSolver, PostureSolver
from limbik.goals.subject import LENGTH_SHARE, ROTATION_TOLERANCE, position_tolerance
from limbik.model.compiled import Compiled, Element
from limbik.model.joint import Kind
from limbik.model.ranges import Ranges
from limbik.model.reach import Reach
from limbik.solvers.iterative.seeds import seed_table

# Attempts before a target counts as not found.
ATTEMPTS = 256


def make_solver(
    compiled: Compiled,
    ranges: Ranges,
    reach: Reach,
    *,
    limits: bool = True,
    position: float | None = None,
    rotation: float = ROTATION_TOLERANCE,
    attempts: int = ATTEMPTS,
    postures: PostureSolver | None = None,
) -> PoseSolver:
    """Return the solver for a mechanism's tip, with or without its limits; `postures` is asked first."""
    n = compiled.n
    lower, upper = (ranges.lower, ranges.upper) if limits else (np.full(n, -math.inf), np.full(n, math.inf))
    length = LENGTH_SHARE * reach.span if reach.span > 0 else 1.0
    low, high = ranges.drawing(reach.span or 1.0)
    unbounded = not math.isfinite(reach.span) or any(goes_anywhere(e, limits) for e in compiled.elements)
    return PoseSolver(
        compiled.kernel,
        seed_table(compiled.kernel, low.tolist(), high.tolist()),
        postures,
        lower=lower.tolist(),
        upper=upper.tolist(),
        draw_low=low.tolist(),
        draw_high=high.tolist(),
        cones=cone_rows(ranges) if limits else [],
        home=ranges.home.tolist(),
        length=length,
        position_tolerance=position_tolerance(reach) if position is None else position,
        rotation_tolerance=rotation,
        attempts=attempts,
        centre=list(reach.centre),
        span=math.inf if unbounded else reach.span,
        span_by_limits=any(e.joint.kind is Kind.PRISMATIC for e in compiled.elements),
    )


def cone_rows(ranges: Ranges) -> list[list[float]]:
    """Return the ranges of balls as the core takes them: place in q, axis, swing, least and greatest twist."""
    return [
        [float(v.first + v.joint.kind.size - 3), *v.joint.axis.tolist(), v.joint.swing, *v.joint.twist]
        for v in ranges.cones
    ]


def goes_anywhere(element: Element, limits: bool) -> bool:
    """Tell whether nothing bounds how far an element may carry the tip: then no target is provably out of reach."""
    if element.joint.kind is Kind.FLOATING:
        return True
    driver = element.variable.joint
    bounded = limits and math.isfinite(driver.lower) and math.isfinite(driver.upper)
    return element.joint.kind is Kind.PRISMATIC and not bounded

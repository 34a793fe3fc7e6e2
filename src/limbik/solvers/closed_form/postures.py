"""All postures of a chain, in closed form.

A chain at its target is a closed loop. Three joints whose axes meet in one point, or are parallel, are eliminated from the
equations of the others. What remains are two intersections of a line with a circle, or one of a conic with a circle:
`core/closed_form/loop.hpp` has the derivation, `core/closed_form/loop_equations.hpp` the equations, and
`core/closed_form/swivel.hpp` the arms with a swivel. Every posture is verified by forward kinematics; near a double root it is
first corrected by Newton steps.
"""

import math

import numpy as np

from limbik._core import PostureSolver
from limbik.model.model import Model
from limbik.solvers.closed_form.form import Form, form_of


def make_postures(model: Model, *, limits: bool, position: float, rotation: float) -> tuple[PostureSolver, Form | None]:
    """Return the solver for all postures of a chain's tip, and its form: None where it has no closed form."""
    n, ranges, reach = model.n, model.ranges, model.reach
    lower, upper = (ranges.lower, ranges.upper) if limits else (np.full(n, -math.inf), np.full(n, math.inf))
    scale = reach.span if math.isfinite(reach.span) and reach.span > 0 else 1.0
    solver = PostureSolver(
        model.kernel,
        lower=lower.tolist(),
        upper=upper.tolist(),
        home=ranges.home.tolist(),
        scale=scale,
        position_tolerance=position,
        rotation_tolerance=rotation,
    )
    form = form_of(solver.form, [v.joint.name for v in model.compiled.variables])
    if form is not None:
        solver.describe(form.how, form.branch_names, form.hint)
    return solver, form

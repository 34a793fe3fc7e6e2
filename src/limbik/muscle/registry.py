"""The registry of methods in muscle space, for `solve_lengths(method=...)`."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from limbik.errors import BadOption, suggest
from limbik.muscle import closed_form, descent, gauss_newton, least_squares
from limbik.muscle.fast_gradient import FastGradient
from limbik.muscle.method import MuscleMethod
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target

_DESCENT = tuple(field.name for field in fields(FastGradient))

MUSCLE_METHODS: dict[str, MuscleMethod] = {
    method.name: method
    for method in (
        MuscleMethod(
            "closed_form",
            "all postures from the geometry; at the swivel with the best-centred muscles",
            closed_form.solve,
            ("point", "pose"),
            closed_form.fits,
            swivel=True,
        ),
        MuscleMethod(
            "least_squares",
            "bounded least squares from many starts, then centring along the self-motion manifold",
            least_squares.solve,
            replaceable=True,
        ),
        MuscleMethod(
            "gauss_newton",
            "Gauss-Newton in muscle space from the seed, inside limits and ranges: for tracking",
            gauss_newton.solve,
            settings=("steps", "centring"),
        ),
        # Not exact: it may end by its limit of sweeps or seconds.
        MuscleMethod(
            "fast_gradient",
            "Gini's fast gradient following with annealing and reheating",
            descent.fast,
            ("point",),
            settings=_DESCENT,
            exact=False,
        ),
        MuscleMethod(
            "classical_gradient",
            "the gradient with a constant step, as Gini compares it",
            descent.classical,
            ("point",),
            settings=_DESCENT,
            exact=False,
        ),
    )
}
# The methods tried in this order if the caller names none, until one finds a solution or a proof.
DEFAULT = (MUSCLE_METHODS["closed_form"], MUSCLE_METHODS["least_squares"])


def muscle_method(name: object) -> MuscleMethod:
    """Return a method by its name. Raises BadOption."""
    if not isinstance(name, str) or name not in MUSCLE_METHODS:
        raise BadOption(
            f"no muscle method {name!r}; {suggest(str(name), MUSCLE_METHODS).replace('it has', 'there are', 1)}"
        )
    return MUSCLE_METHODS[name]


def methods_for(
    problem: MuscleProblem, target: Target, name: object, swivel: object, settings: Mapping[str, Any]
) -> tuple[MuscleMethod, ...]:
    """Return the methods to try, in order: the named one, or those of `DEFAULT` that fit. Raises BadOption."""
    arm = problem.model.name
    if name is None:
        chosen = tuple(method for method in DEFAULT if method.fits(problem, target))
    else:
        chosen = (muscle_method(name),)
        if target.kind not in chosen[0].targets:
            raise BadOption(f"method={name!r} takes {' or '.join(chosen[0].targets)} targets, not a {target.kind}")
        if not chosen[0].fits(problem, target):
            raise BadOption(
                f"method={name!r} is not available for a {target.kind} of '{arm}'; leave method out, or use 'least_squares'"
            )
    if swivel is not None:
        chosen = tuple(method for method in chosen if method.swivel)
        if not chosen:
            raise BadOption(f"swivel= needs the closed form, which '{arm}' does not have for a {target.kind}")
        if isinstance(swivel, bool):
            raise BadOption(f"swivel={swivel}: give an angle [rad]")
    if settings:
        _check_settings(chosen[0], settings)
    return chosen


def _check_settings(method: MuscleMethod, settings: Mapping[str, Any]) -> None:
    if not method.settings:
        raise BadOption(
            f"no option {next(iter(settings))!r}; settings belong to the gradient methods and 'gauss_newton'"
        )
    unknown = [name for name in settings if name not in method.settings]
    if unknown:
        raise BadOption(f"{method.name!r} has the settings {', '.join(method.settings)}; not {', '.join(unknown)}")

"""The descent of Gini et al. on a model: the moved muscles, the start, and the descent as a method."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, numbers
from limbik.model.model import Model
from limbik.muscle.fast_gradient import PLAIN, Descent, FastGradient, descend, settings_of
from limbik.muscle.method import Found, Request
from limbik.muscle.problem import MuscleProblem, muscle_problem
from limbik.muscle.target import Target
from limbik.muscle.validation import muscle_index, seed_posture


class NoStart(BadOption):
    """The start lengths of a descent belong to no posture (configuration)."""


def descend_lengths(
    model: Model,
    point: Any,
    lengths: Any,
    seed: Any,
    settings: FastGradient | None,
    moved: Sequence[str] | None,
    side: int,
    changes: dict[str, Any],
) -> Descent:
    """Move the tip to a point by the descent in the lengths of some muscles. Raises ShapeError, NotNumeric, BadOption."""
    core = muscle_problem(model).core
    aim = numbers(point, "a point is three numbers")
    if aim.shape != (3,):
        raise ShapeError(f"a point is three numbers; got shape {aim.shape}")
    places = _moved(model, moved)
    if isinstance(side, bool) or not isinstance(side, int | np.integer) or side not in (0, 1):
        raise BadOption(f"side={shown(side)}: 0 or 1")
    q = seed_posture(model, seed)
    start = core.lengths(q, 0)[places] if lengths is None else numbers(lengths, "lengths must be numbers")
    if not all(math.isfinite(model.compiled.muscles[k].upper) for k in places):
        raise BadOption("a descent needs muscles with a range: give each moved muscle an upper limit")
    run = descend(core, aim, places, start, q, int(side), settings_of(settings, changes, model.reach.span))
    if not math.isfinite(run.distance):
        raise NoStart(
            f"the descent found no posture with its start lengths: {_start_error(model, places, start, q)}; give "
            "lengths of a posture inside the limits, or such a posture as seed"
        )
    return replace(run, lengths=core.lengths(run.q, 0)[places])


def _start_error(model: Model, moved: Sequence[int], lengths: Array, q: Array) -> str:
    """Return why the start of a descent is invalid, as a phrase."""
    for k, length in zip(moved, lengths, strict=True):
        muscle = model.compiled.muscles[k]
        if not muscle.lower <= length <= muscle.upper:
            return f"'{muscle.name}' is {length:.6g} m, and may be {muscle.lower:.6g} to {muscle.upper:.6g} m"
    if not model.ranges.within(q):
        return "the seed violates a joint limit"
    return "no posture inside the limits has them"


def _moved(model: Model, moved: Any) -> list[int]:
    """Return the indices of the muscles to move. Raises BadOption for unknown, repeated or too many names."""
    if moved is None:
        names = tuple(muscle.name for muscle in model.compiled.muscles if muscle.independent)
        if not names:
            raise BadOption(f"'{model.name}' does not define which muscles are independent; name some by moved=")
    elif isinstance(moved, str | bytes) or not isinstance(moved, Iterable):
        raise BadOption(f"moved={shown(moved)}: give a list of names of muscles")
    else:
        names = tuple(moved)
        if not names:
            raise BadOption("moved is empty: name the muscles that the descent may move, or leave it out")
    places = [muscle_index(model, name) for name in names]
    for k, place in enumerate(places):
        if place in places[:k]:
            raise BadOption(f"moved names '{names[k]}' twice")
    if len(places) > model.n:
        raise BadOption(
            f"moved names {len(places)} muscles, but {model.n} lengths determine the posture of '{model.name}' and the others "
            f"follow; name {model.n} at most"
        )
    return places


def fast(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return the result of the descent with velocity, annealing and reheating."""
    return _descended(problem, target, seed, request.settings)


def classical(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return the result of the gradient descent with a constant step."""
    return _descended(problem, target, seed, {**PLAIN, **request.settings})


def _descended(problem: MuscleProblem, target: Target, seed: Array, settings: Mapping[str, Any]) -> Found:
    model = problem.model
    chosen = settings_of(None, dict(settings), model.reach.span)
    try:
        run = descend_lengths(model, target.value, None, model.ranges.clamp(seed), chosen, None, 0, {})
    except NoStart as error:
        return Found(Status.NOT_FOUND, f"not found: {error}", seed)
    reached = problem.reached(target, run.q)
    verb = "solved" if reached else "not found"
    why = f"{verb}: the descent reached {run.distance:.3g} m in {run.sweeps} sweeps, {run.calls} distance evaluations"
    return Found(Status.SOLVED if reached else Status.NOT_FOUND, why, run.q, evaluations=run.calls)

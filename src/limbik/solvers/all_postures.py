"""Every configuration (posture) of a target: by the closed form, else by look-up or a search from many starts."""

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from limbik._core import Answers
from limbik.errors import BadOption, NotFinite, shown
from limbik.geometry.arrays import number, numbers
from limbik.geometry.se3 import matrices
from limbik.model.model import Model
from limbik.model.snapping import snapped
from limbik.model.structure import Structure, analyse
from limbik.solvers.answers import (
    BatchAnswers,
    collect,
    joined,
    spread_sample,
    with_all_turns,
)
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Form, Redundancy
from limbik.solvers.closed_form.swivel import best_swivels
from limbik.solvers.preference import NEAREST, score_named
from limbik.solvers.self_motion import without_family_members
from limbik.solvers.solver_set import SolverSet, solver_set
from limbik.solvers.table.finder import POSE_JOINTS

# More threads than this do not help any batch.
MOST_THREADS = 256


def closed_form(model: Model) -> Form | None:
    """Return the closed form of a chain; None where it has none."""
    return solver_set(model).form


def redundancy(model: Model) -> Redundancy | None:
    """Return the free parameter of a redundant chain; None for a chain that is not redundant or has no closed form."""
    form = closed_form(model)
    return None if form is None else form.redundancy


def countable(model: Model) -> bool:
    """Return whether a target has finitely many configurations, self-motions aside."""
    return model.derived(_countable)


def _countable(model: Model) -> bool:
    return model.n <= POSE_JOINTS and bool(model.one_axis.all())


def bind_all(model: Model) -> Callable[..., Answers]:
    """Return the compiled `solve_all` with default options, a function of a target and a seed."""
    solvers = solver_set(model)
    if solvers.form is not None:
        return solvers.postures.solve_all
    return lambda T, seed: _without_form(model, solvers, T, seed, None)


def all_postures(
    model: Model,
    T: Any,
    seed: Any = None,
    limits: Any = True,
    turns: Any = NEAREST,
    swivel: Any = None,
    *,
    directed: Any = True,
) -> Answers:
    """Return every configuration whose tip is at T, as `Chain.solve_all` documents."""
    solvers = solver_set(model, limits)
    if not isinstance(turns, str) or turns not in (NEAREST, "all"):
        raise BadOption(f"turns={shown(turns)} is not known; use 'nearest' or 'all'")
    if not isinstance(directed, bool | np.bool_):
        raise BadOption(f"directed={shown(directed)}: True or False")
    if solvers.form is None:
        answers = _without_form(model, solvers, T, seed, swivel)
    else:
        answers = _by_form(model, solvers, T, seed, swivel, bool(directed))
    if turns == "all":
        ranges, free = model.ranges, np.full(model.n, np.inf)
        lower, upper = (ranges.lower, ranges.upper) if limits else (-free, free)
        answers = with_all_turns(answers, lower, upper, model.revolute)
    return answers


def all_postures_batch(
    model: Model, Ts: Any, seeds: Any = None, threads: Any = None, *, limits: Any = True
) -> BatchAnswers:
    """Return every configuration of many targets, as `Chain.solve_all_batch` documents."""
    count = thread_count(threads)
    solvers = solver_set(model, limits)
    finder = solvers.table or solvers.search
    if solvers.form is None and not countable(model):
        raise BadOption(
            f"'{model.name}' is redundant and has no closed form, so a pose has infinitely many postures; "
            f"use solve with seeds, or fix joints by with_frozen"
        )
    if solvers.form is not None or finder is None:
        batch = BatchAnswers(*solvers.postures.solve_all_batch(Ts, seeds, count))
        return _with_numeric_rows(solvers, batch, Ts, seeds, count)
    q, found, outside = finder.solve_all_batch(Ts, seeds, count)
    rows, most = q.shape[:2]
    families = np.zeros((rows, most), np.bool_)
    return BatchAnswers(q, found, outside, np.full((rows, most), -1, np.int32), families, np.ones(rows, np.bool_))


def reachable(model: Model, T: Any, limits: Any = True, threads: Any = None) -> Any:
    """Return whether some configuration has its tip at T: (4, 4) -> bool, (N, 4, 4) -> (N,) of bool.

    True is verified. False means that none was found. With a table and no closed form, targets are looked up first.
    """
    Ts = numbers(matrices(T), "a pose has 16 numbers, (4, 4) or (N, 4, 4)")
    solvers = solver_set(model, limits)
    if Ts.ndim == 2:
        return bool(solvers.pose.solve(Ts, None).ok)
    count = thread_count(threads)
    if solvers.form is None and solvers.table is not None:
        found = np.array(solvers.table.solve_all_batch(Ts, None, count)[1] > 0)
        missing = np.flatnonzero(~found)
        found[missing] = _solved(solvers, Ts[missing], count, closed=False)
        return found
    return _solved(solvers, Ts, count, closed=True)


def _solved(solvers: SolverSet, Ts: Any, threads: int, *, closed: bool) -> Any:
    rows = solvers.pose.solve_batch(Ts, None, threads, False, math.inf, closed)
    return BatchAnswer(*rows, form=solvers.form, method="lm").ok


def structure_of(model: Model) -> Structure:
    """Return the geometry report of a chain: parallel and intersecting axes, a spherical wrist, a closed form."""
    form = closed_form(model)
    closed = f"no closed form{_rounding(model)}" if form is None else form.summary
    return analyse(model.compiled, model.tip, model.reach.span, closed)


def _rounding(model: Model) -> str:
    """Return the closed form that a chain would have with exact angles, as the end of a sentence; "" if none."""
    exact = snapped(model.mechanism)
    form = closed_form(Model.chain(exact.mechanism, model.base, model.tip)) if exact.turns else None
    return "" if form is None else f" as written (its angles are rounded; with load(..., snap=True): {form.summary})"


def thread_count(given: Any) -> int:
    """Return how many threads a batch may use, 0 for as many as there are cores. Raises BadOption."""
    if given is None:
        return 0
    try:
        count = operator.index(given)
    except TypeError:
        count = 0
    if isinstance(given, bool) or count < 1:
        raise BadOption(f"threads={shown(given)}: give a whole number from 1, or None for all cores")
    return min(count, MOST_THREADS)


def _without_form(model: Model, solvers: SolverSet, T: Any, seed: Any, swivel: Any) -> Answers:
    if swivel is not None:
        raise BadOption(f"swivel= is for redundant arms with a closed form; '{model.name}' has none")
    scale = model.reach.span or 1.0
    if not countable(model):
        return spread_sample(solvers.pose, T, seed, model.revolute, scale)
    for finder in (solvers.table, solvers.search):
        answers = None if finder is None else finder.solve_all(T, seed)
        if answers is not None and answers.ok:
            break
    else:
        answers = collect(solvers.pose, T, seed, model.revolute, scale)
    found = without_family_members(answers, model.kernel, model.revolute, scale)
    solvers.pose.test_self_motions(found)
    return found


def _with_numeric_rows(solvers: SolverSet, batch: BatchAnswers, Ts: Any, seeds: Any, threads: int) -> BatchAnswers:
    """Return the batch with the configurations that attempts find in rows that have neither a configuration nor a proof."""
    missing = np.flatnonzero((batch.count == 0) & batch.open)
    if not len(missing):
        return batch
    starts = None if seeds is None else np.asarray(seeds, np.float64)
    chosen = starts[missing] if starts is not None and starts.ndim == 2 else starts
    found = BatchAnswer(
        *solvers.pose.solve_batch(matrices(Ts)[missing], chosen, threads, False, math.inf, False),
        form=None,
        method="lm",
    )
    q, number = batch.q.copy(), batch.count.copy()
    q[missing[found.ok], 0], number[missing[found.ok]] = found.q[found.ok], 1
    return replace(batch, q=q, count=number)


def _by_form(model: Model, solvers: SolverSet, T: Any, seed: Any, swivel: Any, directed: bool) -> Answers:
    postures, free = solvers.postures, redundancy(model)
    if swivel is None or free is None:
        if swivel is not None:
            raise BadOption(f"swivel= is for redundant arms; '{model.name}' is not redundant: leave it out")
        return postures.solve_all(T, seed)
    no_swivel = f"'{model.name}' has no swivel; give the value of its joint '{free.joint}' [rad or m]"
    if isinstance(swivel, str):
        if free.kind != "swivel":
            raise BadOption(f"swivel={swivel!r}: {no_swivel}")
        if swivel not in (NEAREST, "limits", "manipulable"):
            raise BadOption(
                f"swivel={swivel!r} is not known; give a number, 'nearest', 'limits', 'manipulable' or a point"
            )
        score = score_named(swivel, model)
        return postures.solve_all(T, seed) if score is None else best_swivels(postures, T, seed, score)
    values = numbers(swivel, "swivel must be a number, a name or a point of 3 numbers")
    if not np.isfinite(values).all():
        raise NotFinite(f"swivel={shown(swivel)}: give a finite number, a name or a point of 3 numbers")
    if values.shape == (3,) and free.kind == "swivel":
        return postures.solve_all(T, seed, None, postures.swivel_towards(T, values))
    if values.shape != () and free.kind != "swivel":
        raise BadOption(f"swivel has shape {values.shape}: {no_swivel}")
    if values.shape != ():
        raise BadOption(f"swivel has shape {values.shape}; give a number, a name or a point of 3 numbers")
    angle = number(swivel, "swivel")
    if directed or free.kind != "swivel":
        return postures.solve_all(T, seed, angle)
    return joined([postures.solve_all(T, seed, angle), postures.solve_all(T, seed, angle + np.pi)])

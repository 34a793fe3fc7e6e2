"""Muscle lengths for targets of the tip: one target by the methods of the registry, or many points at once."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Status
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.model import Model
from limbik.muscle import least_squares
from limbik.muscle.answer import MuscleAnswer
from limbik.muscle.method import Found, MuscleMethod, Request
from limbik.muscle.problem import MuscleProblem, muscle_problem
from limbik.muscle.registry import methods_for
from limbik.muscle.target import Target
from limbik.muscle.validation import seed_posture
from limbik.solvers.all_postures import thread_count
from limbik.solvers.preference import NEAREST, Valid, checked_valid

# A value of `prefer` beside "nearest": muscles near the middle of their ranges.
CENTRE = "centre"
# Number of other starts whose postures are offered to a caller's `valid` if it refuses the first.
OTHERS = 32


def solve_lengths(
    model: Model,
    T: Any,
    seed: Any = None,
    method: str | None = None,
    limits: bool = True,
    valid: Valid | None = None,
    prefer: str = CENTRE,
    swivel: float | None = None,
    position_tolerance: float | None = None,
    rotation_tolerance: float | None = None,
    settings: Mapping[str, Any] | None = None,
) -> MuscleAnswer:
    """Return verified muscle lengths that bring the tip to T, with the posture; or the closest ones.

    Raises NotRigid, ShapeError, NotFinite or BadOption for invalid arguments.
    """
    problem = muscle_problem(model, limits, position_tolerance, rotation_tolerance)
    target = Target.of(T)
    start = seed_posture(model, seed)
    if not isinstance(prefer, str) or prefer not in (CENTRE, NEAREST):
        raise BadOption(f"prefer={shown(prefer)} is not known; use '{CENTRE}' or '{NEAREST}'")
    given = settings or {}
    methods = methods_for(problem, target, method, swivel, given)
    wanted = None if swivel is None else number(swivel, "swivel")
    if wanted is not None and not math.isfinite(wanted):
        raise NotFinite(f"swivel={wanted}: give a finite number")
    # The failure of a method that the caller named, or at a given swivel, is not replaced by a search.
    free = wanted is None and methods[-1].replaceable
    found, used = _found(problem, target, start, methods, Request(prefer == NEAREST, wanted, given))
    answer = _answered(problem, target, start, found, used.name, free)
    refuse = checked_valid(valid)
    if refuse is None or not answer.ok or refuse(answer.q):
        return answer

    def other(near: Array) -> MuscleAnswer | None:
        again, by = _found(problem, target, near, methods, Request(True, wanted, given))
        return None if again.status is not Status.SOLVED else _answered(problem, target, near, again, by.name, free)

    return _allowed(problem.starts(start, OTHERS)[1:], answer, refuse, other)


def _found(
    problem: MuscleProblem, target: Target, start: Array, methods: tuple[MuscleMethod, ...], request: Request
) -> tuple[Found, MuscleMethod]:
    """Return the result of the first method that finds a solution or a proof, else of the last; and the method."""
    for method in methods[:-1]:
        found = method.solve(problem, target, start, request)
        if found.status is not Status.NOT_FOUND:
            return found, method
    return methods[-1].solve(problem, target, start, request), methods[-1]


def _answered(
    problem: MuscleProblem, target: Target, start: Array, found: Found, used: str, free: bool
) -> MuscleAnswer:
    """Verify a result; without one, take the closest configuration. free: whether that may count as solved if it verifies."""
    status, why, q = found.status, found.why, found.q
    # The core has verified it, lengths included: worst is at most 1 if `in_range` holds.
    if found.checked is not None and found.checked[0] <= problem.position and q is not None:
        error, lengths, worst = found.checked
        if worst <= 1.0 and ((q >= problem.lower) & (q <= problem.upper)).all():
            return MuscleAnswer(
                q, lengths, problem.names, status, error, 0.0, target.value, used, why, min(worst, 1.0), found.branch,
                found.swivel, found.ranges, found.evaluations,
            )  # fmt: skip
    if status is Status.SOLVED and not (q is not None and problem.reached(target, q)):
        status, why, q = (
            Status.NOT_FOUND,
            f"not found: the result of {used} failed the verification by forward kinematics",
            None,
        )
    replaced = q is None
    if q is None:
        q = least_squares.nearest_posture(problem, target, start)
        if free and problem.reached(target, q):
            status, used = Status.SOLVED, "least_squares"
            why = "solved within the tolerances by bounded least squares"
    lengths = problem.core.lengths(q)
    position, rotation = problem.errors(target, q)
    if replaced and status is not Status.SOLVED:
        away = f"{position:.3g} m" + (f" and {rotation:.3g} rad" if target.oriented else "")
        why += f"; the closest posture found is {away} away"
    return MuscleAnswer(
        q, lengths, problem.names, status, position, rotation, target.value, used, why, float(problem.centring(lengths)),
        found.branch, found.swivel, found.ranges, found.evaluations,
    )  # fmt: skip


def _allowed(
    starts: Array, answer: MuscleAnswer, valid: Callable[[Array], bool], other: Callable[[Array], MuscleAnswer | None]
) -> MuscleAnswer:
    """Return the answer from the first other start whose posture `valid` accepts; BLOCKED if it refuses all."""
    asked = 1
    for start in starts:
        found = other(start)
        if found is None or not found.ok:
            continue
        asked += 1
        if valid(found.q):
            return found
    return replace(answer, status=Status.BLOCKED, why=f"blocked: `valid` refused each of {asked} postures")


def solve_lengths_batch(
    model: Model, points: Any, seed: Any = None, threads: int | None = None
) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Return lengths, postures and statuses for many points, (N, 3): (N, m), (N, n), (N,) of Status numbers."""
    P = numbers(points, "points have shape (N, 3)")
    if P.ndim != 2 or P.shape[1] != 3:
        raise ShapeError(f"points must have shape (N, 3); got {P.shape}")
    if not np.isfinite(P).all():
        raise NotFinite(f"points hold NaN or infinity in row {int(np.flatnonzero(~np.isfinite(P).all(axis=1))[0])}")
    problem = muscle_problem(model)
    start = seed_posture(model, seed)
    q = np.full((len(P), model.n), np.nan)
    lengths = np.full((len(P), len(problem.muscles)), np.nan)
    status = np.full(len(P), int(Status.NOT_FOUND), np.int64)
    if problem.core.has_swivel:
        outcome, _, found, _, _ = problem.core.solve_points(P, start, False, thread_count(threads), problem.position)
        status[:] = outcome
        good = status == Status.SOLVED
        q[good] = found[good]
        tips = model.kernel.forward(q[good], -1, 0)[:, :3, 3] if good.any() else np.empty((0, 3))
        kept = np.linalg.norm(tips - P[good], axis=1) <= problem.position
        if good.any():
            kept &= model.ranges.within(q[good]) & problem.in_range(problem.core.lengths(q[good]))
        status[np.flatnonzero(good)[~kept]] = Status.NOT_FOUND
        again = np.flatnonzero(status == Status.NOT_FOUND)
    else:
        again = np.arange(len(P))
    for k in again:
        answer = solve_lengths(model, P[k], start)
        status[k], q[k] = answer.status, answer.q if answer.ok else np.nan
    good = status == Status.SOLVED
    q[~good] = np.nan
    if good.any():
        lengths[good] = problem.core.lengths(q[good])
    return lengths, q, status

"""From lengths to postures (configurations): the forward kinematics of muscle-driven arms.

The closed form (`core/muscle/from_lengths.hpp`) gives all postures from lengths of two muscles of the shoulder, one
that rotates the upper arm, and one across the elbow. Other arms and other sets of lengths use least squares from many
starts.
"""

from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption
from limbik.geometry.arrays import Array, number
from limbik.model.model import Model
from limbik.muscle.answer import MusclePostures
from limbik.muscle.families import free_direction, towards_seed
from limbik.muscle.fast_gradient import USUAL_REACH
from limbik.muscle.length_query import LengthQuery
from limbik.muscle.problem import MuscleProblem, muscle_problem
from limbik.muscle.validation import given_lengths, seed_posture

# Default tolerance of lengths [m], for an arm with a reach of USUAL_REACH.
SAME_LENGTH = 1e-6
# Postures closer than this are equal [rad or m].
SAME_POSTURE = 1e-6
# Result codes of the closed form, as in the core.
_SHOULDER, _ROLL, _ELBOW, _IMPOSSIBLE, _INCOMPATIBLE, _CONTRADICTION, _LIMITS = range(1, 8)
# The missing muscles, by code.
_LACKING = {
    _SHOULDER: "two muscles of the shoulder",
    _ROLL: "a muscle that rotates the upper arm",
    _ELBOW: "one across the elbow",
}


def posture_from_lengths(
    model: Model, lengths: Any, seed: Any = None, limits: Any = True, tolerance: Any = None
) -> MusclePostures:
    """Return the postures in which muscles have these lengths. Raises ShapeError, NotFinite, NotNumeric or BadOption."""
    problem = muscle_problem(model, limits)
    wanted = given_lengths(model, lengths)
    near = model.derived(_same_length) if tolerance is None else number(tolerance, "tolerance")
    if not 0 < near < np.inf:
        raise BadOption(f"tolerance={near:g}: it must be above 0")
    query = LengthQuery(problem, wanted, near, seed_posture(model, seed), seed is not None)
    if problem.limited:
        refused = _outside(problem, wanted)
        if refused:
            return _refused(problem, Status.LIMITS, refused)
    found = _closed(query) if problem.core.has_direct else None
    every = found is not None  # a closed form lists every posture, so an empty list is a proof
    if found is None:
        found = _searched(query)
    return _ranged(problem, found, every) if problem.limited and found.ok else found


def _same_length(model: Model) -> float:
    size = model.reach.span
    return SAME_LENGTH * (size / USUAL_REACH if 0 < size < np.inf else 1.0)


def _outside(problem: MuscleProblem, wanted: Array) -> str:
    """Return a sentence about the first length out of its range; "" if all are inside."""
    low, high = problem.bounds
    bad = (wanted < low) | (wanted > high)  # NaN is neither
    if not bad.any():
        return ""
    k = int(np.argmax(bad))
    muscle = problem.muscles[k]
    return f"outside the range: '{muscle.name}' is {wanted[k]:.6g} m, and may be {muscle.lower:.6g} to {muscle.upper:.6g} m"


def _refused(problem: MuscleProblem, status: Status, why: str, method: str = "closed_form") -> MusclePostures:
    n, m = problem.model.n, len(problem.muscles)
    return MusclePostures(np.empty((0, n)), np.empty((0, m)), problem.names, (), np.empty(0), status, why, method)


def _ranged(problem: MuscleProblem, found: MusclePostures, every: bool) -> MusclePostures:
    """Remove postures in which some other muscle is out of its range. every: whether the list is complete."""
    fits = problem.in_range(found.lengths)
    if fits.all():
        return found
    if not fits.any():
        k = int(np.argmin(problem.centring(found.lengths)))
        worst = problem.worst(found.lengths[k])
        why = f"outside the ranges of muscles: every posture with these lengths has a muscle out of range; {worst}"
        status = Status.LIMITS if every else Status.NOT_FOUND
        return _refused(problem, status, why, found.method)
    kept = tuple(b for b, fit in zip(found.branches, fits, strict=True) if fit)
    return MusclePostures(
        found.q[fits], found.lengths[fits], found.names, kept, found.off[fits], found.status,
        f"{found.why}; {int((~fits).sum())} more with a muscle out of range", found.method, found.pair,
        found.conditioning, tuple(f for f, fit in zip(found.family, fits, strict=True) if fit),
    )  # fmt: skip


def _closed(query: LengthQuery) -> MusclePostures | None:
    """Return the closed form's answer; None if it needs lengths that are not given."""
    problem, wanted = query.problem, query.wanted
    q, branches, off, reason, muscle, other, low, high, pair, conditioning, family = problem.core.direct(
        wanted, query.tolerance, problem.limited, query.seed, query.seeded
    )
    name = problem.names
    if reason in _LACKING:
        _check_enough(query, _LACKING[reason])
        return None
    if reason == _INCOMPATIBLE or (reason == _IMPOSSIBLE and low == high == 0.0):
        near_fold = _near_fold(query, (muscle, other))
        if near_fold is not None:
            return near_fold
    if reason == _IMPOSSIBLE:
        why = (
            f"impossible: '{name[muscle]}' is {wanted[muscle]:.6g} m, but its ends on the two bones are never "
            f"less than {low:.6g} nor more than {high:.6g} m apart (triangle inequality)"
        )
        return _refused(problem, Status.OUT_OF_REACH, why)
    if reason == _INCOMPATIBLE:
        why = (
            f"impossible: '{name[muscle]}' at {wanted[muscle]:.6g} m and '{name[other]}' at {wanted[other]:.6g} m "
            f"contradict each other: with the first, the second is {low:.6g} to {high:.6g} m"
        )
        return _refused(problem, Status.OUT_OF_REACH, why)
    if reason == _CONTRADICTION:
        return _refused(problem, Status.OUT_OF_REACH, _contradiction(query, muscle, low))
    if reason == _LIMITS:
        why = "outside the limits: every posture with these lengths violates a joint limit"
        return _refused(problem, Status.LIMITS, why)
    return _by_closed_form(problem, q, problem.core.lengths(q), branches, off, pair, conditioning, family)


def _check_enough(query: LengthQuery, lacking: str) -> None:
    """Raise BadOption if fewer lengths than joints are given."""
    model, count = query.problem.model, int(query.given.sum())
    if count < model.n:
        few = ", ".join(muscle.name for muscle in query.problem.muscles if muscle.independent)
        raise BadOption(
            f"{count} lengths do not determine {model.n} joints: {lacking} must be given as well"
            + (f", for example those of {few}" if few else "")
        )


def _contradiction(query: LengthQuery, muscle: int, low: float) -> str:
    """Return a sentence about a length that contradicts others. low: the length that the others imply [m]."""
    name, wanted = query.problem.names, query.wanted
    opposed = [o for o in query.problem.muscles[muscle].opposes if o in name]  # those of this arm
    rivals = [o for o in opposed if np.isfinite(wanted[name.index(o)])]
    against = (
        f"its antagonist{'s' if len(rivals) > 1 else ''} {', '.join(map(repr, rivals))}" if rivals else "the others"
    )
    given = f"'{name[muscle]}' at {wanted[muscle]:.6g} m"
    return f"impossible: {given} contradicts {against}, with which it would be {low:.6g} m"


def _by_closed_form(
    problem: MuscleProblem,
    q: Array,
    lengths: Array,
    branches: Any,
    off: Array,
    pair: Any,
    conditioning: float,
    family: Any,
) -> MusclePostures:
    by = tuple(problem.names[k] for k in pair if k >= 0)
    why = f"{len(q)} posture{'' if len(q) == 1 else 's'} in closed form, the upper arm by {' and '.join(by)}"
    if any(family):
        first = problem.model.joint_names[0]
        why += f"; they leave '{first}' free, so this is one of a family of postures: the seed selects one"
    return MusclePostures(
        q,
        lengths,
        problem.names,
        tuple(branches),
        off,
        Status.SOLVED,
        why,
        "closed_form",
        by,
        conditioning,
        tuple(family),
    )


def _near_fold(query: LengthQuery, incompatible: tuple[int, int]) -> MusclePostures | None:
    """Return postures with these lengths within the tolerance if two exact lengths are incompatible; None if there are none.

    Near the fold of two muscles, rounded lengths may be slightly beyond it. Other muscles may replace one of the two;
    otherwise least squares find the closest posture.
    """
    problem = query.problem
    for k in incompatible:
        if k < 0:
            continue
        fewer = query.wanted.copy()
        fewer[k] = np.nan
        q, branches, _, reason, *_, pair, conditioning, family = problem.core.direct(
            fewer, query.tolerance, problem.limited, query.seed, query.seeded
        )
        if reason != 0:
            continue
        lengths = problem.core.lengths(q)
        off = np.nanmax(np.abs(lengths - query.wanted), axis=1)
        fits = np.flatnonzero(off <= query.tolerance)
        if fits.size:
            kept, free = [branches[i] for i in fits], [family[i] for i in fits]
            return _by_closed_form(problem, q[fits], lengths[fits], kept, off[fits], pair, conditioning, free)
    found = _searched(query)
    return found if found.ok else None


def _searched(query: LengthQuery) -> MusclePostures:
    """Return the postures that least squares find from many starts."""
    problem, wanted = query.problem, query.wanted
    kernel, ranges = problem.model.kernel, problem.model.ranges
    starts = problem.starts(query.seed)
    q, off = problem.core.match(wanted, starts, problem.limited)
    if ranges.cones and problem.limited:
        off = np.where(ranges.within(q), off, np.inf)
    good = np.flatnonzero(off <= query.tolerance)
    kept: list[int] = []
    for row in good:
        if all(np.abs(kernel.difference(q[j], q[row])).max(initial=0.0) > SAME_POSTURE for j in kept):
            kept.append(int(row))
    if not kept:
        k = int(np.argmin(off))
        gap = np.where(np.isnan(wanted), 0.0, np.abs(problem.core.lengths(q[k]) - wanted))
        worst = int(np.argmax(gap))
        why = (
            f"not found: no posture from {len(starts)} starts has these lengths; the closest has "
            f"'{problem.names[worst]}' {gap[worst]:.3g} m off"
        )
        return _refused(problem, Status.NOT_FOUND, why, "least_squares")
    rows = q[kept]
    few = int(query.given.sum()) < problem.model.n
    directions = [free_direction(query, row) for row in rows]
    free = [few or direction is not None for direction in directions]
    if query.seeded:
        pairs = zip(rows, directions, strict=True)
        rows = np.array([towards_seed(query, row, direction) for row, direction in pairs])
    if any(free):  # starts converge to different members of a family: keep the one from the seed
        first = free.index(True)
        alone = [i for i, of_family in enumerate(free) if not of_family or i == first]
        rows, free = rows[alone], [free[i] for i in alone]
    why = (
        "one of a family of postures with these lengths, by least squares: fewer lengths than joints"
        if few
        else f"{len(rows)} posture{'' if len(rows) == 1 else 's'} by least squares, {len(starts)} starts; there may be more"
    )
    if any(free) and not few:
        why += "; they leave a joint free, so this is one of a family of postures: the seed selects one"
    lengths = problem.core.lengths(rows)
    return MusclePostures(
        rows, lengths, problem.names, tuple(range(len(rows))), np.nanmax(np.abs(lengths - wanted), axis=1),
        Status.SOLVED, why, "least_squares", family=tuple(free),
    )  # fmt: skip

"""The default method: all postures (configurations) from the geometry, and among these the one with the best-centred muscles.

For a point and an arm of four joints (spherical shoulder, elbow), the core gives the exact arcs of the swivel in which all joints
and muscles are in range (`core/muscle/swivel_arcs.hpp`); an empty set is a proof. For a pose and a decoupled arm, all postures
are examined. For an arm with a swivel, the arcs inside the joint limits are exact, and muscles are evaluated on a grid over each
arc and refined around the best grid point: results are verified, but a missing result is no proof.
"""

import math

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.muscle.method import Found, Request
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target
from limbik.muscle.whole_turns import whole_turns
from limbik.solvers.closed_form.swivel import INSIDE, arcs

# Number of swivels on each arc in the first round, around the best one in each further round, and number of rounds.
GRID, SECTION, ROUNDS = 49, 9, 12

# Why a point has no posture, in the order of the core's numbers.
_TOO_FAR, _TOO_NEAR, _ELBOW, _JOINTS, _MUSCLES = range(1, 6)


def fits(problem: MuscleProblem, target: Target) -> bool:
    """Return whether there is a closed form for a target."""
    if not target.oriented:
        return problem.core.has_swivel
    form = problem.form
    return (
        target.point is not None and form is not None and (form.redundancy is None or form.redundancy.kind == "swivel")
    )


def solve(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return the posture with the best-centred muscles, or the one closest to the seed."""
    if not target.oriented:
        return _at_point(problem, target, seed, request.nearest, request.swivel)
    if problem.form is not None and problem.form.redundancy is not None:
        return _over_swivel(problem, target, seed, request.nearest, request.swivel)
    return _branches(problem, target, seed, request.nearest)


def _at_point(problem: MuscleProblem, target: Target, seed: Array, nearest: bool, swivel: float | None) -> Found:
    outcome, reason, q, at, worst, branch, feasible, evaluations, error, lengths = problem.core.solve_point(
        target.value, seed, nearest, swivel, problem.position
    )
    if outcome == 0:
        arcs_found = feasible.tolist()
        ranges = tuple((low, high) for elbow, way, low, high in arcs_found if int(2 * elbow + way) == branch)
        free = sum(high - low for _, _, low, high in arcs_found)
        chosen = "closest to the seed" if nearest else "with the muscles best centred"
        how = (
            "at the given swivel"
            if swivel is not None
            else f"{chosen}; {math.degrees(free):.3g} deg of swivels are feasible"
        )
        why = f"solved in closed form over the swivel, {how}"
        return Found(Status.SOLVED, why, q, branch, at, ranges, evaluations, (error, lengths, worst))
    shoulder, least, most = problem.core.shell()
    distance = float(np.linalg.norm(target.value - np.array(shoulder)))
    if reason in (_TOO_FAR, _TOO_NEAR):
        word, bound = ("farther", most) if reason == _TOO_FAR else ("closer", least)
        why = f"out of reach: the point is {distance:.6g} m from the shoulder, and the tip can be no {word} than {bound:.6g} m"
        return Found(Status.OUT_OF_REACH, why, evaluations=evaluations)
    scope = "at this swivel" if swivel is not None else "at every swivel"
    if reason == _ELBOW:
        why = f"outside the limits: at {distance:.4g} m from the shoulder the elbow is outside its range"
    elif reason == _JOINTS:
        why = f"outside the limits: {scope} a joint of the shoulder is outside its range"
    else:
        lengths = problem.core.lengths(q)
        why = f"outside the ranges of muscles: {scope} one is too long or too short; at best {problem.worst(lengths)}"
    status = Status(outcome)
    if status is Status.NOT_FOUND:
        why = f"not found: {why.split(': ', 1)[1]}, as far as was searched"
    return Found(status, why, evaluations=evaluations)


def _pick(problem: MuscleProblem, q: Array, seed: Array, nearest: bool) -> tuple[int, Array]:
    """Return the best row whose muscles are in range, -1 for none, and the centring of all rows."""
    lengths = problem.core.lengths(q)
    off = problem.centring(lengths)
    in_range = problem.in_range(lengths)
    if not in_range.any():
        return -1, off
    score = np.abs(q - seed).max(axis=1) if nearest else problem.spread(lengths)
    return int(np.argmin(np.where(in_range, score, np.inf))), off


def _none(problem: MuscleProblem, q: Array, off: Array, proven: bool, what: str) -> Found:
    lengths = problem.core.lengths(q[int(np.argmin(off))])
    status = Status.LIMITS if proven else Status.NOT_FOUND
    head = "outside the ranges of muscles" if proven else "not found"
    return Found(
        status,
        f"{head}: {what} has a muscle too long or too short; at best {problem.worst(lengths)}",
        evaluations=len(q),
    )


def _branches(problem: MuscleProblem, target: Target, seed: Array, nearest: bool) -> Found:
    answers = problem.postures.solve_all(target.value, seed)
    if len(answers) == 0:
        return Found(Status(answers.status), answers.why)
    q, source, every = whole_turns(problem, np.array(answers.q))
    k, off = _pick(problem, q, seed, nearest)
    if k < 0:
        proven = every and not any(answer.family for answer in answers)
        return _none(problem, q, off, proven, f"each of {len(q)} postures at this pose")
    why = f"solved in closed form: {'the closest' if nearest else 'the best centred'} of {len(q)} postures with muscles in range"
    return Found(Status.SOLVED, why, q[k], int(answers.branches[source[k]]), None, (), len(q))


def _over_swivel(problem: MuscleProblem, target: Target, seed: Array, nearest: bool, swivel: float | None) -> Found:
    T, postures = target.value, problem.postures
    evaluations = 0
    proven = swivel is not None
    best: tuple[float, Array, int, float, float, float] | None = None
    missed: list[tuple[Array, Array]] = []
    every = arcs(postures, T)
    if not every:
        answers = postures.solve_all(T, seed)
        if len(answers) == 0:
            return Found(Status(answers.status), answers.why)
    for branch, low, high in every:
        inset = min(INSIDE, 0.25 * (high - low))
        at = np.linspace(low + inset, high - inset, GRID) if swivel is None else np.array([_inside(swivel, low, high)])
        for _ in range(ROUNDS if swivel is None else 1):
            at = at[np.isfinite(at)]
            if not len(at):
                break
            found = postures.at_swivels(T, seed, [branch] * len(at), at.tolist())
            if len(found) != len(at):
                proven = False
                break
            q, source, all_turns = whole_turns(problem, np.array(found.q))
            proven = proven and all_turns
            evaluations += len(q)
            k, off = _pick(problem, q, seed, nearest)
            if k < 0:
                missed.append((q, off))
                k = int(np.argmin(off))  # refine where muscles are closest to their ranges
            else:
                score = (
                    float(np.abs(q[k] - seed).max()) if nearest else float(problem.spread(problem.core.lengths(q[k])))
                )
                if best is None or score < best[0]:
                    best = score, q[k], branch, float(at[source[k]]), low, high
            step = float(at[1] - at[0]) if len(at) > 1 else 0.0
            if step < 1e-7:
                break
            place = float(at[source[k]])
            at = np.linspace(max(low + inset, place - step), min(high - inset, place + step), SECTION)
    if best is not None:
        _, q, branch, place, low, high = best
        how = "closest to the seed" if nearest else "with the muscles best centred"
        return Found(
            Status.SOLVED,
            f"solved in closed form over the swivel, {how}",
            q,
            branch,
            place,
            ((low, high),),
            evaluations,
        )
    if not missed:
        return Found(
            Status.NOT_FOUND, "not found: no posture inside the joint limits has this swivel", evaluations=evaluations
        )
    q, off = (np.concatenate(parts) for parts in zip(*missed, strict=True))
    where = "every swivel examined" if swivel is None else "this swivel"
    return _none(problem, q, off, proven, where)._replace(evaluations=evaluations)


def _inside(swivel: float, low: float, high: float) -> float:
    """Return the 2-pi copy of a swivel that is inside an arc; NaN if there is none."""
    copy = low + (swivel - low) % (2 * math.pi)
    return copy if copy <= high else math.nan

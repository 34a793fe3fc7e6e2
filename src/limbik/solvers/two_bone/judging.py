"""Verification of a limb's posture (configuration) by forward kinematics and limits, and alternative elbow positions."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from limbik._core import POSITION_TOLERANCE, RELATIVE_TOLERANCE, ROTATION_TOLERANCE, Status, pose_error
from limbik.geometry.arrays import Array
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.joint import Kind
from limbik.solvers.query import make_query
from limbik.solvers.solve import solve
from limbik.solvers.two_bone.answer import BEND, ELBOW, END, LINE, MARKS, MISSING, SIDE, STRETCHED, Mark
from limbik.solvers.two_bone.arcs import Arcs, nearest_from, nearest_in, swivel_arcs
from limbik.solvers.two_bone.geometry import AT_END, Geometry, turned_by
from limbik.solvers.two_bone.limb_model import LimbModel, Problem
from limbik.solvers.two_bone.plane import about, angle_about, transported
from limbik.solvers.two_bone.polish import polished

# Rotations of the forearm about the upper bone that a ball at the elbow tries, in this order, to satisfy the limits
# [rad].
ROLLS = np.array([0.0, *(sign * k * math.pi / 12 for k in range(1, 12) for sign in (1, -1)), math.pi])

# Largest errors that the rounding of a double root explains; Newton's method then refines [relative to the reach; rad].
NEARLY = 1e-5


class Verdict(NamedTuple):
    """Verified postures.

    rows: of the core, (N, 16). q: (N, n). status: (N,). turned: (N,) rotation errors [rad]. sides: (N,) errors of the
    elbow's direction [rad]. swivels: (N,) [rad].
    """

    rows: Array
    q: Array
    status: npt.NDArray[np.int64]
    turned: Array
    sides: Array
    swivels: Array


def arcs_of(limb: LimbModel, problem: Problem, rows: Array, k: int) -> Arcs:
    """Return the swivels at which the target of one row is reached inside the limits."""
    geo, seed = problem.row(k)
    line = rows[k, LINE]
    D = np.linalg.norm(rows[k : k + 1, END] - geo.root, axis=-1) / rows[k : k + 1, STRETCHED]
    R = None if problem.poses is None else problem.poses[k, :3, :3]
    return swivel_arcs(limb.joints, geo, line, limb.zero_at(geo, line[None])[0], D, R, seed)


def elsewhere(
    limb: LimbModel, problem: Problem, rows: Array, k: int, D: float, wanted: Array, earlier: Array | None
) -> Array | None:
    """Return the posture inside the limits whose elbow is closest to the desired direction; None if none is found.

    earlier: (6,) the previous line and elbow direction. The elbow then moves from there towards the desired direction
    as far as the limits allow.
    """
    joints = limb.joints
    geo, seed = problem.row(k)
    line, zero = rows[k, LINE], limb.zero_at(geo, rows[k : k + 1, LINE])[0]
    R = None if problem.poses is None else problem.poses[k, :3, :3]

    def at(bones: Geometry, side: Array, count: int) -> tuple[Array, Any]:
        lines, sides, seeds = (np.broadcast_to(x, (count, len(x))) for x in (line, side, seed))
        rotations = None if R is None else np.broadcast_to(R, (count, 3, 3))
        return joints.postures(bones, lines, sides, np.full(count, D), rotations, seeds, True)

    balls = joints.ball_elbow is not None
    if balls:
        q, good = at(geo.rolled(ROLLS), wanted, len(ROLLS))
        if good.any():
            return np.asarray(q[int(np.argmax(good))])
    for roll in ROLLS if balls else ROLLS[:1]:
        bones = geo.rolled(np.array([roll])) if balls else geo
        arcs = swivel_arcs(joints, bones, line, zero, np.array([D]), R, seed)
        if arcs:
            angle = float(angle_about(line, zero, wanted))
            if earlier is None:
                angle = nearest_in(arcs, angle)
            else:
                start = transported(earlier[:3], line, earlier[3:])
                angle = nearest_from(arcs, angle, float(angle_about(line, zero, start)))
            q, good = at(bones, about(line, zero, np.array(angle)), 1)
            return np.asarray(q[0]) if good[0] else None
    return None


def _held_beyond(limb: LimbModel) -> bool:
    """Return whether a joint beyond the elbow that could rotate the end is fixed at its seed value."""
    parts, elements = limb.joints.parts, limb.robot.model.compiled.elements
    beyond = parts.path[parts.path.index(parts.elbow) + 1 :]
    return any(e not in parts.wrist and elements[e].joint.kind is not Kind.FIXED for e in beyond)


def searched(limb: LimbModel, problem: Problem, k: int) -> Array:
    """Return the closest configuration inside the limits that a search finds; only the limb's own joints move.

    If the target is a point, the wrist's joints keep their seed values.
    """
    robot, own = limb.robot, set(limb.places.tolist())
    if problem.poses is None:
        own -= set(limb.joints.places(limb.joints.parts.wrist).tolist())
    held = [v.joint.name for v in robot.model.compiled.variables if v.first not in own]
    place = problem.places[k]
    goal = Position(limb.end, place) if problem.poses is None else Pose(limb.end, problem.poses[k])
    seed = problem.seeds[0 if len(problem.seeds) == 1 else k]
    return np.array(solve(robot.model, make_query(robot.model, goal, seed, frozen=held or None)).q)


def polished_rows(limb: LimbModel, problem: Problem, judged: Verdict) -> Array | None:
    """Return postures with those refined whose error the rounding of a double root explains; None if there are none."""
    rows, q, status, turned = judged[:4]
    near = (rows[:, MISSING] <= NEARLY * limb.robot.reach) & (turned <= NEARLY) & (rows[:, STRETCHED] == 1.0)
    some = np.flatnonzero((status == Status.NOT_FOUND) & near)
    if not len(some):
        return None
    out, kernel, number = np.array(q), limb.robot.model.kernel, limb.robot.model.frame_index(limb.end)
    ranges = limb.joints.ranges if problem.limits else None
    for k in some:
        target = np.eye(4)
        target[:3, 3] = problem.places[k]
        if problem.poses is not None:
            target = problem.poses[k]
        out[k] = polished(kernel, ranges, limb.places, number, q[k], target, problem.poses is not None)
    return out


def judge(
    limb: LimbModel,
    problem: Problem,
    rows: Array,
    q: Array,
    good: Any,
    barred: Any,
    wanted: Array,
    free: bool,
    most: float,
    threads: int,
) -> Verdict:
    """Verify postures by forward kinematics, and return their status and errors.

    good: (N,) which rows have joint values inside the limits. barred: (N,) which rows have none at any swivel. wanted:
    (N, 3) the desired elbow directions. free: no direction is desired. most: the greatest factor of the bones' lengths.
    """
    joints, kernel = limb.joints, limb.robot.model.kernel
    actual = kernel.forward(q, limb.robot.model.frame_index(limb.end), threads)
    whole = problem.poses is not None
    now = joints.geometry(q, whole)
    line, side = joints.frames(now, q)
    factor = rows[:, STRETCHED]
    at_wrist = turned_by(actual[:, :3, :3], now.wrist_in_end) + actual[:, :3, 3]
    extension = (factor - 1)[:, None] * (at_wrist - now.root)
    place = actual[:, :3, 3] + extension
    missing = np.linalg.norm(place - problem.places, axis=-1)
    turned = np.zeros(len(q))
    if problem.poses is not None:
        at_target = np.array(actual)
        at_target[:, :3, 3] = problem.places
        turned = np.linalg.norm(pose_error(at_target, problem.poses)[:, 3:], axis=-1)
    sides = (
        np.zeros(len(q))
        if free
        else np.abs(angle_about(line, side, wanted - np.einsum("ki,ki->k", wanted, line)[:, None] * line))
    )
    R_upper = now.base[..., :3, :3] @ joints.root.rotation(q[:, joints.places(joints.parts.root)])
    elbow = now.root + factor[:, None] * turned_by(R_upper @ now.middle, now.u)

    tolerance = max(POSITION_TOLERANCE, RELATIVE_TOLERANCE * limb.robot.reach)
    reached = (missing <= tolerance) & (turned <= ROTATION_TOLERANCE)
    if problem.limits:
        reached &= joints.within(q)
    marks = rows[:, MARKS].astype(np.int64)
    x = np.linalg.norm(problem.points - problem.geo.root, axis=-1)
    slack = 1 + RELATIVE_TOLERANCE
    upper, lower = problem.geo.a, problem.geo.b
    possible = (x <= (upper + lower) * most * slack) & (x >= np.abs(upper - lower) / slack)
    status = np.full(len(q), int(Status.NOT_FOUND))
    status[(marks & Mark.SOFT > 0) & good] = Status.COMPROMISE
    # The closed form proves LIMITS, with three exceptions: a joint that changes a bone's length, such as a wrist that could
    # move the end towards a point; a ball at the elbow, because not every roll is tried; and a fixed joint beyond the elbow
    # that could rotate the end.
    if limb.keeps_lengths(whole):
        if joints.ball_elbow is None and not (whole and _held_beyond(limb)):
            status[barred] = Status.LIMITS
        off = marks & (Mark.TOO_FAR | Mark.TOO_NEAR) > 0
        status[off] = np.where(possible, int(Status.LIMITS), int(Status.OUT_OF_REACH))[off]
    # The elbow of a straight limb is on its line, so its direction is undefined.
    straight = np.abs(np.einsum("ki,ki->k", elbow - now.root, side)) <= AT_END * (upper + lower)
    elbow_slack = np.where(straight, 2 * AT_END * (upper + lower), tolerance)
    moved = (np.linalg.norm(elbow - rows[:, ELBOW], axis=-1) > elbow_slack) & (not free)
    status[reached] = np.where(moved[reached], int(Status.COMPROMISE), int(Status.SOLVED))

    out = np.array(rows)
    out[:, ELBOW], out[:, LINE], out[:, SIDE], out[:, MISSING] = elbow, line, side, missing
    out[:, END] = place
    bent = np.einsum("ki,ki->k", at_wrist - now.root, at_wrist - now.root) - now.a**2 - now.b**2
    size = 2 * now.a * now.b
    cosine = np.clip(bent / np.where(size > 0, size, 1.0), -1, 1)
    # Recompute the bend of postures that limits have changed; the core's value has more digits otherwise.
    out[:, BEND] = np.where(good, rows[:, BEND], np.arctan2(np.sqrt((1 - cosine) * (1 + cosine)), cosine))
    swivels = angle_about(line, limb.zero_at(now, line), side)
    return Verdict(out, q, status, turned, sides, swivels)

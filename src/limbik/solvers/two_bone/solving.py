"""Solve targets of a limb: core solution, joint values, another elbow direction if limits require it, verification."""

from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Status
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.solvers.two_bone.answer import COLUMNS, END, LINE, SIDE, STRETCHED, frames_of
from limbik.solvers.two_bone.judging import Verdict, elsewhere, judge, polished_rows, searched
from limbik.solvers.two_bone.limb import ElbowAim
from limbik.solvers.two_bone.limb_model import LimbModel, Problem
from limbik.solvers.two_bone.stretch import checked_stretch


def solved(
    limb: LimbModel, targets: Array, aim: ElbowAim, seed: Any, previous: Any, soft: Any, stretch: Any, limits: Any,
    relief: tuple[Any, Any], threads: int,
) -> Verdict:  # fmt: skip
    """Return postures for points (N, 3) or poses (N, 4, 4). relief: (give_way, nearest).

    give_way: whether the elbow may leave the desired direction to satisfy the limits. nearest: whether a numerical
    search gives the closest configuration if none is found.
    """
    problem = limb.problem(targets, seed, previous, checked_flag(limits, "limits"))
    give_way, search = checked_flag(relief[0], "give_way"), checked_flag(relief[1], "nearest")
    geo, joints, count = problem.geo, limb.joints, len(targets)
    earlier = frames_of(previous)
    free = aim.pole is None and aim.swivel is None
    if free and earlier is None:
        earlier = np.concatenate(
            joints.frames(joints.geometry(problem.seeds, problem.poses is not None), problem.seeds), -1
        )
        earlier = earlier[0] if len(earlier) == 1 else earlier
    rows = np.array(limb.rows(problem, aim, earlier, soft, stretch, threads))
    if not count:
        nothing = np.zeros(0)
        q = np.zeros((0, limb.robot.n))
        return Verdict(rows.reshape(0, COLUMNS), q, np.zeros(0, np.int64), nothing, nothing, nothing)
    D = np.linalg.norm(rows[:, END] - geo.root, axis=-1) / rows[:, STRETCHED]
    R_end = None if problem.poses is None else problem.poses[:, :3, :3]
    wanted = np.array(rows[:, SIDE])
    q, good = joints.postures(geo, rows[:, LINE], wanted, D, R_end, problem.seeds, problem.limits)
    barred = np.zeros(count, bool)
    before = None
    if earlier is not None:  # a direction alone has no line: its line stays 0
        known = np.asarray(earlier, float)
        before = np.zeros((count, 6))
        before[:, 6 - known.shape[-1] :] = known
    for k in np.flatnonzero(~good) if problem.limits else ():
        found = None
        if give_way or free:
            found = elsewhere(limb, problem, rows, int(k), D[k], wanted[k], None if before is None else before[k])
        barred[k] = found is None and (give_way or free)
        if found is not None:
            q[k], good[k] = found, True
        elif search:
            q[k] = searched(limb, problem, int(k))
    if problem.limits:
        outside = ~(good & joints.within(q))
        q[outside] = joints.clamped(q[outside])
    most = checked_stretch(stretch).most
    judged = judge(limb, problem, rows, q, good, barred, wanted, free, most, threads)
    again = polished_rows(limb, problem, judged)
    if again is not None:
        judged = judge(limb, problem, rows, again, good, barred, wanted, free, most, threads)
    claimed = np.flatnonzero(judged.status == Status.LIMITS)
    if len(claimed):
        judged.status[claimed[~_reached_outside(limb, problem, targets, claimed, stretch)]] = Status.NOT_FOUND
    return judged


def _reached_outside(
    limb: LimbModel, problem: Problem, targets: Array, which: Any, stretch: Any
) -> npt.NDArray[np.bool_]:
    """Return which targets a posture outside the limits reaches: what LIMITS claims besides that none inside does."""
    if not problem.limits:
        return np.zeros(len(which), bool)
    seeds = problem.seeds[0] if len(problem.seeds) == 1 else problem.seeds[which]
    anywhere = ElbowAim(None, None, False)
    found = solved(limb, targets[which], anywhere, seeds, None, 0.0, stretch, False, (True, False), 1)
    return np.asarray((found.status == Status.SOLVED) | (found.status == Status.COMPROMISE))


def checked_flag(given: Any, what: str) -> bool:
    """Return a flag. Raises BadOption."""
    if not isinstance(given, bool | np.bool_):
        raise BadOption(f"{what}={shown(given)}: True or False")
    return bool(given)

"""State in one sentence why a path cannot be followed further: the frame, its time, and the reason."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.motion.follow.planner import JointTrajectory
from limbik.motion.follow.posture_sources import BranchSource

if TYPE_CHECKING:
    from limbik.motion.follow.follower import Follower
    from limbik.robot.chain import Chain

# The largest step to a posture (configuration) that continues a trajectory [rad, or fractions of the reach].
CONTINUES = 0.5
# A joint within this distance of its limit is at the limit [rad, or fractions of the reach].
AT_LIMIT = 0.05


class Failure(NamedTuple):
    """The status and the reason of a failure, and the failed frame; None without a failure."""

    status: Status
    why: str
    failed: int | None


def failure_at(follower: "Follower", trajectory: JointTrajectory, missed: int, k: int, wanted: int) -> Failure:
    """Return the failure at the first frame that was not reached.

    missed: the frame's index in the path's own time. k: its index in the clip of `wanted` frames, which differs if the clip was
    slowed down.
    """
    arm, source, path = follower.task.arm, follower.source, follower.task.path
    t = float(follower.task.frames[missed])
    before = trajectory.times < t
    if len(trajectory.q) and not before.all():
        trajectory = replace(
            trajectory, times=trajectory.times[before], q=trajectory.q[before], complete=False, next_time=t
        )
    where = f"frame {k} of {wanted} (t = {t:.4g} s)"
    T = path.at(t)
    answer: Any = arm.solve(T, trajectory.q[-1] if len(trajectory.q) else source.seed, limits=source.limits)
    if not answer.ok:
        return Failure(Status(answer.status), f"{where} cannot be reached: {answer.why}", k)
    if source.refused and source.listed and not len(source.postures(T[None]).q):
        return Failure(Status.BLOCKED, f"{where} cannot be reached: valid= refuses every posture there", k)
    if not len(trajectory.q):
        return Failure(Status.NOT_FOUND, f"{where} was not reached: no posture was found there", k)
    status, why = _end_reason(follower, trajectory)
    jump = _closest_jump(arm, source, T, trajectory.q[-1], answer.q)
    if source.listed and source.keys == 1:
        return Failure(status, f"{where} cannot be reached without a jump: {why}; {jump}", k)
    # not every posture was examined, so a limit is not proven to be the reason
    status = Status.NOT_FOUND if status == Status.LIMITS else status
    return Failure(status, f"{where} was not reached without a jump: {why}; {jump}", k)


def _end_reason(follower: "Follower", trajectory: JointTrajectory) -> tuple[Status, str]:
    """Return why a trajectory ends: at a joint limit, because `valid` refuses, or at a singular posture."""
    arm, source, path = follower.task.arm, follower.source, follower.task.path
    last, t = trajectory.q[-1], min(trajectory.next_time, path.duration)
    free = source.unbounded(last)
    q, ok = free.solve_near(path.at(t)[None], last[None])
    far = float(np.abs((q[0] - last) * source.weight).max())
    if ok[0] and far <= CONTINUES and source.limits:
        for j in np.flatnonzero((q[0] < arm.lower) | (q[0] > arm.upper)):
            side, limit = ("lower", arm.lower[j]) if q[0, j] < arm.lower[j] else ("upper", arm.upper[j])
            return Status.LIMITS, f"joint '{arm.joint_names[j]}' reaches its {side} limit {limit:.4g}"
    if source.refused:
        return Status.BLOCKED, "valid= refuses the postures that continue"
    if source.limits:
        room = np.minimum(last - arm.lower, arm.upper - last) * source.weight
        tightest = int(np.argmin(room))
        if room[tightest] <= AT_LIMIT:
            low, high = last[tightest] - arm.lower[tightest], arm.upper[tightest] - last[tightest]
            side, limit = ("lower", arm.lower[tightest]) if low < high else ("upper", arm.upper[tightest])
            return Status.LIMITS, f"joint '{arm.joint_names[tightest]}' reaches its {side} limit {limit:.4g}"
    return Status.NOT_FOUND, "the branch ends there at a singular posture"


def _closest_jump(arm: "Chain", source: BranchSource, T: Array, last: Array, other: Array) -> str:
    """Return the smallest jump that would continue, as text. other: a solution at T, for arms whose postures cannot be listed."""
    if not source.listed:
        return _jump_text(arm, source, last, other)
    there = source.postures(T[None])
    if not len(there.q):
        return "no posture is close"
    gap = np.abs((there.q - last) * source.weight).max(axis=1)
    k = int(np.argmin(gap))
    return _jump_text(arm, source, last, there.q[k])


def _jump_text(arm: "Chain", source: BranchSource, a: Array, b: Array) -> str:
    j = int(np.argmax(np.abs((b - a) * source.weight)))
    revolutions = (b[j] - a[j]) / (2 * np.pi)
    unit = "rad" if source.revolute[j] else "m"
    if source.revolute[j] and abs(revolutions) > 0.8:
        return f"joint '{arm.joint_names[j]}' must unwind by {abs(b[j] - a[j]):.3g} {unit}"
    return f"joint '{arm.joint_names[j]}' must jump by {abs(b[j] - a[j]):.3g} {unit}"


def jump_reason(follower: "Follower", q: Array, places: Array, k: int) -> str:
    """Return the reason for a jump at a frame."""
    before = JointTrajectory(
        places[:k], q[:k], np.zeros(k, np.int64), np.zeros(k, np.bool_), False, False, float(places[k])
    )
    _, why = _end_reason(follower, before)
    return (
        f"at frame {k} (t = {places[k]:.4g} s) {_jump_text(follower.task.arm, follower.source, q[k - 1], q[k])}: {why}"
    )

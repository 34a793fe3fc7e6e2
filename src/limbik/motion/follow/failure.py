"""The reason why a path cannot be followed further, as one sentence: the frame, its time, and the obstacle."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.motion.follow.planner import Course
from limbik.motion.follow.posture_sources import Branches

if TYPE_CHECKING:
    from limbik.motion.follow.follower import Follower
    from limbik.robot.chain import Chain

# The largest step to a posture that continues a trajectory [rad, or fractions of the reach].
LEADS_ON = 0.5
# A joint within this distance of its limit is at the limit [rad, or fractions of the reach].
AT_LIMIT = 0.05


class Broken(NamedTuple):
    """The reason of a failure, and the frame; None without a failure."""

    status: Status
    why: str
    failed: int | None


def why_broken(follower: "Follower", course: Course, missed: int, k: int, wanted: int) -> Broken:
    """Return the reason of the failure at the first frame that was not reached.

    missed: its index at the path's own time. k: its index in the clip of `wanted` frames, which differs if joints are too slow.
    """
    arm, source, path = follower.task.arm, follower.source, follower.task.path
    t = float(follower.task.frames[missed])
    before = course.times < t
    if len(course.q) and not before.all():
        course = replace(course, times=course.times[before], q=course.q[before], whole=False, next=t)
    where = f"frame {k} of {wanted} (t = {t:.4g} s)"
    T = path.at(t)
    answer: Any = arm.solve(T, course.q[-1] if len(course.q) else source.seed, limits=source.limits)
    if not answer.ok:
        return Broken(Status(answer.status), f"{where} cannot be reached: {answer.why}", k)
    if source.refused and source.listed and not len(source.postures(T[None]).q):
        return Broken(Status.BLOCKED, f"{where} cannot be reached: valid= refuses every posture there", k)
    if not len(course.q):
        return Broken(Status.NOT_FOUND, f"{where} was not reached: no posture was found there", k)
    status, why = _obstacle(follower, course)
    leap = _needed(arm, source, T, course.q[-1], answer.q)
    if source.listed and source.keys == 1:
        return Broken(status, f"{where} cannot be reached without a jump: {why}; {leap}", k)
    # not every posture was examined: only refusals by `valid` are certain
    status = Status.NOT_FOUND if status == Status.LIMITS else status
    return Broken(status, f"{where} was not reached without a jump: {why}; {leap}", k)


def _obstacle(follower: "Follower", course: Course) -> tuple[Status, str]:
    """Return the reason why a trajectory ends: a joint limit, a refusal by `valid`, or a singular posture."""
    arm, source, path = follower.task.arm, follower.source, follower.task.path
    last, t = course.q[-1], min(course.next, path.duration)
    free = source.unbounded(last)
    q, ok = free.settle(path.at(t)[None], last[None])
    far = float(np.abs((q[0] - last) * source.weight).max())
    if ok[0] and far <= LEADS_ON and source.limits:
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


def _needed(arm: "Chain", source: Branches, T: Array, last: Array, other: Array) -> str:
    """Return the required jump as text. other: a posture there, for arms whose postures cannot be listed."""
    if not source.listed:
        return _leap(arm, source, last, other)
    there = source.postures(T[None])
    if not len(there.q):
        return "no posture is close"
    gap = np.abs((there.q - last) * source.weight).max(axis=1)
    k = int(np.argmin(gap))
    return _leap(arm, source, last, there.q[k])


def _leap(arm: "Chain", source: Branches, a: Array, b: Array) -> str:
    j = int(np.argmax(np.abs((b - a) * source.weight)))
    turns = (b[j] - a[j]) / (2 * np.pi)
    unit = "rad" if source.turning[j] else "m"
    if source.turning[j] and abs(turns) > 0.8:
        return f"joint '{arm.joint_names[j]}' must unwind by {abs(b[j] - a[j]):.3g} {unit}"
    return f"joint '{arm.joint_names[j]}' must jump by {abs(b[j] - a[j]):.3g} {unit}"


def why_jumped(follower: "Follower", q: Array, places: Array, k: int) -> str:
    """Return the reason for a jump at a frame."""
    before = Course(places[:k], q[:k], np.zeros(k, np.int64), np.zeros(k, np.bool_), False, False, float(places[k]))
    _, why = _obstacle(follower, before)
    return f"at frame {k} (t = {places[k]:.4g} s) {_leap(follower.task.arm, follower.source, q[k - 1], q[k])}: {why}"

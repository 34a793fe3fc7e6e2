"""From a planned trajectory to a clip: the time of each frame, verification, and the sentence about it."""

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from limbik._core import ROTATION_TOLERANCE, Status, pose_error
from limbik.geometry.arrays import Array
from limbik.model.model import position_tolerance
from limbik.motion.follow.continuity import refined
from limbik.motion.follow.failure import Broken, why_broken, why_jumped
from limbik.motion.follow.follower import Follower
from limbik.motion.follow.planner import Course
from limbik.motion.follow.timing import by_acceleration, by_speed, kinks, slowed

if TYPE_CHECKING:
    from limbik.motion.follow.followed import Followed

# The most frames of a clip.
MOST_FRAMES = 2_000_000
# The most rounds of slowing down until all frames keep the limits: first locally, then globally.
SLOWINGS, LOCAL_SLOWINGS, SPEED_SLOWINGS = 14, 8, 3
# A clip returns to its first posture if it ends within this distance [rad, or fractions of the reach].
CLOSED = 1e-5
# The largest relative difference of evenly spaced frame times.
EVEN = 1e-6
# The largest factor of slowing down; a larger one indicates another problem.
MOST_STRETCH = 12.0
# The largest rate of the path's own time, squared.
QUICKEST = 1e9
# The step length of a refinement if linear interpolation is not accurate enough [rad, or fractions of the reach].
FINE = 0.02
# The largest distance of a frame from the line between its known neighbours [rad, or fractions of the reach].
ON_COURSE = 0.05


def clip_of(follower: Follower, course: Course, speed: Array, acceleration: Array, fastest: bool) -> "Followed":
    """Return the clip of a trajectory, with its reasons."""
    from limbik.motion.clip import Clip
    from limbik.motion.follow.followed import Followed, Outcome

    task, source = follower.task, follower.source
    arm, path, frames = task.arm, task.path, task.frames
    if not len(course.q):
        answer = arm.solve(path.at(0.0), task.seed, limits=task.limits)
        broken = why_broken(follower, course, 0, 0, len(frames))
        errors = np.array([answer.position_error]), np.array([answer.rotation_error])
        outcome = Outcome(broken.status, broken.why, 0, len(frames))
        return Followed(Clip(arm, answer.q[None], np.zeros(1)), outcome, np.zeros(1), *errors, np.array([-1]))
    rows = np.flatnonzero(np.isin(course.times, frames))
    places, q, branch = course.times[rows], course.q[rows], course.branch[rows]
    leaps = sorted({int(np.searchsorted(places, t)) for t in course.times[course.jumped]} & set(range(1, len(places))))
    times, note = places, ""
    if (np.isfinite(speed).any() or np.isfinite(acceleration).any()) and len(places) > 1:
        own = places[-1]
        paced = _paced(follower, course, places, q, leaps, speed, acceleration, fastest)
        if paced is not None:
            times, places, q, leaps = paced
            branch = course.branch[np.clip(np.searchsorted(course.times, places), 0, len(course.branch) - 1)]
            note = f"; it takes {times[-1]:.4g} s instead of {own:.4g} s to keep the joint velocity and acceleration limits"
            spans = np.diff(times)
            if not leaps and spans.max() > spans.min() * (1.0 + EVEN):
                note += (
                    ", with unevenly spaced frames (clip.resampled spaces them evenly, with deviations from the path)"
                )
    error = np.asarray(pose_error(arm.forward(q), path.at(places))).reshape(-1, 6)
    errors = np.linalg.norm(error[:, :3], axis=1), np.linalg.norm(error[:, 3:], axis=1)
    good = (errors[0] <= position_tolerance(arm.model.reach)) & (errors[1] <= ROTATION_TOLERANCE)
    if task.limits:
        good &= arm.within_limits(q)
    good &= source.may(q)
    broken = Broken(Status.SOLVED, "", None)
    missed = 0
    if not good.all() or not course.whole:
        keep = int(np.argmin(good)) if not good.all() else len(q)
        missed = int(np.searchsorted(frames, places[keep - 1], side="right")) if keep else 0
        missed = min(missed, len(frames) - 1)
        broken = why_broken(follower, course, missed, keep, keep + len(frames) - missed)
        keep = max(keep, 1)
        q, times, places, branch = q[:keep], times[:keep], places[:keep], branch[:keep]
        errors = errors[0][:keep], errors[1][:keep]
        leaps = [k for k in leaps if k < keep]
    why = broken.why if broken.failed is not None else f"followed {len(q)} frames{note}"
    back = float(np.abs((q[-1] - q[0]) * source.weight).max(initial=0.0))
    if follower.closed and broken.failed is None and back > CLOSED:
        why += f"; it ends {back:.3g} rad from its first posture: no trajectory that returns to it was found"
    if leaps:
        why += "; " + "; ".join(why_jumped(follower, q, places, k) for k in leaps)
    wanted = len(q) if broken.failed is None else broken.failed + len(frames) - missed
    outcome = Outcome(broken.status, why, broken.failed, wanted)
    clip = Clip(arm, q, np.array(times), jumps=tuple(leaps))
    return Followed(clip, outcome, np.array(places), *errors, np.array(branch, np.int64))


def _paced(
    follower: Follower,
    course: Course,
    places: Array,
    q: Array,
    leaps: list[int],
    speed: Array,
    acceleration: Array,
    fastest: bool,
) -> tuple[Array, Array, Array, list[int]] | None:
    """Return times, places, postures and jumps; each part between jumps keeps the limits. None if the path's own time already
    keeps them."""
    cuts = [0, *leaps, len(places)]
    parts = []
    for a, b in itertools.pairwise(cuts):
        inside = (course.times >= places[a]) & (course.times <= places[b - 1])
        part = replace(course, times=course.times[inside], q=course.q[inside], branch=course.branch[inside])
        timed = _timed(follower, part, places[a:b], q[a:b], speed, acceleration, fastest) if b - a > 1 else None
        parts.append(timed)
    if not any(part is not None for part in parts):
        return None
    times, where, postures, starts = [], [], [], []
    now, count = 0.0, 0
    for (a, b), timed in zip(itertools.pairwise(cuts), parts, strict=True):
        if timed is None:
            timed = places[a:b] - places[a], places[a:b], q[a:b]
        if a > 0:
            now += float(places[a] - places[a - 1])
            starts.append(count)
        times.append(timed[0] - timed[0][0] + now)
        where.append(timed[1])
        postures.append(timed[2])
        now, count = float(times[-1][-1]), count + len(timed[0])
    return np.concatenate(times), np.concatenate(where), np.concatenate(postures), starts


def _timed(
    follower: Follower, course: Course, places: Array, q: Array, speed: Array, acceleration: Array, fastest: bool
) -> tuple[Array, Array, Array] | None:
    """Return times, places and postures that keep the limits; None if the path's own time already does."""
    source, path = follower.source, follower.task.path
    accelerates = bool(np.isfinite(acceleration).any())
    if not fastest and not accelerates and excess(q, places, speed, acceleration) <= 1.0:
        return None
    end = int(np.searchsorted(course.times, places[-1]))
    grid, through = course.times[: end + 1], course.q[: end + 1]
    timed = _scheduled(follower, grid, through, speed, acceleration, fastest)
    if timed is None:  # long steps are not straight: again with inserted postures
        timed = _scheduled(follower, *refined(source, path, grid, through, FINE), speed, acceleration, fastest)
    if timed is not None:
        return timed
    # not all inserted places have a posture: keep the frames, at later times
    schedule = by_speed(grid, through, speed, fastest)
    times = places - places[0] if accelerates else np.interp(places, schedule.places, schedule.times)
    return times * max(1.0, excess(q, times, speed, acceleration) * (1.0 + 1e-9)), places, q


def _scheduled(
    follower: Follower, grid: Array, through: Array, speed: Array, acceleration: Array, fastest: bool
) -> tuple[Array, Array, Array] | None:
    """Return evenly spaced times, places and postures that keep the limits, along a trajectory; None if that fails."""
    source, path = follower.source, follower.task.path
    accelerates = bool(np.isfinite(acceleration).any())
    stops = np.array([t for t in path.corners if grid[0] < t < grid[-1]])
    if accelerates:  # a trajectory may reverse at a singular posture, as at a corner
        stops = np.union1d(stops, kinks(grid, through, acceleration))
    most = np.full(len(grid), QUICKEST if fastest else 1.0)
    schedule = (
        by_acceleration(grid, through, speed, acceleration, stops, most)
        if accelerates
        else by_speed(grid, through, speed, fastest)
    )
    slower, longest = 1.0, 0.0
    for attempt in range(SLOWINGS):
        whole = slower * schedule.duration
        longest = longest or MOST_STRETCH * whole
        if whole > longest or whole * follower.task.rate > MOST_FRAMES:
            break
        times = np.linspace(0.0, whole, max(math.ceil(whole * follower.task.rate - 1e-6), 1) + 1)
        where = schedule.place(times / slower)
        where[-1] = grid[-1]
        seeds = np.stack([np.interp(where, grid, through[:, j]) for j in range(through.shape[1])], axis=1)
        postures, ok = source.settle(path.at(where), np.clip(seeds, source.lower, source.upper))
        if not ok.all() or np.abs((postures - seeds) * source.weight).max() > ON_COURSE:
            break
        known = np.searchsorted(grid, where)
        same = grid[known] == where
        postures[same] = through[known[same]]
        if not source.may(postures).all():
            break
        worst = excess(postures, times, speed, acceleration)
        if worst <= 1.0:
            return times, where, postures
        if accelerates and attempt < LOCAL_SLOWINGS:
            # first only where it is too fast
            too_much = (np.abs(accelerations(postures, times)) / acceleration).max(axis=1)
            most = slowed(most, schedule, grid, where, too_much)
            schedule = by_acceleration(grid, through, speed, acceleration, stops, most)
        elif accelerates or attempt < SPEED_SLOWINGS:
            slower *= worst * (1.0 + 1e-6)
        else:
            break
    return None


def excess(q: Array, times: Array, speed: Array, acceleration: Array) -> float:
    """Return the factor on time with which the frames keep the limits; 1 or less if they already do.

    Speeds are differences between frames, accelerations are differences of these, with rest before the first frame and
    after the last.
    """
    if len(q) < 2:
        return 1.0
    spans = np.diff(times)
    v = np.diff(q, axis=0) / spans[:, None]
    worst = float((np.abs(v) / speed).max(initial=0.0))
    if np.isfinite(acceleration).any():
        worst = max(worst, math.sqrt(float((np.abs(accelerations(q, times)) / acceleration).max(initial=0.0))))
    return worst


def accelerations(q: Array, times: Array) -> Array:
    """Return the accelerations at frames, (frames, n), with rest before the first and after the last."""
    spans = np.diff(times)
    still = np.zeros((1, q.shape[1]))
    between = 0.5 * (np.append(spans, spans[-1]) + np.append(spans[0], spans))
    return np.asarray(
        np.diff(np.vstack([still, np.diff(q, axis=0) / spans[:, None], still]), axis=0) / between[:, None]
    )

"""Make a clip of a planned trajectory: compute the time of each frame, verify the frames, and state the outcome."""

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from limbik._core import ROTATION_TOLERANCE, Status, pose_error
from limbik.geometry.arrays import Array
from limbik.model.model import position_tolerance
from limbik.motion.follow.continuity import refined
from limbik.motion.follow.failure import Failure, failure_at, jump_reason
from limbik.motion.follow.follower import Follower
from limbik.motion.follow.planner import JointTrajectory
from limbik.motion.follow.timing import by_acceleration, by_speed, kinks, slowed
from limbik.motion.rate import frame_times

if TYPE_CHECKING:
    from limbik.motion.follow.followed import Followed

# The most frames of a clip.
MOST_FRAMES = 2_000_000
# The most rounds of slowing down until all frames respect the limits. With acceleration limits the first LOCAL_SLOWINGS rounds
# slow down locally; with speed limits alone there are at most SPEED_SLOWINGS rounds.
SLOWINGS, LOCAL_SLOWINGS, SPEED_SLOWINGS = 14, 8, 3
# A clip returns to its first posture if it ends within this distance [rad, or fractions of the reach].
CLOSED = 1e-5
# The largest relative difference of frame times that count as evenly spaced.
EVEN = 1e-6
# The largest factor of slowing down; a larger one indicates another problem.
MOST_STRETCH = 12.0
# The largest rate of the path's own time, squared.
QUICKEST = 1e9
# The longest step of a refined trajectory, used where linear interpolation is not accurate enough [rad, or fractions of the
# reach].
FINE = 0.02
# The largest distance of a frame from the linear interpolation of its known neighbours [rad, or fractions of the reach].
OFF_LINE = 0.05


def make_clip(
    follower: Follower, trajectory: JointTrajectory, speed: Array, acceleration: Array, fastest: bool
) -> "Followed":
    """Return the verified clip of a trajectory, with the outcome."""
    from limbik.motion.clip import Clip
    from limbik.motion.follow.followed import Followed, Outcome

    task, source = follower.task, follower.source
    arm, path, frames = task.arm, task.path, task.frames
    if not len(trajectory.q):
        answer = arm.solve(path.at(0.0), task.seed, limits=task.limits)
        failure = failure_at(follower, trajectory, 0, 0, len(frames))
        errors = np.array([answer.position_error]), np.array([answer.rotation_error])
        outcome = Outcome(failure.status, failure.why, 0, len(frames))
        return Followed(Clip(arm, answer.q[None], np.zeros(1)), outcome, np.zeros(1), *errors, np.array([-1]))
    rows = np.flatnonzero(np.isin(trajectory.times, frames))
    places, q, branch = trajectory.times[rows], trajectory.q[rows], trajectory.branch[rows]
    jumps = sorted(
        {int(np.searchsorted(places, t)) for t in trajectory.times[trajectory.jumped]} & set(range(1, len(places)))
    )
    times, note = places, ""
    if (np.isfinite(speed).any() or np.isfinite(acceleration).any()) and len(places) > 1:
        own = places[-1]
        paced = _paced(follower, trajectory, places, q, jumps, speed, acceleration, fastest)
        if paced is not None:
            times, places, q, jumps = paced
            branch = trajectory.branch[
                np.clip(np.searchsorted(trajectory.times, places), 0, len(trajectory.branch) - 1)
            ]
            note = f"; it takes {times[-1]:.4g} s instead of {own:.4g} s to keep the joint velocity and acceleration limits"
            spans = np.diff(times)
            if not jumps and spans.max() > spans.min() * (1.0 + EVEN):
                note += (
                    ", with unevenly spaced frames (clip.resampled spaces them evenly, with deviations from the path)"
                )
    error = np.asarray(pose_error(arm.forward(q), path.at(places))).reshape(-1, 6)
    errors = np.linalg.norm(error[:, :3], axis=1), np.linalg.norm(error[:, 3:], axis=1)
    good = (errors[0] <= position_tolerance(arm.model.reach)) & (errors[1] <= ROTATION_TOLERANCE)
    if task.limits:
        good &= arm.within_limits(q)
    good &= source.allows(q)
    failure = Failure(Status.SOLVED, "", None)
    missed = 0
    if not good.all() or not trajectory.complete:
        keep = int(np.argmin(good)) if not good.all() else len(q)
        missed = int(np.searchsorted(frames, places[keep - 1], side="right")) if keep else 0
        missed = min(missed, len(frames) - 1)
        failure = failure_at(follower, trajectory, missed, keep, keep + len(frames) - missed)
        keep = max(keep, 1)
        q, times, places, branch = q[:keep], times[:keep], places[:keep], branch[:keep]
        errors = errors[0][:keep], errors[1][:keep]
        jumps = [k for k in jumps if k < keep]
    why = failure.why if failure.failed is not None else f"followed {len(q)} frames{note}"
    back = float(np.abs((q[-1] - q[0]) * source.weight).max(initial=0.0))
    if follower.closed and failure.failed is None and back > CLOSED:
        why += f"; it ends {back:.3g} rad from its first posture: no trajectory that returns to it was found"
    if jumps:
        why += "; " + "; ".join(jump_reason(follower, q, places, k) for k in jumps)
    wanted = len(q) if failure.failed is None else failure.failed + len(frames) - missed
    outcome = Outcome(failure.status, why, failure.failed, wanted)
    clip = Clip(arm, q, np.array(times), jumps=tuple(jumps))
    return Followed(clip, outcome, np.array(places), *errors, np.array(branch, np.int64))


def _paced(
    follower: Follower,
    trajectory: JointTrajectory,
    places: Array,
    q: Array,
    jumps: list[int],
    speed: Array,
    acceleration: Array,
    fastest: bool,
) -> tuple[Array, Array, Array, list[int]] | None:
    """Return times, places, postures and jumps such that each part between jumps respects the limits; None if the path's own time
    already does."""
    cuts = [0, *jumps, len(places)]
    parts = []
    for a, b in itertools.pairwise(cuts):
        inside = (trajectory.times >= places[a]) & (trajectory.times <= places[b - 1])
        part = replace(
            trajectory, times=trajectory.times[inside], q=trajectory.q[inside], branch=trajectory.branch[inside]
        )
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
    follower: Follower,
    trajectory: JointTrajectory,
    places: Array,
    q: Array,
    speed: Array,
    acceleration: Array,
    fastest: bool,
) -> tuple[Array, Array, Array] | None:
    """Return times, places and postures that respect the limits; None if the path's own time already does."""
    source, path = follower.source, follower.task.path
    accelerates = bool(np.isfinite(acceleration).any())
    if not fastest and not accelerates and excess(q, places, speed, acceleration) <= 1.0:
        return None
    end = int(np.searchsorted(trajectory.times, places[-1]))
    grid, through = trajectory.times[: end + 1], trajectory.q[: end + 1]
    timed = _scheduled(follower, grid, through, speed, acceleration, fastest)
    if timed is None:  # long steps are not linear: again with inserted postures
        timed = _scheduled(follower, *refined(source, path, grid, through, FINE), speed, acceleration, fastest)
    if timed is not None:
        return timed
    # not all inserted places have a posture: keep the original frames, at later times
    schedule = by_speed(grid, through, speed, fastest)
    times = places - places[0] if accelerates else np.interp(places, schedule.places, schedule.times)
    return times * max(1.0, excess(q, times, speed, acceleration) * (1.0 + 1e-9)), places, q


def _scheduled(
    follower: Follower, grid: Array, through: Array, speed: Array, acceleration: Array, fastest: bool
) -> tuple[Array, Array, Array] | None:
    """Return evenly spaced times, places and postures that respect the limits, along a trajectory; None if that fails."""
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
        total = slower * schedule.duration
        longest = longest or MOST_STRETCH * total
        if total > longest or total * follower.task.rate > MOST_FRAMES:
            break
        times = frame_times(total, follower.task.rate)
        where = schedule.place(times / slower)
        where[-1] = grid[-1]
        seeds = np.stack([np.interp(where, grid, through[:, j]) for j in range(through.shape[1])], axis=1)
        postures, ok = source.solve_near(path.at(where), np.clip(seeds, source.lower, source.upper))
        if not ok.all() or np.abs((postures - seeds) * source.weight).max() > OFF_LINE:
            break
        known = np.searchsorted(grid, where)
        same = grid[known] == where
        postures[same] = through[known[same]]
        if not source.allows(postures).all():
            break
        worst = excess(postures, times, speed, acceleration)
        if worst <= 1.0:
            return times, where, postures
        if accelerates and attempt < LOCAL_SLOWINGS:
            # first only around the frames that are too fast
            excess_factor = (np.abs(accelerations(postures, times)) / acceleration).max(axis=1)
            most = slowed(most, schedule, grid, where, excess_factor)
            schedule = by_acceleration(grid, through, speed, acceleration, stops, most)
        elif accelerates or attempt < SPEED_SLOWINGS:
            slower *= worst * (1.0 + 1e-6)
        else:
            break
    return None


def excess(q: Array, times: Array, speed: Array, acceleration: Array) -> float:
    """Return the factor on all times with which the frames respect the limits; 1 or less if they already do.

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

"""Planning for a redundant arm with a closed form: its self-motion manifold on a grid, at few layers; other frames are filled in.

Grid steps are smoothed (`motion/follow/slack.py`). If that fails, more layers and a finer grid are tried.
Frames around a jump between layers are added to the plan, and the jump is excluded.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.branch_planning import MOST_TRIES
from limbik.motion.follow.follower import Follower
from limbik.motion.follow.planner import Course, Planner
from limbik.motion.follow.posture_sources import Branches, Family
from limbik.motion.follow.self_motion_layers import trace_layers
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.trajectory_laws import apart, before_jump, begins, jumps_in, progress, returned
from limbik.motion.follow.trajectory_shaping import layer_times, returning, with_corners, with_less_motion

# The numbers of layers of a plan, and the refinement factors of its grid.
FAMILY_LAYERS = ((80, 1), (250, 2), (2000, 3))
# The most replans on the fewest layers without the jumps that were found.
FIRST_TRIES = 4
# The largest distance of a posture between two layers from the line between them [rad, or fractions of the reach].
BESIDE = 0.3
# Larger errors mean that a pose is out of reach, not at the boundary [fractions of the reach, rad].
CLEARLY = 1e-4
# The shortest step that is excluded around a jump [rad, or fractions of the reach].
LEAST_BOUND = 0.2


class FamilyFollower(Follower):
    """A follower for redundant arms, which moves along the self-motion manifold of every branch."""

    kind = Family

    @staticmethod
    def plan(task: FollowTask, source: Branches, frames: Array, seed: Array | None, closed: bool) -> Course:
        """Return the best planned trajectory along some frames: on few layers first."""
        path, home = task.path, task.arm.home
        best: Course | None = None
        every = layer_times(task, frames)
        for count, finer in FAMILY_LAYERS:
            grid = source if finer == 1 else source.refined(finer)
            layers = every[np.unique(np.linspace(0, len(every) - 1, min(count, len(every))).round().astype(int))]
            planner = Planner(grid, path, layers, seed, home)
            if finer > 1:
                trace_layers(planner.layers)
            for _ in range(MOST_TRIES if finer > 1 else FIRST_TRIES):
                course = planner.find()
                if closed and course.whole:
                    course = returning(task, source, planner, course)
                between = frames[(frames > course.times[-1]) & (frames < course.next)] if len(course.q) else frames[:0]
                if course.empty and len(between):  # as far as reachable
                    places = np.union1d(np.append(course.times, course.next), between)
                    course = Planner(grid, path, places, seed, home).find()
                jumps = np.zeros(0, np.int64)
                if len(course.q) > 1:
                    course = _filled(task, source, frames, course)
                    smooth = with_less_motion(task, source, course, (seed is not None or closed, closed))
                    jumps = jumps_in(source, path, smooth)
                    if not len(jumps):
                        course = smooth
                    else:
                        jumps = jumps_in(source, path, course)
                sure = before_jump(course, jumps)
                if best is None or _worth(task, source, sure, seed, closed) > _worth(task, source, best, seed, closed):
                    best = sure
                if not len(jumps):
                    break
                _forbid(planner, frames, course, jumps, source.weight)
            assert best is not None
            if best.whole and (
                finer > 1 or (begins(source, path, best, seed) and (not closed or returned(source, best)))
            ):
                return best
            if course.empty and _cannot_reach(task, min(course.next, path.duration), course):
                break
        assert best is not None
        return best


def _worth(
    task: FollowTask, source: Branches, course: Course, seed: Array | None, closed: bool
) -> tuple[bool, float, bool, bool]:
    """Return the rank of a trajectory: its progress, whether it returns as requested, and whether it starts at the seed."""
    whole, far = progress(course)
    at_seed = whole and begins(source, task.path, course, seed)
    return whole, far, whole and closed and returned(source, course), at_seed


def _forbid(planner: Planner, frames: Array, course: Course, jumps: npt.NDArray[np.int64], weight: Array) -> None:
    """Add the frames around jumps to a plan, and exclude the jumps."""
    for k in jumps:
        a, b = float(course.times[k - 1]), float(course.times[k])
        length = apart(course.q[k], course.q[k - 1], weight)
        first, last = planner.layers.gap(a, b)
        inside = frames[(frames > first) & (frames < last)]
        planner.add_layers(np.append(inside, [a, b]))
        planner.layers.forbid(first, last, max(length, LEAST_BOUND))
        planner.layers.forbid(a, b, length)


def _cannot_reach(task: FollowTask, t: float, course: Course) -> bool:
    """Return whether a pose is clearly out of reach: a single solve may miss a configuration at the boundary."""
    arm, T = task.arm, task.path.at(t)
    answer = arm.solve(T, task.seed, limits=task.limits)
    far = max(answer.position_error / (arm.model.reach.span or 1.0), answer.rotation_error)
    if answer.ok or far <= CLEARLY:
        return False
    return not len(course.q) or not arm.solve(T, course.q[-1], "lm", limits=task.limits).ok


def _filled(task: FollowTask, source: Branches, frames: Array, course: Course) -> Course:
    """Return the trajectory with every frame of the path."""
    path = task.path
    at = with_corners(path, np.union1d(frames[frames <= course.times[-1]], course.times))
    q = np.stack([np.interp(at, course.times, course.q[:, j]) for j in range(task.arm.n)], axis=1)
    gap = np.flatnonzero(~np.isin(at, course.times))
    lost = at[:0]
    if len(gap):
        settled, ok = source.settle(path.at(at[gap]), np.clip(q[gap], source.lower, source.upper))
        near = np.abs((settled - q[gap]) * source.weight).max(axis=1) <= BESIDE
        q[gap] = settled
        fine = ok & near
        fine[fine] &= source.may(settled[fine])
        if not fine.all():
            lost = at[gap[~fine]]
            more = Planner(source, path, np.union1d(course.times, lost), course.q[0], task.arm.home).find()
            if more.whole and len(more.times) > len(course.times):
                return _filled(task, source, frames, more)
            kept = at < lost[0]
            at, q = at[kept], q[kept]
    branch = course.branch[np.clip(np.searchsorted(course.times, at), 0, len(course.branch) - 1)]
    whole = bool(course.whole and at[-1] == frames[-1])
    none = np.zeros(len(at), np.bool_)
    follows = float(lost[0]) if len(lost) else course.next
    return replace(course, times=at, q=q, branch=branch, jumped=none, whole=whole, next=follows)

"""Plan the joint trajectory of a redundant arm with a closed form: its self-motion manifolds on a grid, at few layers.

The frames between the layers are solved from interpolated seeds. The grid steps are smoothed by null-space motion
(`motion/follow/null_space_smoothing.py`). If the trajectory has a jump between two layers, the frames there are added to the plan
and the jump is excluded. If this fails too, more layers and a finer grid are tried.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.branch_planning import MOST_TRIES
from limbik.motion.follow.follower import Follower
from limbik.motion.follow.planner import JointTrajectory, Planner
from limbik.motion.follow.posture_sources import BranchSource, FamilySource
from limbik.motion.follow.self_motion_layers import trace_layers
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.trajectory_checks import (
    before_jump,
    is_closed,
    joint_distance,
    jumps_in,
    progress,
    starts_at_seed,
)
from limbik.motion.follow.trajectory_shaping import closed_trajectory, layer_times, with_corners, with_less_motion

# The numbers of layers of a plan, and the refinement factors of its grid.
FAMILY_LAYERS = ((80, 1), (250, 2), (2000, 3))
# The most replans on the fewest layers without the jumps that were found.
FIRST_TRIES = 4
# The largest distance of a posture between two layers from their linear interpolation [rad, or fractions of the reach].
BESIDE = 0.3
# Errors above this mean that a pose is out of reach, not merely at the boundary [fractions of the reach, rad].
CLEARLY = 1e-4
# The shortest step that is excluded around a jump [rad, or fractions of the reach].
LEAST_BOUND = 0.2


class FamilyFollower(Follower):
    """A follower for redundant arms, which uses the self-motion manifolds of every branch."""

    kind = FamilySource

    @staticmethod
    def plan(
        task: FollowTask, source: BranchSource, frames: Array, seed: Array | None, closed: bool
    ) -> JointTrajectory:
        """Return the best planned trajectory along some frames, on few layers first."""
        path, home = task.path, task.arm.home
        best: JointTrajectory | None = None
        every = layer_times(task, frames)
        for count, finer in FAMILY_LAYERS:
            grid = source if finer == 1 else source.refined(finer)
            layers = every[np.unique(np.linspace(0, len(every) - 1, min(count, len(every))).round().astype(int))]
            planner = Planner(grid, path, layers, seed, home)
            if finer > 1:
                trace_layers(planner.layers)
            for _ in range(MOST_TRIES if finer > 1 else FIRST_TRIES):
                trajectory = planner.find()
                if closed and trajectory.complete:
                    trajectory = closed_trajectory(task, source, planner, trajectory)
                between = frames[:0]
                if len(trajectory.q):
                    between = frames[(frames > trajectory.times[-1]) & (frames < trajectory.next_time)]
                if trajectory.dead_end and len(between):  # plan up to the last reachable frame
                    places = np.union1d(np.append(trajectory.times, trajectory.next_time), between)
                    trajectory = Planner(grid, path, places, seed, home).find()
                jumps = np.zeros(0, np.int64)
                if len(trajectory.q) > 1:
                    trajectory = _filled(task, source, frames, trajectory)
                    smooth = with_less_motion(task, source, trajectory, (seed is not None or closed, closed))
                    jumps = jumps_in(source, path, smooth)
                    if not len(jumps):
                        trajectory = smooth
                    else:
                        jumps = jumps_in(source, path, trajectory)
                continuous = before_jump(trajectory, jumps)
                if best is None or _rank(task, source, continuous, seed, closed) > _rank(
                    task, source, best, seed, closed
                ):
                    best = continuous
                if not len(jumps):
                    break
                _forbid(planner, frames, trajectory, jumps, source.weight)
            assert best is not None
            if best.complete and (
                finer > 1 or (starts_at_seed(source, path, best, seed) and (not closed or is_closed(source, best)))
            ):
                return best
            if trajectory.dead_end and _cannot_reach(task, min(trajectory.next_time, path.duration), trajectory):
                break
        assert best is not None
        return best


def _rank(
    task: FollowTask, source: BranchSource, trajectory: JointTrajectory, seed: Array | None, closed: bool
) -> tuple[bool, float, bool, bool]:
    """Return the rank of a trajectory: its progress, whether it returns if requested, and whether it starts at the seed."""
    complete, far = progress(trajectory)
    at_seed = complete and starts_at_seed(source, task.path, trajectory, seed)
    return complete, far, complete and closed and is_closed(source, trajectory), at_seed


def _forbid(
    planner: Planner, frames: Array, trajectory: JointTrajectory, jumps: npt.NDArray[np.int64], weight: Array
) -> None:
    """Add the frames around jumps to a plan, and exclude the jumps."""
    for k in jumps:
        a, b = float(trajectory.times[k - 1]), float(trajectory.times[k])
        length = joint_distance(trajectory.q[k], trajectory.q[k - 1], weight)
        first, last = planner.layers.gap(a, b)
        inside = frames[(frames > first) & (frames < last)]
        planner.add_layers(np.append(inside, [a, b]))
        planner.layers.forbid(first, last, max(length, LEAST_BOUND))
        planner.layers.forbid(a, b, length)


def _cannot_reach(task: FollowTask, t: float, trajectory: JointTrajectory) -> bool:
    """Return whether a pose is clearly out of reach. At the boundary a single solve may miss a configuration."""
    arm, T = task.arm, task.path.at(t)
    answer = arm.solve(T, task.seed, limits=task.limits)
    far = max(answer.position_error / (arm.model.reach.span or 1.0), answer.rotation_error)
    if answer.ok or far <= CLEARLY:
        return False
    return not len(trajectory.q) or not arm.solve(T, trajectory.q[-1], "lm", limits=task.limits).ok


def _filled(task: FollowTask, source: BranchSource, frames: Array, trajectory: JointTrajectory) -> JointTrajectory:
    """Return the trajectory with every frame of the path, as far as the frames between the layers can be solved."""
    path = task.path
    at = with_corners(path, np.union1d(frames[frames <= trajectory.times[-1]], trajectory.times))
    q = np.stack([np.interp(at, trajectory.times, trajectory.q[:, j]) for j in range(task.arm.n)], axis=1)
    gap = np.flatnonzero(~np.isin(at, trajectory.times))
    lost = at[:0]
    if len(gap):
        solved, ok = source.solve_near(path.at(at[gap]), np.clip(q[gap], source.lower, source.upper))
        near = np.abs((solved - q[gap]) * source.weight).max(axis=1) <= BESIDE
        q[gap] = solved
        fine = ok & near
        fine[fine] &= source.allows(solved[fine])
        if not fine.all():
            lost = at[gap[~fine]]
            more = Planner(source, path, np.union1d(trajectory.times, lost), trajectory.q[0], task.arm.home).find()
            if more.complete and len(more.times) > len(trajectory.times):
                return _filled(task, source, frames, more)
            kept = at < lost[0]
            at, q = at[kept], q[kept]
    branch = trajectory.branch[np.clip(np.searchsorted(trajectory.times, at), 0, len(trajectory.branch) - 1)]
    complete = bool(trajectory.complete and at[-1] == frames[-1])
    none = np.zeros(len(at), np.bool_)
    follows = float(lost[0]) if len(lost) else trajectory.next_time
    return replace(trajectory, times=at, q=q, branch=branch, jumped=none, complete=complete, next_time=follows)

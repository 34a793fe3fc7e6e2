"""Plan the joint trajectory of a non-redundant arm from all branches at every layer.

Every large step of the plan is tested for continuity (`motion/follow/continuity.py`). A step that is a jump is excluded, and the
path is planned again.
"""

import itertools

from limbik.geometry.arrays import Array
from limbik.motion.follow.planner import JointTrajectory, Planner
from limbik.motion.follow.posture_sources import BranchSource
from limbik.motion.follow.self_motion import has_self_motion
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.trajectory_checks import before_jump, joint_distance, jumps_in, progress
from limbik.motion.follow.trajectory_shaping import closed_trajectory, layer_times, with_less_motion

# The most replans without the jumps that were found.
MOST_TRIES = 12


def plan_on_branches(
    task: FollowTask, source: BranchSource, frames: Array, seed: Array | None, closed: bool
) -> JointTrajectory:
    """Return the best planned trajectory. closed: prefer one that ends in its first configuration."""
    layers = layer_times(task, frames)
    # a sampled path is known at its frames only: first without layers between them
    refinements = (False, True) if task.path.sampled else (True,)
    planner, trajectory = None, None
    # and first without the members of self-motion families, which are many; most paths do not need them
    for refine, members in itertools.product(refinements, (False, True)):
        if (trajectory is not None and trajectory.complete) or (members and not (planner and planner.families)):
            continue
        source.members = members
        again = Planner(source, task.path, layers, seed, task.arm.home, refine=refine)
        found = _without_jumps(task, source, again)
        if trajectory is None or progress(found) > progress(trajectory):
            planner, trajectory = again, found
    source.members = False
    assert planner is not None and trajectory is not None
    trajectory = closed_trajectory(task, source, planner, trajectory) if closed and trajectory.complete else trajectory
    return _smoothed_at_singularities(task, source, trajectory)


def _smoothed_at_singularities(task: FollowTask, source: BranchSource, trajectory: JointTrajectory) -> JointTrajectory:
    """Return the trajectory with less self-motion at singular configurations, where steps along it may have any length."""
    if len(trajectory.q) < 3:
        return trajectory
    held = ~has_self_motion(task.arm.jacobian(trajectory.q))
    held[[0, -1]] = True
    if held.all():
        return trajectory
    smoother = with_less_motion(task, source, trajectory, held)
    return trajectory if len(jumps_in(source, task.path, smoother)) else smoother


def _without_jumps(task: FollowTask, source: BranchSource, planner: Planner) -> JointTrajectory:
    """Return the best trajectory without jumps, or its part before the first jump."""
    best: JointTrajectory | None = None
    for tried in range(MOST_TRIES):
        trajectory = planner.find()
        jumps = jumps_in(source, task.path, trajectory)
        continuous = before_jump(trajectory, jumps)
        if best is None or progress(continuous) > progress(best):
            best = continuous
        if not len(jumps):
            break
        for k in jumps:
            a, b = float(trajectory.times[k - 1]), float(trajectory.times[k])
            if (
                min(trajectory.branch[k - 1], trajectory.branch[k]) >= 0
                and trajectory.branch[k - 1] != trajectory.branch[k]
            ):
                around = (2**tried - 1) * (b - a)  # the branches may be equally close in the neighbouring gaps
                planner.layers.hold_branch(a - around, b + around)
            else:
                planner.layers.forbid(a, b, joint_distance(trajectory.q[k], trajectory.q[k - 1], source.weight))
    assert best is not None
    return best

"""Shaping of a joint trajectory: the times of its layers, the return to its start, and the reduction of its motion."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.null_space_smoothing import smoothed
from limbik.motion.follow.planner import JointTrajectory, Planner
from limbik.motion.follow.posture_sources import BranchSource
from limbik.motion.follow.postures import thinned
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.trajectory_checks import is_closed, without_jump
from limbik.motion.path import Path

# The largest translation and rotation of the tip between layers [fractions of the reach, rad].
LAYER_LENGTH, LAYER_ANGLE = 0.05, 0.1
# The most starts that are tried for a trajectory that returns to its start.
MOST_STARTS = 24


def layer_times(task: FollowTask, frames: Array) -> Array:
    """Return the times of the frames, and times between distant frames unless the path is known at its frames only."""
    path = task.path
    if path.sampled:
        return frames
    size = task.arm.model.reach.span or 1.0
    needed = max(path.length / (LAYER_LENGTH * size), path.angle / LAYER_ANGLE)
    parts = max(1, math.ceil(needed / (len(task.frames) - 1)))  # of the interval between two frames
    places = np.arange((len(frames) - 1) * parts + 1) / parts
    return with_corners(path, np.interp(places, np.arange(len(frames)), frames))


def with_corners(path: Path, times: Array) -> Array:
    """Return times together with the times of the path's corners."""
    inside = [t for t in path.corners if times[0] < t < times[-1]]
    return np.union1d(times, inside) if inside else times


def closed_trajectory(
    task: FollowTask, source: BranchSource, planner: Planner, trajectory: JointTrajectory
) -> JointTrajectory:
    """Return a trajectory that ends in its first configuration, or the given one if none is found.

    With a seed it is the one that starts closest to the seed, else the one with the least energy.
    """
    if is_closed(source, trajectory):
        return trajectory
    starts = planner.first_postures()
    near = trajectory.q[0] if task.seed is None else task.seed
    order = np.argsort(np.abs((starts - near) * source.weight).max(axis=1), kind="stable")
    half = MOST_STARTS // 2
    found: list[JointTrajectory] = []
    for k in (*order[:half], *thinned(order[half:], half)):
        loop = without_jump(source, task.path, planner.find(first_q=starts[k], last_q=starts[k]))
        if loop.complete and is_closed(source, loop):
            found.append(loop)
            if task.seed is not None:  # the first is the closest to the seed
                break
    return min(found, key=lambda loop: loop.energy, default=trajectory)


def with_less_motion(
    task: FollowTask, source: BranchSource, trajectory: JointTrajectory, held: npt.NDArray[np.bool_] | tuple[bool, bool]
) -> JointTrajectory:
    """Return the trajectory with less motion and the same tip poses, by null-space motion.

    held: (frames,) the configurations to keep, or whether to keep the first and the last. The given trajectory is returned if
    `valid` refuses a configuration of the result.
    """
    if len(trajectory.q) < 3:
        return trajectory
    if isinstance(held, tuple):
        ends, held = held, np.zeros(len(trajectory.q), np.bool_)
        held[0], held[-1] = ends
    correct = partial(source.solve_near, task.path.at(trajectory.times))
    bounds = source.lower, source.upper, source.weight, source.speed
    q = smoothed(trajectory.q, trajectory.times, task.arm.jacobian, correct, *bounds, held)
    if task.valid is not None and not all(bool(task.valid(x)) for x in q):
        return trajectory
    return replace(trajectory, q=q)

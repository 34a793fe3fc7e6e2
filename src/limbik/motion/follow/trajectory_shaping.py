"""Shaping of a joint trajectory: the layers of its plan, the return to its start, and less motion."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.planner import Course, Planner
from limbik.motion.follow.posture_sources import Branches
from limbik.motion.follow.postures import some
from limbik.motion.follow.slack import smoothed
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.trajectory_laws import returned, without_jump
from limbik.motion.path import Path

# The largest translation and rotation of the tip between layers [fractions of the reach, rad].
LAYER_LENGTH, LAYER_ANGLE = 0.05, 0.1
# The most starts that are tried for a trajectory that returns to its start.
MOST_STARTS = 24


def layer_times(task: FollowTask, frames: Array) -> Array:
    """Return the times of the frames, and times between distant frames if the path is known there."""
    path = task.path
    if path.sampled:
        return frames
    size = task.arm.model.reach.span or 1.0
    needed = max(path.length / (LAYER_LENGTH * size), path.angle / LAYER_ANGLE)
    times = max(1, math.ceil(needed / (len(task.frames) - 1)))
    places = np.arange((len(frames) - 1) * times + 1) / times
    return with_corners(path, np.interp(places, np.arange(len(frames)), frames))


def with_corners(path: Path, times: Array) -> Array:
    """Return times together with the times of the path's corners."""
    inside = [t for t in path.corners if times[0] < t < times[-1]]
    return np.union1d(times, inside) if inside else times


def returning(task: FollowTask, source: Branches, planner: Planner, course: Course) -> Course:
    """Return a trajectory that ends in its first configuration, or the given one if there is none."""
    if returned(source, course):
        return course
    starts = planner.first_postures()
    near = course.q[0] if task.seed is None else task.seed
    order = np.argsort(np.abs((starts - near) * source.weight).max(axis=1), kind="stable")
    half = MOST_STARTS // 2
    found: list[Course] = []
    for k in (*order[:half], *some(order[half:], half)):
        way = without_jump(source, task.path, planner.find(begin=starts[k], end=starts[k]))
        if way.whole and returned(source, way):
            found.append(way)
            if task.seed is not None:  # the nearest of all
                break
    return min(found, key=lambda c: c.energy, default=course)


def with_less_motion(
    task: FollowTask, source: Branches, course: Course, held: npt.NDArray[np.bool_] | tuple[bool, bool]
) -> Course:
    """Return the trajectory with less motion and the same tip poses, by null-space motion.

    held: (frames,) the configurations to keep, or whether to keep the first and the last.
    """
    if len(course.q) < 3:
        return course
    if isinstance(held, tuple):
        ends, held = held, np.zeros(len(course.q), np.bool_)
        held[0], held[-1] = ends
    settle = partial(source.settle, task.path.at(course.times))
    bounds = source.lower, source.upper, source.weight, source.speed
    q = smoothed(course.q, course.times, task.arm.jacobian, settle, *bounds, held)
    if task.valid is not None and not all(bool(task.valid(x)) for x in q):
        return course
    return replace(course, q=q)

"""Checks of a joint trajectory: unnecessary jumps, its start, and its return to the start."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.continuity import jumps_of
from limbik.motion.follow.planner import Course
from limbik.motion.follow.posture_sources import Branches
from limbik.motion.path import Path

# A trajectory returns to its start if it ends within this distance [rad, or fractions of the reach].
RETURNED = 1e-6


def progress(course: Course) -> tuple[bool, float]:
    """Return the progress of a trajectory, for comparison."""
    return course.whole, float(course.times[-1]) if len(course.q) else -math.inf


def jumps_in(source: Branches, path: Path, course: Course) -> npt.NDArray[np.int64]:
    """Return the frames of a trajectory that are reached by a jump."""
    known = None if source.keys > 1 else course.branch
    return jumps_of(source, path, course.times, course.q, known)


def before_jump(course: Course, jumps: npt.NDArray[np.int64]) -> Course:
    """Return the part before the first jump."""
    if not len(jumps):
        return course
    k = int(jumps[0])
    return replace(
        course, times=course.times[:k], q=course.q[:k], branch=course.branch[:k], jumped=course.jumped[:k],
        whole=False, empty=False, next=float(course.times[k]),
    )  # fmt: skip


def without_jump(source: Branches, path: Path, course: Course) -> Course:
    """Return the part of a trajectory before its first jump, or all of it."""
    return before_jump(course, jumps_in(source, path, course))


def begins(source: Branches, path: Path, course: Course, seed: Array | None) -> bool:
    """Return whether a trajectory starts at the seed, or as close as its first pose allows."""
    if seed is None or not len(source.at_seed(path.at(course.times[0]), seed).q):
        return True
    return apart(course.q[0], seed, source.weight) <= RETURNED


def returned(source: Branches, course: Course) -> bool:
    """Return whether a trajectory ends in its first configuration."""
    return len(course.q) > 0 and apart(course.q[0], course.q[-1], source.weight) <= RETURNED


def apart(a: Array, b: Array, weight: Array) -> float:
    """Return the largest weighted joint difference between two configurations."""
    return float(np.abs((a - b) * weight).max(initial=0.0))

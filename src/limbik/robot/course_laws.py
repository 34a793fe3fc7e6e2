"""What a joint trajectory (course) is held to: no jump that is not proven to be needed, where it begins, whether it returns."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.continuity import jumps_of
from limbik.motion.course import Course
from limbik.motion.path import Path
from limbik.robot.posture_sources import Branches

# A course that ends this near its start returns to it [rad, or parts of the reach].
RETURNED = 1e-6


def progress(course: Course) -> tuple[bool, float]:
    """Return how far a course comes, to be compared."""
    return course.whole, float(course.times[-1]) if len(course.q) else -math.inf


def jumps_in(source: Branches, path: Path, course: Course) -> npt.NDArray[np.int64]:
    """Return the frames of a course that are reached from the one before by a jump."""
    known = None if source.keys > 1 else course.branch
    return jumps_of(source, path, course.times, course.q, known)


def before_jump(course: Course, jumps: npt.NDArray[np.int64]) -> Course:
    """Return what comes before the first jump."""
    if not len(jumps):
        return course
    k = int(jumps[0])
    return replace(
        course, times=course.times[:k], q=course.q[:k], branch=course.branch[:k], jumped=course.jumped[:k],
        whole=False, empty=False, next=float(course.times[k]),
    )  # fmt: skip


def without_jump(source: Branches, path: Path, course: Course) -> Course:
    """Return a course as far as it holds no jump."""
    return before_jump(course, jumps_in(source, path, course))


def begins(source: Branches, path: Path, course: Course, seed: Array | None) -> bool:
    """Tell whether a course begins at the seed, or at least as near as its first pose lets it."""
    if seed is None or not len(source.at_seed(path.at(course.times[0]), seed).q):
        return True
    return apart(course.q[0], seed, source.weight) <= RETURNED


def returned(source: Branches, course: Course) -> bool:
    """Tell whether a course ends in the configuration that it began in."""
    return len(course.q) > 0 and apart(course.q[0], course.q[-1], source.weight) <= RETURNED


def apart(a: Array, b: Array, weight: Array) -> float:
    """Return the greatest weighted difference of a joint between two configurations."""
    return float(np.abs((a - b) * weight).max(initial=0.0))

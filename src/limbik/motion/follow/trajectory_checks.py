"""Checks of a joint trajectory: its jumps, its start at the seed, and its return to the start."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.continuity import jumps_of
from limbik.motion.follow.planner import JointTrajectory
from limbik.motion.follow.posture_sources import BranchSource
from limbik.motion.path import Path

# A trajectory returns to its start if it ends within this distance [rad, or fractions of the reach].
RETURNED = 1e-6


def progress(trajectory: JointTrajectory) -> tuple[bool, float]:
    """Return the progress of a trajectory, for comparison: whether it is complete, and the time that it reaches [s]."""
    return trajectory.complete, float(trajectory.times[-1]) if len(trajectory.q) else -math.inf


def jumps_in(source: BranchSource, path: Path, trajectory: JointTrajectory) -> npt.NDArray[np.int64]:
    """Return the frames of a trajectory that are reached by a jump."""
    known = None if source.keys > 1 else trajectory.branch
    return jumps_of(source, path, trajectory.times, trajectory.q, known)


def before_jump(trajectory: JointTrajectory, jumps: npt.NDArray[np.int64]) -> JointTrajectory:
    """Return the part before the first jump."""
    if not len(jumps):
        return trajectory
    k = int(jumps[0])
    return replace(
        trajectory, times=trajectory.times[:k], q=trajectory.q[:k], branch=trajectory.branch[:k], jumped=trajectory.jumped[:k],
        complete=False, dead_end=False, next_time=float(trajectory.times[k]),
    )  # fmt: skip


def without_jump(source: BranchSource, path: Path, trajectory: JointTrajectory) -> JointTrajectory:
    """Return the part of a trajectory before its first jump, or all of it."""
    return before_jump(trajectory, jumps_in(source, path, trajectory))


def starts_at_seed(source: BranchSource, path: Path, trajectory: JointTrajectory, seed: Array | None) -> bool:
    """Return whether a trajectory starts at the seed; True without a seed, or if the seed does not reach the first pose."""
    if seed is None or not len(source.at_seed(path.at(trajectory.times[0]), seed).q):
        return True
    return joint_distance(trajectory.q[0], seed, source.weight) <= RETURNED


def is_closed(source: BranchSource, trajectory: JointTrajectory) -> bool:
    """Return whether a trajectory ends in its first configuration."""
    return len(trajectory.q) > 0 and joint_distance(trajectory.q[0], trajectory.q[-1], source.weight) <= RETURNED


def joint_distance(a: Array, b: Array, weight: Array) -> float:
    """Return the largest weighted joint difference between two configurations."""
    return float(np.abs((a - b) * weight).max(initial=0.0))

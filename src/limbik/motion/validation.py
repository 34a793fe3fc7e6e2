"""Validation of the arguments of paths: poses, points, times, directions."""

import math
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import LARGEST, Array, frozen, number, numbers, vector
from limbik.geometry.se3 import EXACT_ROTATION, as_pose, matrices

# The shortest time between two poses, as a fraction of the total time.
CLOSEST = 1e-12


def checked_poses(given: Any, least: int = 2) -> Array:
    """Return poses, (N, 4, 4). Raises ShapeError, NotRigid, NotFinite."""
    poses = numbers(matrices(given), "poses are numbers of shape (N, 4, 4)")
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        raise ShapeError(f"poses have shape (N, 4, 4); got {poses.shape}")
    if len(poses) < least:
        raise ShapeError(f"a path needs {least} poses at least; got {len(poses)}")
    R = poses[:, :3, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2))
        odd = ~(
            (off <= EXACT_ROTATION) & (poses[:, 3] == (0, 0, 0, 1)).all(axis=1) & np.isfinite(poses).all(axis=(1, 2))
        )
        odd |= ~(np.linalg.det(R) > 0) | ~(np.abs(poses[:, :3, 3]).max(axis=1) <= LARGEST)
    for k in np.flatnonzero(odd):  # project nearly rigid poses; raise for others
        poses[k] = as_pose(poses[k], f"pose {k}")
    return poses


def checked_points(given: Any, rotation: Any) -> Array:
    """Return poses at points (N, 3) with one rotation, or the given poses, (N, 4, 4). Raises ShapeError, NotRigid, BadOption."""
    values = numbers(matrices(given), "a spline goes through poses (N, 4, 4) or points (N, 3)")
    if values.ndim == 3:
        if rotation is not None:
            raise BadOption("rotation= applies to points; poses have their own")
        return checked_poses(values, least=1)
    if values.ndim != 2 or values.shape[1] != 3:
        raise ShapeError(f"a spline goes through poses (N, 4, 4) or points (N, 3); got {values.shape}")
    T = np.eye(4)
    if rotation is not None:
        turn = numbers(matrices(rotation), "rotation must be a matrix of numbers")
        if turn.shape not in ((3, 3), (4, 4)):
            raise ShapeError(f"rotation must have shape (3, 3) or (4, 4); got {turn.shape}")
        T[:3, :3] = turn[:3, :3]
    poses = np.tile(T, (len(values), 1, 1))
    poses[:, :3, 3] = values
    return checked_poses(poses, least=1)


def checked_times(given: Any, count: int) -> Array:
    """Return increasing times, (count,) [s]. Raises ShapeError, NotFinite, BadOption."""
    when = numbers(given, "times must be numbers, one for each pose")
    if when.shape != (count,):
        raise ShapeError(f"{count} poses need {count} times; got shape {when.shape}")
    if not np.isfinite(when).all():
        raise NotFinite("times contain NaN or infinity")
    if not (np.diff(when) > 0).all():
        row = int(np.argmin(np.diff(when) > 0)) + 1
        raise BadOption(f"times must increase: pose {row} is at {when[row]:g} s, after {when[row - 1]:g} s")
    if count > 1 and not np.diff(when).min() > CLOSEST * (when[-1] - when[0]):
        row = int(np.argmin(np.diff(when))) + 1
        raise BadOption(
            f"pose {row} comes {when[row] - when[row - 1]:.3g} s after the previous one: too short an interval to compute with"
        )
    return when


def checked_finite(given: Any, what: str) -> float:
    """Return a finite number. what: its name in the error. Raises NotFinite."""
    value = number(given, what)
    if not math.isfinite(value):
        raise NotFinite(f"{what} must be finite; got {value:g}")
    return value


def checked_seconds(given: Any) -> float:
    """Return a duration above 0 [s]. Raises BadOption, NotFinite."""
    value = checked_finite(given, "the duration")
    if not value > 0:
        raise BadOption(f"a duration must be above 0 s; got {shown(given)}")
    return value


def checked_unit(given: Any, what: str) -> Array:
    """Return a direction of length one. what: its name in the error. Raises BadOption."""
    axis = vector(given, what)
    axis = axis / max(float(np.abs(axis).max()), 1e-300)  # avoids overflow and underflow of the squares
    size = float(np.linalg.norm(axis))
    if not size > 0:
        raise BadOption(f"{what} is zero: give a direction")
    return frozen(axis / size)

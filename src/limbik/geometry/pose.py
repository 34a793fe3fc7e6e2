"""Poses from a position and a rotation: quaternions with a named order, roll-pitch-yaw, matrices."""

import math
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, NotRigid, ShapeError, shown
from limbik.geometry.arrays import Array, numbers
from limbik.geometry.se3 import RIGID_TOLERANCE, matrices
from limbik.geometry.so3 import matrix_from_quaternion, matrix_from_rpy, real_part_last

# The largest deviation of a quaternion's length from 1 that counts as rounding.
UNIT = 1e-2
# Angles beyond two full turns are rejected as degrees by mistake [rad].
MOST_ANGLE = 4 * math.pi
# The forms of a rotation: the shape of one, and a description.
SHAPES = {
    "xyzw": ((4,), "a quaternion of 4 numbers, its real part last (ROS, SciPy, glTF)"),
    "wxyz": ((4,), "a quaternion of 4 numbers, its real part first (MuJoCo, Eigen's constructor, Blender)"),
    "rpy": ((3,), "roll, pitch and yaw [rad]"),
    "rotation": ((3, 3), "a 3x3 matrix, or an object with .as_matrix()"),
}


def pose(
    xyz: Any = (0.0, 0.0, 0.0), *, xyzw: Any = None, wxyz: Any = None, rpy: Any = None, rotation: Any = None
) -> Array:
    """Return the pose at a position with a rotation, as a matrix: (3,) -> (4, 4), or many at once, (N, 3) -> (N, 4, 4).

    xyz: the position [m]. At most one of: xyzw, a quaternion with its real part last (ROS, SciPy, glTF); wxyz, one with its real
    part first (MuJoCo, Blender); rpy, URDF's roll about x, then pitch about y, then yaw about z, all fixed axes [rad];
    rotation, a (3, 3) matrix or SciPy's Rotation. Without any of them, the identity. A quaternion must have length 1 within 0.01
    and is normalised. One position is combined with many rotations, and one rotation with many positions.

    Raises ShapeError, NotFinite, NotNumeric, NotRigid (a quaternion's length is not 1, a matrix is not a rotation), BadOption.
    """
    given = {"xyzw": xyzw, "wxyz": wxyz, "rpy": rpy, "rotation": rotation}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise BadOption(f"{' and '.join(named)} each give a rotation; give one of them")
    positions = numbers(xyz, "xyz must be three numbers")
    if positions.shape[-1:] in ((6,), (7,)):
        rest = "rpy=v[3:] [rad]" if positions.shape[-1] == 6 else "xyzw=v[3:] or wxyz=v[3:], whichever order it has"
        raise ShapeError(f"xyz has {positions.shape[-1]} numbers; name the rotation: pose(v[:3], {rest})")
    _check(positions, (3,), "xyz", "three numbers [m]")
    R = np.eye(3) if not named else _ROTATIONS[named[0]](_rotation(named[0], given[named[0]]))
    try:
        rows = np.broadcast_shapes(positions.shape[:-1], R.shape[:-2])
    except ValueError:
        raise ShapeError(
            f"xyz has shape {positions.shape} and {named[0]} is for {R.shape[:-2]} poses; give equal numbers of both, or one of "
            "either"
        ) from None
    T = np.zeros((*rows, 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, positions, 1.0
    return T


def _rotation(name: str, value: Any) -> Array:
    shape, words = SHAPES[name]
    given = numbers(matrices(value), f"{name} must be {words}")
    _check(given, shape, name, words)
    return given


def _check(given: Array, shape: tuple[int, ...], name: str, words: str) -> None:
    if given.shape[-len(shape) :] != shape or given.ndim > len(shape) + 1:
        raise ShapeError(f"{name} must be {words}, or many of them; got shape {given.shape}")
    if not np.isfinite(given).all():
        raise NotFinite(f"{name} holds NaN or infinity: {shown(given.tolist())}")


def _from_xyzw(q: Array, name: str = "xyzw") -> Array:
    with np.errstate(over="ignore"):
        length = np.linalg.norm(q, axis=-1, keepdims=True)
    off = np.abs(length - 1.0)
    if off.size and not off.max() <= UNIT:
        worst = float(length.reshape(-1)[int(off.argmax())])
        raise NotRigid(
            f"a quaternion {name} has length {worst:.4g} instead of 1: a unit quaternion is q / np.linalg.norm(q)"
        )
    return matrix_from_quaternion(q / length)


def _from_wxyz(q: Array) -> Array:
    return _from_xyzw(real_part_last(q), "wxyz")


def _from_rpy(angles: Array) -> Array:
    if angles.size and not (most := float(np.abs(angles).max())) <= MOST_ANGLE:
        raise BadOption(f"rpy holds {most:g}, and angles are in radians: for degrees pass np.radians(rpy)")
    return matrix_from_rpy(angles)


def _from_matrix(R: Array) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3))
    if off.size and not (worst := float(off.max())) <= RIGID_TOLERANCE:
        raise NotRigid(f"rotation is not a rotation matrix: |R^T R - I| is {worst:.2g} (is it scaled?)")
    if (np.linalg.det(R) < 0).any():
        raise NotRigid("rotation is mirrored: its determinant is -1; negate one axis")
    u, _, vt = np.linalg.svd(R)
    nearest: Array = u @ vt
    return nearest


_ROTATIONS = {"xyzw": _from_xyzw, "wxyz": _from_wxyz, "rpy": _from_rpy, "rotation": _from_matrix}

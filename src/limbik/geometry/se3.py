"""Rigid transforms: 4x4 matrices, conversions, and validation."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik import errors
from limbik._core import pose_error as pose_error
from limbik._core import register
from limbik.errors import NotFinite, NotRigid, ShapeError
from limbik.geometry.arrays import LARGEST, Array, frozen, numbers
from limbik.geometry.so3 import matrix_from_quaternion, matrix_from_rpy

# The largest |R^T R - I| of a rotation that was printed or stored with few digits (float32, six decimals).
RIGID_TOLERANCE = 1e-4
# Below this |R^T R - I| a rotation is not projected: that would only change its last digits.
EXACT_ROTATION = 1e-14


def translation(xyz: Sequence[float] | Array) -> Array:
    """Return the translation by xyz [m], (4, 4)."""
    T = np.eye(4)
    T[:3, 3] = xyz
    return T


def rotation_about(axis: Sequence[float] | Array, angle: float) -> Array:
    """Return the rotation by `angle` [rad] about `axis` (any length but zero), (4, 4)."""
    a = np.asarray(axis, dtype=np.float64)
    x, y, z = a / np.linalg.norm(a)
    c, s = np.cos(angle), np.sin(angle)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    T = np.eye(4)
    T[:3, :3] = np.eye(3) + s * K + (1 - c) * K @ K
    return T


def from_rpy(xyz: Sequence[float] | Array, rpy: Sequence[float] | Array) -> Array:
    """Return URDF's transform: roll about x, then pitch about y, then yaw about z, all fixed axes [rad], then xyz."""
    T = translation(xyz)
    T[:3, :3] = matrix_from_rpy(np.asarray(rpy, dtype=np.float64))
    return T


def rpy_of(T: Array) -> tuple[float, float, float]:
    """Return URDF's roll, pitch and yaw [rad] of a transform; `from_rpy` is the inverse."""
    R = T[:3, :3]
    level = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], level)
    yaw = math.atan2(R[1, 0], R[0, 0])
    s, c = math.sin(yaw), math.cos(yaw)
    # The roll is that of the rotation with this yaw removed. Near a pitch of +-90 degrees, roll and yaw are about one axis and
    # only their sum or difference is determined: rounding errors of the two cancel in the rotation.
    return math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1]), pitch, yaw


def from_quaternion(xyz: Sequence[float] | Array, xyzw: Sequence[float] | Array) -> Array:
    """Return the transform with the rotation of a quaternion (real part last, any length but zero), then xyz."""
    q = np.asarray(xyzw, dtype=np.float64)
    T = translation(xyz)
    T[:3, :3] = matrix_from_quaternion(q / np.linalg.norm(q))
    return T


def from_dh(a: float, alpha: float, d: float, theta: float, convention: str) -> tuple[Array, Array]:
    """Return the transforms before and after the joint's motion in one Denavit-Hartenberg row.

    standard: Rz(theta) Tz(d) Tx(a) Rx(alpha), after the joint. modified (Craig): Tx(a) Rx(alpha) Rz(theta) Tz(d), before it.
    """
    about_x = translation((a, 0, 0)) @ rotation_about((1, 0, 0), alpha)
    about_z = rotation_about((0, 0, 1), theta) @ translation((0, 0, d))
    return (np.eye(4), about_z @ about_x) if convention == "standard" else (about_x @ about_z, np.eye(4))


def inverse(T: Array) -> Array:
    """Return the inverse of a rigid transform."""
    out = np.eye(4)
    out[:3, :3] = T[:3, :3].T
    out[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return out


def onto_z(axis: Array) -> Array:
    """Return a rotation (4x4) that takes z to the unit vector `axis`; exact for the axes of the frame."""
    T = np.eye(4)
    x, y, z = axis
    if x == 0.0 and y == 0.0:
        T[:3, :3] = np.diag([1.0, z, z])
    elif y == 0.0 and z == 0.0:
        T[:3, :3] = [[0, 0, x], [x, 0, 0], [0, 1, 0]]
    elif x == 0.0 and z == 0.0:
        T[:3, :3] = [[0, y, 0], [0, 0, y], [1, 0, 0]]
    else:
        helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
        first = np.cross(helper, axis)
        first /= np.linalg.norm(first)
        T[:3, :3] = np.column_stack([first, np.cross(axis, first), axis])
    return T


def matrices(given: Any) -> Any:
    """Return the matrices of a transform object, or of a list of them; anything else is returned as it is.

    Transform objects have `.as_matrix()` (SciPy's RigidTransform, of one pose or many) or `.homogeneous` (Pinocchio's SE3).
    """
    if isinstance(given, np.ndarray) and given.dtype != object:
        return given
    if hasattr(given, "as_matrix"):
        return given.as_matrix()
    if hasattr(given, "homogeneous"):
        return given.homogeneous
    if isinstance(given, list | tuple | np.ndarray) and any(
        hasattr(one, "as_matrix") or hasattr(one, "homogeneous") for one in given
    ):
        return [matrices(one) for one in given]
    return given


# The hint how to make a pose from other forms.
_MAKES_ONE = " (limbik.pose(xyz, xyzw= or wxyz= or rpy= or rotation=) makes one)"


def _remedy(shape: tuple[int, ...], what: str) -> str:
    """Return a hint how to convert an array of another shape, as the end of a sentence."""
    anyhow = (
        "; solve(limbik.Position(None, xyz)) reaches a position with any orientation" if what == "the target" else ""
    )
    ways = {
        (3,): f"limbik.pose(xyz, xyzw=q) makes one from a position and a rotation{anyhow}",
        (6,): "limbik.pose(v[:3], rpy=v[3:]) makes one from x, y, z, roll, pitch, yaw [m, rad]",
        (
            7,
        ): "limbik.pose(v[:3], xyzw=v[3:]) makes one from a position and a quaternion, or wxyz= if its real part is first",
        (16,): "np.reshape(T, (4, 4)) makes one",
        (3, 3): "limbik.pose(xyz, rotation=R) makes one from a position and a rotation",
        (3, 4): "np.vstack([T, (0, 0, 0, 1)]) makes one",
        (1, 4, 4): "T[0] is one",
    }
    return f"; {ways[shape]}" if shape in ways else ""


def as_pose(given: Any, what: str = "the pose") -> Array:
    """Return a rigid transform (4, 4) from an array, nested lists, or an object with `.as_matrix()` or `.homogeneous`.

    A rotation that is accurate to RIGID_TOLERANCE is projected to the nearest exact one. Raises ShapeError, NotFinite,
    NotNumeric or NotRigid, whose messages give the reason.
    """
    T = numbers(matrices(given), f"{what} must be a 4x4 matrix of numbers{_MAKES_ONE}")
    if T.shape != (4, 4):
        raise ShapeError(f"{what} must be a 4x4 matrix; got shape {T.shape}{_remedy(T.shape, what)}")
    if not np.isfinite(T).all():
        raise NotFinite(f"{what} holds NaN or infinity")
    if not np.array_equal(T[3], (0, 0, 0, 1)):
        remedy = "; it is transposed: pass T.T" if np.array_equal(T[:, 3], (0, 0, 0, 1)) else ""
        raise NotRigid(f"{what} must end in the row (0, 0, 0, 1); got {T[3].tolist()}{remedy}")
    if (far := float(np.abs(T[:3, 3]).max())) > LARGEST:
        raise NotFinite(f"{what} lies {far:g} m away, too far to compute with; is the unit right?")
    R = T[:3, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        deviation = float(np.abs(R.T @ R - np.eye(3)).max())
    if not deviation <= RIGID_TOLERANCE:
        raise NotRigid(f"{what} is not a rotation and a translation: |R^T R - I| is {deviation:.2g} (is it scaled?)")
    if np.linalg.det(R) < 0:
        raise NotRigid(f"{what} is mirrored: the determinant of its rotation is -1; negate one axis")
    if deviation > EXACT_ROTATION:
        u, _, vt = np.linalg.svd(R)
        T[:3, :3] = u @ vt
    return frozen(T)


register(as_pose=as_pose, matrices=matrices, numbers=numbers, errors=errors)

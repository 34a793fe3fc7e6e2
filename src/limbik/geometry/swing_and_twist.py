"""Swing and twist: the tilt of an axis by a rotation, and the rotation about that axis.

Every rotation is R = S A: a rotation A about the axis a, then the shortest rotation S that takes a to R a. The swing is the angle
of S, from 0 to pi; the twist is the angle of A, from -pi to pi. With c = a . R a and w = a x R a, S = I + [w]x + [w]x^2 / (1 + c)
and A = S^T R. At a swing of pi the shortest rotation is not unique and the twist is undefined; 0 is returned for it.
(Baerlocher and Boulic, Parametrization and range of motion of the ball-and-socket joint, 2001.)
"""

import math
from typing import Any, NamedTuple

import numpy as np

from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array, numbers, vector
from limbik.geometry.se3 import RIGID_TOLERANCE, matrices, rotation_about

# Below this 1 + cos(swing), the swing counts as pi, and the twist is undefined.
HALF_TURN = 1e-12


class SwingTwist(NamedTuple):
    """A rotation in two parts. swing, twist: angles [rad]. direction: the rotated axis, a unit vector."""

    swing: float
    twist: float
    direction: tuple[float, float, float]


def swing_twist(R: Any, axis: Any) -> SwingTwist:
    """Return the swing and the twist of a rotation, (3, 3) or that of a pose (4, 4), with respect to an axis.

    Raises ShapeError, NotFinite, BadOption.
    """
    rotation = numbers(matrices(R), "a rotation must be numbers, (3, 3), or a pose (4, 4)")
    if rotation.shape not in ((3, 3), (4, 4)):
        raise ShapeError(f"a rotation has shape (3, 3), a pose (4, 4); got {rotation.shape}")
    M = rotation[:3, :3]
    if not np.isfinite(M).all() or np.abs(M.T @ M - np.eye(3)).max() > RIGID_TOLERANCE or np.linalg.det(M) < 0:
        raise BadOption("R is not a rotation: its columns must be perpendicular, of length 1 and right-handed")
    a = unit(axis)
    direction = M @ a
    across = np.cross(a, direction)
    cosine = float(a @ direction)
    swing = math.atan2(float(np.linalg.norm(across)), cosine)
    twist = 0.0
    if 1 + cosine > HALF_TURN:
        A = shortest(a, direction).T @ M
        vee = 0.5 * np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
        twist = math.atan2(float(a @ vee), 0.5 * (float(np.trace(A)) - 1.0))
    x, y, z = direction.tolist()
    return SwingTwist(swing, twist, (x, y, z))


def from_swing_twist(direction: Any, twist: float, axis: Any) -> Array:
    """Return the rotation, (3, 3), that takes an axis to a direction, with this twist about it. Raises BadOption."""
    a, rotated = unit(axis), unit(direction)
    if 1 + float(a @ rotated) <= HALF_TURN:
        raise BadOption("a swing of pi has no unique rotation axis; give a direction that is not opposite to the axis")
    return np.asarray(shortest(a, rotated) @ rotation_about(a, twist)[:3, :3])


def shortest(a: Array, b: Array) -> Array:
    """Return the shortest rotation from a unit vector to another that is not opposite to it, (3, 3)."""
    x, y, z = np.cross(a, b)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + float(a @ b)))


def unit(given: Any) -> Array:
    """Return a direction as a unit vector. Raises BadOption."""
    direction = vector(given, "the axis")
    length = float(np.linalg.norm(direction))
    if not length > 0:
        raise BadOption("an axis of length 0 has no direction")
    return np.asarray(direction / length)

"""Swing and twist: the tilt of an axis by a rotation, and the rotation about that axis.

Every rotation is R = S A: a turn A about the axis a, then the shortest rotation S that takes a to R a. The swing is the angle
of S, from 0 to pi; the twist the angle of A, from -pi to pi. With c = a . R a and w = a x R a, S = I + [w]x + [w]x^2 / (1 + c);
the twist is read from A = S^T R. At a swing of pi the shortest way is not unique and the twist is not defined: it is 0 then.
(Baerlocher and Boulic, Parametrization and range of motion of the ball-and-socket joint, 2001.)
"""

import math
from typing import Any, NamedTuple

import numpy as np

from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array, numbers, vector
from limbik.geometry.se3 import matrices, rotation_about

# Below this 1 + cos(swing) the swing is half a turn, and no twist can be read.
HALF_TURN = 1e-12


class SwingTwist(NamedTuple):
    """A rotation in two parts. swing, twist: angles [rad]. direction: where the axis points to, a unit vector."""

    swing: float
    twist: float
    direction: tuple[float, float, float]


def swing_twist(R: Any, axis: Any) -> SwingTwist:
    """Return how far a rotation, (3, 3) or the turn of a pose (4, 4), tilts an axis and turns about it.

    Raises ShapeError, NotFinite, BadOption.
    """
    turn = numbers(matrices(R), "a rotation must be numbers, (3, 3), or a pose (4, 4)")
    if turn.shape not in ((3, 3), (4, 4)):
        raise ShapeError(f"a rotation has shape (3, 3), a pose (4, 4); got {turn.shape}")
    turn = turn[:3, :3]
    if not np.isfinite(turn).all() or np.abs(turn.T @ turn - np.eye(3)).max() > 1e-4 or np.linalg.det(turn) < 0:
        raise BadOption("R is no rotation: its columns must be perpendicular, of length 1 and right-handed")
    a = unit(axis)
    there = turn @ a
    across = np.cross(a, there)
    cosine = float(a @ there)
    swing = math.atan2(float(np.linalg.norm(across)), cosine)
    twist = 0.0
    if 1 + cosine > HALF_TURN:
        alone = shortest(a, there).T @ turn
        vee = 0.5 * np.array([alone[2, 1] - alone[1, 2], alone[0, 2] - alone[2, 0], alone[1, 0] - alone[0, 1]])
        twist = math.atan2(float(a @ vee), 0.5 * (float(np.trace(alone)) - 1.0))
    x, y, z = there.tolist()
    return SwingTwist(swing, twist, (x, y, z))


def from_swing_twist(direction: Any, twist: float, axis: Any) -> Array:
    """Return the rotation, (3, 3), that points an axis in a direction and has this twist about it. Raises BadOption."""
    a, there = unit(axis), unit(direction)
    if 1 + float(a @ there) <= HALF_TURN:
        raise BadOption("a swing of pi has no unique rotation axis; give a direction that is not opposite to the axis")
    return np.asarray(shortest(a, there) @ rotation_about(a, twist)[:3, :3])


def shortest(a: Array, b: Array) -> Array:
    """Return the shortest rotation from one unit vector to another that is not its opposite, (3, 3)."""
    x, y, z = np.cross(a, b)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + float(a @ b)))


def unit(given: Any) -> Array:
    """Return a direction as a unit vector. Raises BadOption."""
    direction = vector(given, "the axis")
    length = float(np.linalg.norm(direction))
    if not length > 0:
        raise BadOption("an axis without length has no direction")
    return np.asarray(direction / length)

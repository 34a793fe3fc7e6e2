"""The masses of a model: their centre, and the torques of their weight on the joints."""

from typing import Any

import numpy as np

from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array
from limbik.model.joint import Link
from limbik.model.model import Model

# Standard gravity [m/s^2], and the direction that it does not pull in, by the upward axis of the model.
GRAVITY = 9.80665
_UP = {"z": (0.0, 0.0, 1.0), "y": (0.0, 1.0, 0.0)}


def centre_of_mass(model: Model, q: Any) -> Array:
    """Return the centre of all masses in the base frame [m], (n,) -> (3,). Raises BadOption where the model has none."""
    links = _massive(model)
    if not links:
        raise BadOption(f"no link of '{model.name}' has a mass; give its model masses")
    poses = model.kernel.forward_all(model.kernel.checked(q))
    weighted = np.zeros(3)
    whole = 0.0
    for link in links:
        T = poses[model.compiled.frame_numbers[link.name]]
        weighted += link.mass * (T[:3, :3] @ np.array(link.centre_of_mass) + T[:3, 3])
        whole += link.mass
    return np.asarray(weighted / whole)


def gravity_torques(model: Model, q: Any) -> Array:
    """Return the torques of the links' weight on the joints, (n,) [Nm]: -dU/dq, along each joint's positive direction.

    Up is the model's upward axis in the frame of the base. Raises ShapeError, NotFinite, BadOption without masses.
    """
    posture = model.kernel.checked(q)
    if posture.shape != (model.n,):
        raise ShapeError(f"q must have shape ({model.n},); got {posture.shape}")
    up = np.array(_UP[model.mechanism.up])
    links = _massive(model)
    if not links:
        raise BadOption(f"no link of '{model.name}' has a mass; give its model masses, or the load in Nm")
    total = np.zeros(model.n)
    for link in links:
        T, J = model.kernel.forward_jacobian(posture, model.compiled.frame_numbers[link.name], 0)
        arm = T[:3, :3] @ np.array(link.centre_of_mass)
        total -= link.mass * GRAVITY * (up @ (J[:3] + np.cross(J[3:].T, arm).T))
    return total


def _massive(model: Model) -> tuple[Link, ...]:
    """Return the links with a mass that move with the joints of q, or stand with the base."""
    return tuple(link for link in model.mechanism.links if link.mass > 0 and link.name in model.compiled.frames)

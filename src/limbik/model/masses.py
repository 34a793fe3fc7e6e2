"""Gravity torques: the torques of the links' weight on the joints."""

from typing import Any

import numpy as np

from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array
from limbik.model.model import UP, Model

# Standard gravity [m/s^2].
GRAVITY = 9.80665


def gravity_torques(model: Model, q: Any) -> Array:
    """Return the torques of the links' weight on the joints, (n,) [Nm]: -dU/dq, along each joint's positive direction.

    With U the potential energy; up is the model's upward axis in the base frame. Raises ShapeError, NotFinite, and BadOption if
    no link has a mass.
    """
    posture = model.kernel.checked(q)
    if posture.shape != (model.n,):
        raise ShapeError(f"q must have shape ({model.n},); got {posture.shape}")
    up = np.array(UP[model.mechanism.up])
    links = model.massive
    if not links:
        raise BadOption(f"no link of '{model.name}' has a mass; add masses to the model, or give the load in Nm")
    total = np.zeros(model.n)
    for link in links:
        T, J = model.kernel.forward_jacobian(posture, model.compiled.frame_numbers[link.name], 0)
        arm = T[:3, :3] @ np.array(link.centre_of_mass)
        total -= link.mass * GRAVITY * (up @ (J[:3] + np.cross(J[3:].T, arm).T))
    return total

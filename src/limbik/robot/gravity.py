"""What the weight of the links does to the joints of a chain."""

from typing import Any

import numpy as np

from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array
from limbik.robot.muscle_solving import MuscleSolving

# Standard gravity [m/s^2], and the direction that it does not pull in, by the upward axis of the model.
GRAVITY = 9.80665
_UP = {"z": (0.0, 0.0, 1.0), "y": (0.0, 1.0, 0.0)}


class Weighed(MuscleSolving):
    """A chain whose links have masses."""

    def gravity_torques(self, q: Any) -> Array:
        """Return the torques of the links' weight on the joints, (n,) [Nm]: -dU/dq, along each joint's positive direction.

        Up is the model's upward axis in the frame of the base. Raises BadOption where no link that moves has a mass.
        """
        posture = self.model.kernel.checked(q)
        if posture.shape != (self.n,):
            raise ShapeError(f"q must have shape ({self.n},); got {posture.shape}")
        up = np.array(_UP[self.model.mechanism.up])
        weighed = [
            link for link in self.model.mechanism.links if link.mass > 0 and link.name in self.model.compiled.frames
        ]
        if not weighed:
            raise BadOption(f"no link of '{self.name}' has a mass; give its model masses, or the load in Nm")
        total = np.zeros(self.n)
        for link in weighed:
            T, J = self.model.kernel.forward_jacobian(posture, self.model.frame_index(link.name), 0)
            arm = T[:3, :3] @ np.array(link.centre_of_mass)
            total -= link.mass * GRAVITY * (up @ (J[:3] + np.cross(J[3:].T, arm).T))
        return total

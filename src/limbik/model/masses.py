"""The masses of a model."""

from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.model import Model


def centre_of_mass(model: Model, q: Any) -> Array:
    """Return the centre of all masses in the base frame [m], (n,) -> (3,). Raises BadOption where the model has none."""
    masses = np.array(model.masses).reshape(-1, 5)
    if not len(masses):
        raise BadOption(f"no link of '{model.name}' has a mass; give its model masses")
    poses = model.kernel.forward_all(model.kernel.checked(q))
    weighted = np.zeros(3)
    whole = 0.0
    for link in model.mechanism.links:
        if link.mass > 0 and link.name in model.compiled.frames:
            T = poses[model.compiled.frame_numbers[link.name]]
            weighted += link.mass * (T[:3, :3] @ np.array(link.centre_of_mass) + T[:3, 3])
            whole += link.mass
    return np.asarray(weighted / whole)

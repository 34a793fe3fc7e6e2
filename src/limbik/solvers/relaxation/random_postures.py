"""Random postures of segments, inside their ranges."""

import math

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import onto_z, rotation_about
from limbik.solvers.relaxation.sockets import Hinge, Socket


def random_posture(
    parents: tuple[int, ...],
    lengths: tuple[tuple[float, float], ...],
    sockets: tuple[Socket, ...],
    rest: Array,
    rng: np.random.Generator,
) -> Array:
    """Return points (n + 1, d), the base at the origin: balls uniform over cones, hinges and lengths over their ranges."""
    flat = rest.shape[1] == 2
    straight = np.column_stack([rest, np.zeros(len(rest))]) if flat else rest
    frames, points = [np.eye(3)], np.zeros((len(parents) + 1, 3))
    for k, parent in enumerate(parents):
        socket, direction = sockets[k], straight[k]
        R = frames[parent]
        if isinstance(socket, Hinge):
            rotation = rotation_about(socket.axis, rng.uniform(socket.low, socket.high))[:3, :3]
        elif flat:
            rotation = rotation_about((0, 0, 1), rng.uniform(-socket.cone, socket.cone))[:3, :3]
        else:
            tilt = math.acos(1.0 - rng.uniform(0.0, 1.0) * (1.0 - math.cos(socket.cone)))
            normal = rotation_about(direction, rng.uniform(-math.pi, math.pi))[:3, :3] @ onto_z(direction)[:3, 0]
            rotation = rotation_about(normal, tilt)[:3, :3]
        frames.append(R @ rotation)
        points[k + 1] = points[parent] + rng.uniform(*lengths[k]) * (frames[-1] @ direction)
    return points[:, : rest.shape[1]]

"""Verification of joint ranges of points in a plane, from angles alone.

In a plane the orientation of a segment is one angle, its direction minus its rest direction. A joint's angle is therefore
    (phi_i - rest_i) - (phi_parent - rest_parent),
for all preceding joints: the check is independent of how the network computes its postures.
"""

import math

import numpy as np

from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.sockets import Hinge, Socket

# Tolerance of joint ranges [rad].
IN_RANGE = 1e-7


def keeps_in_plane(points: Array, parents: tuple[int, ...], sockets: tuple[Socket, ...], rest: Array) -> bool:
    """Return whether points (n + 1, 2) keep every range; True for points in space, which need frames."""
    if points.shape[1] != 2:
        return True
    way = points[1:] - points[list(parents)]
    frame = np.array([0.0, *(np.arctan2(way[:, 1], way[:, 0]) - np.arctan2(rest[:, 1], rest[:, 0]))])
    frame[1:][(way == 0.0).all(axis=1)] = (
        np.nan
    )  # a segment without length has no direction; segments after it are not checked
    turned = frame[1:] - frame[list(parents)]
    for angle, s in zip(turned.tolist(), sockets, strict=True):
        if math.isnan(angle):
            continue
        low, high = (s.low, s.high) if isinstance(s, Hinge) else (-s.cone, s.cone)
        if isinstance(s, Hinge) and s.axis[2] < 0:
            low, high = -high, -low
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        if abs(math.remainder(angle - middle, TURN)) > half + IN_RANGE:
            return False
    return True

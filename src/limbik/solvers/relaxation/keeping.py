"""Verification of joint ranges of points in a plane, from angles alone.

In a plane the orientation of a segment is one angle, its direction minus its rest direction. A joint's angle is therefore
    (phi_i - rest_i) - (phi_parent - rest_parent),
whatever the preceding joints do. The check does not depend on how the network computes its postures.
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
    segments = points[1:] - points[list(parents)]
    frame = np.array([0.0, *(np.arctan2(segments[:, 1], segments[:, 0]) - np.arctan2(rest[:, 1], rest[:, 0]))])
    # a segment without length has no direction: its joint and those at its end are not checked
    frame[1:][(segments == 0.0).all(axis=1)] = np.nan
    angles = frame[1:] - frame[list(parents)]
    for angle, s in zip(angles.tolist(), sockets, strict=True):
        if math.isnan(angle):
            continue
        low, high = (s.low, s.high) if isinstance(s, Hinge) else (-s.cone, s.cone)
        if isinstance(s, Hinge) and s.axis[2] < 0:
            low, high = -high, -low
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        if abs(math.remainder(angle - middle, TURN)) > half + IN_RANGE:
            return False
    return True

"""Angles between two segments of a body from their orientations, after the recommendations of the ISB (Wu et al. 2002, 2005).

Axes: X forward, Y up, Z to the right; the left side is mirrored, so that equal motions have equal angles. A segment's orientation
is relative to its neighbour and to the zero posture, where the body stands with hanging arms and the palms forward. The order of
the joints in a model does not matter.

- Shoulder (thorax and humerus): Ry(plane) Rx(-elevation) Ry(axial). The plane of elevation is 0 for abduction, 90 for flexion
  and -90 for extension; axial rotation is positive inwards. Near an elevation of 0 or 180 only the sum of plane and axial
  rotation (at 180 their difference) is determined.
- Other joints: Rz(flexion) Rx(tilt) Ry(rotation), as in Grood and Suntay. Near a tilt of 90 it is undefined.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.motions import directions

# Within this angle of an elevation of 0 or 180, or of a tilt of 90, the other angles are not determined one by one [degrees].
UNDEFINED_DEG = 10.0


@dataclass(frozen=True)
class ShoulderAngles:
    """The angles of a shoulder [degrees]. plane: NaN where it is undefined; axial: positive inwards, NaN likewise.

    summed: plane + axial rotation, at an elevation of 180 axial rotation - plane: what remains determined.
    """

    elevation: float
    plane: float
    axial: float
    summed: float


@dataclass(frozen=True)
class JointAngles:
    """The angles of another joint [degrees], about the axes to the right (outwards), forward and up; NaN where undefined."""

    flexion: float
    tilt: float
    rotation: float


def shoulder_angles(R: Array) -> ShoulderAngles:
    """Return the angles of a rotation (3, 3) of the humerus relative to the thorax, in X forward, Y up, Z outwards."""
    elevation = math.degrees(math.acos(float(np.clip(R[1, 1], -1.0, 1.0))))
    if elevation <= UNDEFINED_DEG:
        return ShoulderAngles(elevation, math.nan, math.nan, _deg(R[0, 2] - R[2, 0], R[0, 0] + R[2, 2]))
    if elevation >= 180.0 - UNDEFINED_DEG:
        return ShoulderAngles(elevation, math.nan, math.nan, _deg(R[0, 2] + R[2, 0], R[0, 0] - R[2, 2]))
    plane, axial = _deg(-R[0, 1], -R[2, 1]), _deg(-R[1, 0], R[1, 2])
    return ShoulderAngles(elevation, plane, axial, math.remainder(plane + axial, 360.0))


def joint_angles(R: Array) -> JointAngles:
    """Return the angles of a rotation (3, 3) of a segment relative to its neighbour, in X forward, Y up, Z outwards."""
    tilt = math.degrees(math.asin(float(np.clip(R[2, 1], -1.0, 1.0))))
    if abs(tilt) >= 90.0 - UNDEFINED_DEG:
        return JointAngles(math.nan, tilt, math.nan)
    return JointAngles(_deg(-R[0, 1], R[1, 1]), tilt, _deg(-R[2, 0], R[2, 2]))


def relative(robot: Chain | Skeleton, q: Array, proximal: str, distal: str, *, left: bool = False) -> Array:
    """Return the orientation (3, 3) of a segment relative to its neighbour and to the zero posture.

    left: the Z axis points to the left, so that both sides have equal angles in equal postures.
    """
    zero = np.zeros(robot.n)
    at_zero = [robot.forward(zero, frame)[:3, :3] for frame in (proximal, distal)]
    now = [robot.forward(q, frame)[:3, :3] for frame in (proximal, distal)]
    R = at_zero[0] @ now[0].T @ now[1] @ at_zero[1].T
    up, forward, side = directions(robot)
    B = np.stack([forward, up, side if left else -side], axis=1)
    return np.asarray(B.T @ R @ B)


def _deg(sine: float, cosine: float) -> float:
    return math.degrees(math.atan2(float(sine), float(cosine)))

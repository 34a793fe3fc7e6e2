"""Product of exponentials: one screw axis per joint, in the base frame at the home posture (configuration).

T(q) = exp([S1] q1) ... exp([Sn] qn) M, with S = (w, v) and M the tip's pose at q = 0 (Lynch and Park, Modern Robotics,
chapter 4). A revolute joint about the unit axis w through a point r has v = -w x r. A component of v along w would be a pitch;
helical joints are not supported. A prismatic joint has w = 0 and a unit v. The origin of a revolute joint's frame is w x v, the
point of the axis closest to the base's origin.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from limbik.errors import BadModel, ShapeError
from limbik.geometry.arrays import LARGEST, numbers
from limbik.geometry.se3 import as_pose, inverse, translation
from limbik.model.joint import SHORTEST_AXIS, Joint, Kind, Link
from limbik.model.mechanism import Mechanism

# Rounding in printed tables: the largest pitch of a revolute joint [m/rad], and error of an axis's length.
PITCH_TOLERANCE = 1e-6
UNIT_TOLERANCE = 1e-6


def read_screws(
    screws: Any, home: Any, lower: Sequence[float] | None, upper: Sequence[float] | None, *, name: str = "arm"
) -> Mechanism:
    """Return the mechanism of (n, 6) screw rows and the tip's pose at q = 0. Raises BadModel, naming the row."""
    table = numbers(screws, "screws must have shape (n, 6): rows of six numbers (wx, wy, wz, vx, vy, vz)")
    if table.ndim != 2 or table.shape[1] != 6 or not len(table):
        raise ShapeError(f"screws must have shape (n, 6): rows (wx, wy, wz, vx, vy, vz); got {table.shape}")
    n = len(table)
    low, high = _bound(lower, n, "lower", -math.inf), _bound(upper, n, "upper", math.inf)
    links, joints = [Link("base")], []
    T_base_here = np.eye(4)
    for k, row in enumerate(table):
        w, v = row[:3], row[3:]
        if not np.isfinite(row).all():
            raise BadModel(f"screw {k + 1} contains NaN or infinity")
        if np.abs(row).max() > LARGEST:
            raise BadModel(
                f"screw {k + 1} contains {np.abs(row).max():g}, too large to compute with; is the unit right?"
            )
        w_length, v_length = float(np.linalg.norm(w)), float(np.linalg.norm(v))
        length = w_length if w_length >= SHORTEST_AXIS else v_length
        if length < SHORTEST_AXIS:
            raise BadModel(f"screw {k + 1} is zero and has no axis")
        if abs(length - 1.0) > UNIT_TOLERANCE:
            raise BadModel(f"screw {k + 1} has an axis of length {length:g}; make it 1, so that q is in rad or m")
        if w_length >= SHORTEST_AXIS:
            axis, v = w / w_length, v / w_length
            if abs(axis @ v) > PITCH_TOLERANCE:
                raise BadModel(
                    f"screw {k + 1} has a pitch of {axis @ v:g} m/rad: a joint is either revolute or prismatic"
                )
            kind, point = Kind.REVOLUTE, np.cross(axis, v)
        else:
            kind, axis, point = Kind.PRISMATIC, v / v_length, T_base_here[:3, 3]
        T_base_joint = translation(point)
        links.append(Link(f"link{k + 1}"))
        joints.append(Joint(f"joint{k + 1}", kind, links[-2].name, links[-1].name, inverse(T_base_here) @ T_base_joint, axis,
                            low[k], high[k]))  # fmt: skip
        T_base_here = T_base_joint
    links.append(Link("tip"))
    joints.append(Joint("tip_fixed", Kind.FIXED, links[-2].name, "tip", inverse(T_base_here) @ as_pose(home, "home")))
    return Mechanism(name, tuple(links), tuple(joints))


def _bound(values: Sequence[float] | None, n: int, what: str, unlimited: float) -> list[float]:
    if values is None:
        return [unlimited] * n
    bounds = numbers(values, f"{what} must be {n} numbers")
    if bounds.shape != (n,):
        raise ShapeError(f"{what} must be {n} numbers, one per joint; got shape {bounds.shape}")
    return [float(x) for x in bounds]

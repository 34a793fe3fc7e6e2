"""Conversion of joint values to IK handles (FK/IK matching), and blending of two postures (configurations) of a limb."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.record import Record
from limbik.solvers.two_bone.answer import LimbAnswer, LimbBatch
from limbik.solvers.two_bone.limb_model import LimbModel
from limbik.solvers.two_bone.plane import angle_about

# Distance of a pole from the root, relative to the limb's length.
POLE_AWAY = 1.0


@dataclass(frozen=True, eq=False)
class Handles(Record):
    """The IK handles of a limb: the pose of its end, (4, 4), the pole, (3,), and the equivalent swivel [rad]."""

    target: Array
    pole: Array
    swivel: float


def swivel_of(limb: LimbModel, q: Any) -> Any:
    """Return the swivel of postures, (..., n) -> (...) [rad]."""
    Q, shape = limb.postures(q)
    geo = limb.joints.geometry(Q, limb.turns_hand)
    line, side = limb.joints.frames(geo, Q)
    angles = angle_about(line, limb.zero_at(geo, line), side)
    return float(angles[0]) if not shape else angles.reshape(shape)


def pole_of(limb: LimbModel, q: Any, distance: float | None = None) -> Array:
    """Return a pole in the elbow's direction at postures, (..., n) -> (..., 3).

    It is at `distance` [m] from the root, perpendicular to the line from root to end; None is the length of the limb.
    """
    Q, shape = limb.postures(q)
    away = POLE_AWAY * (limb.upper + limb.lower) if distance is None else number(distance, "the distance of a pole")
    if not 0 < away < math.inf:
        raise BadOption(f"the distance of a pole is {away:g}; give a length above 0")
    geo = limb.joints.geometry(Q, limb.turns_hand)
    return np.asarray(geo.root + away * limb.joints.frames(geo, Q)[1]).reshape(*shape, 3)


def match_ik(limb: LimbModel, q: Any) -> Handles:
    """Return the handles of a posture (n,); `match_fk` of them returns the posture."""
    Q, shape = limb.postures(q)
    if shape:
        raise ShapeError(f"match_ik takes one posture of shape ({limb.robot.n},); got {(*shape, limb.robot.n)}")
    T = limb.robot.model.kernel.forward(Q[0], limb.robot.model.frame_index(limb.end), 1)
    return Handles(T, pole_of(limb, Q[0]), swivel_of(limb, Q[0]))


def blend(limb: LimbModel, q_fk: Any, q_ik: Any, weight: Any) -> Array:
    """Return postures between two, along the rotations of the limb's joints: q_fk at weight 0, q_ik at 1, exactly.

    Joints outside the limb keep their values of q_fk. weight: a number from 0 to 1, or one for each posture; for two
    single postures weights (k,) give (k, n).
    """
    start, shape = limb.postures(q_fk)
    end, shape_too = limb.postures(q_ik)
    if shape != shape_too:
        raise ShapeError(f"the postures to blend have shapes {(*shape, -1)} and {(*shape_too, -1)}; give equal ones")
    w = numbers(weight, "the weight of a blend must be a number from 0 to 1")
    if not shape and w.ndim == 1:
        shape = w.shape
        start, end = (np.repeat(q, len(w), axis=0) for q in (start, end))
    if w.shape not in ((), shape):
        raise ShapeError(f"the weight of a blend has shape {w.shape} for postures of shape {shape}")
    if not ((w >= 0) & (w <= 1)).all():
        raise BadOption(f"the weight of a blend is {shown(weight)}; give a number from 0 to 1")
    w = np.broadcast_to(w, shape).reshape(-1, 1)
    goal = np.array(start)
    goal[:, limb.places] = end[:, limb.places]
    kernel = limb.robot.model.kernel
    out = np.array(start)
    between = kernel.integrate(start, w * kernel.difference(start, goal))
    out[:, limb.places] = between[:, limb.places]
    out = np.where(w == 0, start, np.where(w == 1, goal, out))
    return out.reshape(*shape, -1) if shape else out[0]


def bone_rotations(limb: LimbModel, answer: LimbAnswer | LimbBatch) -> Array:
    """Return the rotations of an answer's bones in the base frame: (2, 3, 3), upper then lower, or (N, 2, 3, 3)."""
    q, parts, elements = answer.q, limb.joints.parts, limb.robot.model.compiled.elements
    if q is None:
        raise BadOption("this answer has no joint values: it is not one of this limb")
    links = [elements[e].joint.child for e in (parts.root[-1], parts.elbow)]
    model = limb.robot.model
    return np.stack([model.kernel.forward(q, model.frame_index(link), 1)[..., :3, :3] for link in links], axis=-3)

"""Mirror a motion: exchange its left and right sides.

M reflects one axis of the world, so M^2 = 1. A mechanism is its own mirror image if every joint has a counterpart on the other
side (a joint in the middle is its own) whose rest frame is the mirrored one up to a constant rotation C of the link:
R'(rest) = M R(rest) M C. From the root outwards, with the parent p, the origin rotation Ro of a joint and Ro' of its counterpart,
C_child = M Ro^T M C_p Ro'. A motion R of the joint becomes the motion A R A^T of its counterpart, with the reflection
A = Ro'^T C_p^T M Ro. So a rotation vector v becomes -A v (a rotation axis is a pseudovector), and a translation p becomes A p.
With the joint axes a and a', the value of a revolute joint is multiplied by -(a' . A a), that of a prismatic joint by a' . A a.
If this factor is not +1 or -1, the mechanism is not its own mirror image, which is an error. Lengths may differ between the two
sides, as in many skeletons of motion capture.
"""

import numpy as np

from limbik.errors import BadModel
from limbik.geometry.arrays import Array
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.recording import Recording

# The tolerance of that factor: files give axes with a few digits.
SAME_AXIS = 1e-3


def mirrored(recording: Recording, partner: dict[str, str], axis: int) -> Array:
    """Return the mirrored postures, (frames, n). partner: each joint's counterpart. axis: the index of the reflected world axis.

    Raises BadModel if the two sides are not mirror images.
    """
    mechanism = recording.mechanism
    reflection = _reflections(mechanism, partner, axis)
    first = {v.joint.name: v.first for v in recording.compiled.variables}
    out = np.array(recording.q)
    for v in recording.compiled.variables:
        joint = v.joint
        other = mechanism.joint_of[partner[joint.name]]
        if other.kind.size != joint.kind.size or other.name not in first:
            raise BadModel(f"joint '{joint.name}' is {joint.kind}, but its counterpart '{other.name}' is {other.kind}")
        A, source, goal = reflection[joint.name], v.first, first[other.name]
        if joint.kind.size == 1:
            out[:, goal] = _sign(joint, other, A) * recording.q[:, source]
            continue
        turn = joint.kind.size - 3
        if turn:
            out[:, goal : goal + 3] = recording.q[:, source : source + 3] @ A.T
        rotation = recording.q[:, source + turn : source + turn + 3]
        out[:, goal + turn : goal + turn + 3] = -rotation @ A.T
    return out


def _reflections(mechanism: Mechanism, partner: dict[str, str], axis: int) -> dict[str, Array]:
    """Return the reflection A of each joint, by name. Raises BadModel if parents are not counterparts."""
    M = np.eye(3)
    M[axis, axis] = -1.0
    link_rotation, link_partner = {mechanism.root: np.eye(3)}, {mechanism.root: mechanism.root}
    reflections: dict[str, Array] = {}
    for joint in mechanism.joints:  # parents come first
        other = mechanism.joint_of[partner[joint.name]]
        if other.parent != link_partner[joint.parent]:
            raise BadModel(
                f"'{joint.name}' and its counterpart '{other.name}' have parent links that are not counterparts"
            )
        Ro, other_Ro, C = joint.origin[:3, :3], other.origin[:3, :3], link_rotation[joint.parent]
        reflections[joint.name] = other_Ro.T @ C.T @ M @ Ro
        link_rotation[joint.child], link_partner[joint.child] = M @ Ro.T @ M @ C @ other_Ro, other.child
    return reflections


def _sign(joint: Joint, other: Joint, A: Array) -> float:
    """Return the factor from a joint's value to its counterpart's, +1 or -1. Raises BadModel."""
    along = float(other.axis @ A @ joint.axis)
    sign = -along if joint.kind.is_revolute else along
    if abs(abs(sign) - 1) > SAME_AXIS or (joint.kind is Kind.PRISMATIC) != (other.kind is Kind.PRISMATIC):
        raise BadModel(
            f"joint '{joint.name}' and its counterpart '{other.name}' are not mirror images: their axes differ; "
            "pass matching pairs= and axis="
        )
    return round(sign)

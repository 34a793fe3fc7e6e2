"""Ball joints in place of three hinges (revolute joints): shoulders, hips and necks without gimbal lock.

Three hinges with a common centre and perpendicular axes give a segment every orientation. At 90 degrees of the second hinge the
axes of the first and the third coincide (gimbal lock), and small rotations of the segment then need large joint motions. A ball
joint has no such singularity. Its limits are a circular cone and a twist range, which only approximate the ranges of the hinges:
  twist: the range of the hinge whose axis lies along the segment.
  cone: centred on the middle of the other two ranges; its half angle is the mean of their half widths. It allows less than the
    hinges along the wider range, and more along the narrower one.
Where that is a poor approximation, pass a `Cone`. The ball's zero is the middle of its cone, so the zero posture of the figure
with hinges has another q here.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.geometry.se3 import rotation_about
from limbik.geometry.swing_and_twist import shortest, unit
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.segments import segment_joints

# The largest cosine between perpendicular hinge axes, and the least cosine between a segment and its twist axis.
PERPENDICULAR, ALONG = 1e-6, 0.7


@dataclass(frozen=True)
class Cone:
    """The range of a ball joint; fields that are None are derived from the hinges.

    axis: the segment's axis, in its own frame. middle: the direction of the cone's axis, in the segment's frame at the
    hinges' zero. swing: the half angle of the cone [rad]. twist: the range of the rotation about the axis, (lower, upper) [rad].
    """

    axis: Any = None
    middle: Any = None
    swing: float | None = None
    twist: Any = None


def with_balls(mechanism: Mechanism, cones: Mapping[str, Cone] | None = None) -> Mechanism:
    """Return a mechanism with a ball for every three hinges with a common centre, or only for those of the named frames.

    The ball has the name of the frame. Frames are kept; the links between the hinges are removed.
    Raises BadOption for a named frame without such hinges, and UnknownFrame.
    """
    if cones is None:
        cones = {link.name: Cone() for link in mechanism.links if _hinges(mechanism, link.name) is not None}
    elif not isinstance(cones, Mapping) or not all(isinstance(cone, Cone) for cone in cones.values()):
        raise BadOption(f"balls must be {{frame: Cone}}; got {shown(cones)}")
    joints, removed = list(mechanism.joints), set()
    for named, cone in cones.items():
        frame = _moving_link(mechanism, mechanism.check_link(named))
        hinges = _hinges(mechanism, frame)
        if hinges is None:
            raise BadOption(f"'{named}' has no three hinges at one point with perpendicular axes")
        joints[joints.index(hinges[0])] = _ball(mechanism, frame, hinges, cone)
        joints = [joint for joint in joints if joint not in hinges[1:]]
        removed |= {hinge.child for hinge in hinges[:-1]}
    return mechanism.replaced(joints, [link for link in mechanism.links if link.name not in removed])


def _moving_link(mechanism: Mechanism, frame: str) -> str:
    """Return the link that a frame coincides with: fixed joints with the identity as origin are followed to their parents."""
    joint = mechanism.parent_joint_of.get(frame)
    while joint is not None and joint.kind is Kind.FIXED and np.allclose(joint.origin, np.eye(4), rtol=0, atol=0):
        frame = joint.parent
        joint = mechanism.parent_joint_of.get(frame)
    return frame


def _hinges(mechanism: Mechanism, frame: str) -> tuple[Joint, Joint, Joint] | None:
    """Return the three hinges that move a frame, from the root outwards; None if its joints are others."""
    joints = segment_joints(mechanism, frame)
    if len(joints) != 3 or not all(j.kind is Kind.REVOLUTE and j.mimic is None for j in joints):
        return None
    if mechanism.parent_joint_of.get(frame) is not joints[-1] or len({j.parent for j in joints}) != 3:
        return None
    between = [j.child for j in joints[:-1]]
    if any(sum(j.parent == link for j in mechanism.joints) != 1 for link in between):
        return None
    a, b, c = _axes(joints)
    if max(abs(float(a @ b)), abs(float(b @ c)), abs(float(a @ c))) > PERPENDICULAR:
        return None
    return joints[0], joints[1], joints[2]


def _axes(hinges: tuple[Joint, ...]) -> list[Array]:
    """Return the axes of the hinges at zero, in the frame of the segment."""
    out, after = [], np.eye(4)
    for hinge in reversed(hinges):
        out.append(after[:3, :3].T @ hinge.axis)
        after = hinge.origin @ after
    return out[::-1]


def _ball(mechanism: Mechanism, frame: str, hinges: tuple[Joint, Joint, Joint], cone: Cone) -> Joint:
    """Return the ball that replaces three hinges."""
    axes = _axes(hinges)
    zero = hinges[0].origin @ hinges[1].origin @ hinges[2].origin
    along = unit(cone.axis) if cone.axis is not None else bone(mechanism, frame)
    twisting = int(np.argmax([abs(float(a @ along)) for a in axes]))
    if abs(float(axes[twisting] @ along)) < ALONG:
        raise BadOption(f"no hinge of '{frame}' rotates it about {along.round(3).tolist()}; give the axis= of a hinge")
    axis = axes[twisting]  # of the hinge itself: its twist has the same sign
    sides = [k for k in range(3) if k != twisting]
    turn = np.eye(4)
    for hinge, a in zip(hinges, axes, strict=True):  # to the middle of both ranges
        middle = 0.0 if a is axis else 0.5 * (hinge.lower + hinge.upper)
        turn = turn @ rotation_about(a, middle if math.isfinite(middle) else 0.0)
    points_to = turn[:3, :3] @ axis
    if cone.middle is not None:
        points_to = unit(cone.middle) * math.copysign(1.0, float(along @ axis))
    swing = 0.25 * sum(hinges[k].upper - hinges[k].lower for k in sides)
    if cone.swing is not None:
        swing = number(cone.swing, f"the swing of '{frame}'")
    twist = (hinges[twisting].lower, hinges[twisting].upper) if cone.twist is None else tuple(cone.twist)
    speed = min(hinge.velocity for hinge in hinges)
    tilt = np.eye(4)
    tilt[:3, :3] = shortest(axis, points_to)
    return Joint(
        frame, Kind.BALL, hinges[0].parent, frame, zero @ tilt, axis=axis, swing=swing, twist=twist, velocity=speed
    )


def bone(mechanism: Mechanism, frame: str) -> Array:
    """Return the direction of a segment in its frame: towards its child joints (their mean), else towards its centre of mass.

    Links that are fixed at its origin are part of it. Raises BadOption if it has neither child joints nor a centre of mass.
    """
    of = {link.name: link for link in mechanism.links}
    ends, masses = [], []
    parts = [(frame, np.eye(4))]
    while parts:
        link, T = parts.pop()
        masses.append((T @ np.append(of[link].centre_of_mass, 1.0))[:3])
        for joint in (joint for joint in mechanism.joints if joint.parent == link):
            there = T @ joint.origin
            if np.linalg.norm(there[:3, 3]) > 0:
                ends.append(there[:3, 3])
            elif joint.kind is Kind.FIXED:
                parts.append((joint.child, there))
    end = np.mean(ends, axis=0) if ends else next((c for c in masses if np.linalg.norm(c) > 0), np.zeros(3))
    if not np.linalg.norm(end) > 0:
        raise BadOption(
            f"'{frame}' has neither a child joint nor a centre of mass: give its axis by {{'{frame}': Cone(axis=...)}}"
        )
    return unit(end)

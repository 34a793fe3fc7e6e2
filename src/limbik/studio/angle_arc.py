"""The angle of a measured joint, drawn as by a goniometer: two arms at the joint, and the arc between them.

One arm has the direction of the bone at zero, the other its present direction, both projected on the plane perpendicular to the
joint's axis. A bone along the axis (a forearm in pronation) has no such direction; instead a perpendicular direction that rotates
with the bone is drawn, long enough to be visible outside the flesh. Otherwise the goniometer lies on the skin, on the side of the
joint that faces the camera.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import rotation_about
from limbik.model.shape import Capsule
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.goniometry import Motion
from limbik.studio.motions import directions
from limbik.studio.session import Session

# The smallest fraction of a bone perpendicular to the axis, and the smallest length of a bone [m].
ACROSS, BONE = 0.25, 1e-3
# The largest cosine between a direction and an axis at which the direction can be projected.
SLANTED = 0.8
# The length of the arms: fractions of the bone, at least of the robot's reach, and of the flesh for rotations about the bone.
ARM, LEAST, OUT = 0.75, 0.07, 2.2
# The radius of the arc as a fraction of the arms, its segments, and the distance of the goniometer from the bone, as a fraction
# of the flesh.
ARC, PIECES, SKIN = 0.85, 32, 1.2


@dataclass(frozen=True, eq=False)
class AngleArc:
    """The drawing of an angle, in the robot's base frame [m].

    centre: (3,), the joint. zero, present: (3,), the ends of the arms. arc: (k, 3), from one to the other. beside: (3,), the
    position of the label.
    """

    centre: Array
    zero: Array
    present: Array
    arc: Array
    beside: Array

    @property
    def segments(self) -> Array:
        """Both arms and the arc as line segments, (k, 2, 3)."""
        arms = np.array([[self.centre, self.zero], [self.centre, self.present]])
        return np.concatenate([arms, np.stack([self.arc[:-1], self.arc[1:]], 1)])


def angle_arc(session: Session, motion: Motion, eye: Array | None = None) -> AngleArc:
    """Return the arc of a motion's angle at the present posture. eye: (3,) the camera position in the base frame."""
    robot, q = session.robot, session.q
    joint = robot.model.mechanism.joint_of[motion.joint]
    T = robot.forward(q, joint.child)
    centre, axis = T[:3, 3], T[:3, :3] @ joint.axis
    axis = axis / np.linalg.norm(axis)
    end, flesh = _bone(robot, q, joint.child)
    bone = end - centre
    length = max(ARM * float(np.linalg.norm(bone)), LEAST * robot.reach)
    along = bone - axis * (bone @ axis)
    if np.linalg.norm(along) < max(ACROSS * float(np.linalg.norm(bone)), BONE):
        along = T[:3, :3] @ _across(robot, joint.child, joint.axis)
        along = along - axis * (along @ axis)
        length = max(OUT * flesh, LEAST * robot.reach)
    elif eye is not None:
        centre = centre + SKIN * flesh * axis * (1.0 if axis @ (eye - centre) >= 0 else -1.0)
    present = length * along / np.linalg.norm(along)
    value = float(q[robot.joint_names.index(motion.joint)])
    angles = np.linspace(-value, 0.0, PIECES + 1)
    spokes = np.array([rotation_about(axis, angle)[:3, :3] @ present for angle in angles])
    beside = centre + 1.1 * spokes[PIECES // 2]
    return AngleArc(centre, centre + spokes[0], centre + present, centre + ARC * spokes, beside)


def _across(robot: Chain | Skeleton, frame: str, axis: Array) -> Array:
    """Return the forward (or left) direction perpendicular to an axis of a frame at zero, in the frame."""
    _, forward, left = directions(robot)
    ahead = robot.forward(np.zeros(robot.n), frame)[:3, :3].T @ np.stack([forward, left], 1)
    return np.asarray(ahead[:, 0] if abs(ahead[:, 0] @ axis) < SLANTED * np.linalg.norm(axis) else ahead[:, 1])


def _bone(robot: Chain | Skeleton, q: Array, frame: str) -> tuple[Array, float]:
    """Return the far end of the bone of a frame, (3,) in the base frame, and the thickness of its soft tissue [m].

    The far end is the next joint with an offset, else the end of the frame's shape.
    """
    shapes = {name: shape for name, shape in robot.model.shapes if isinstance(shape, Capsule)}
    here = frame
    while True:
        T = robot.forward(q, here)
        children = [
            joint for joint in robot.model.mechanism.joints if joint.parent == here and joint.child in robot.frames
        ]
        off = next((joint for joint in children if np.linalg.norm(joint.origin[:3, 3]) > BONE), None)
        shape = shapes.get(here)
        if off is not None:
            end, found = off.origin[:3, 3], True
        elif shape is not None:
            end, found = max((np.array(shape.start), np.array(shape.end)), key=lambda p: float(np.linalg.norm(p))), True
        else:
            end, found = np.zeros(3), not children
        if found:
            return np.asarray(T[:3, :3] @ end + T[:3, 3]), 0.0 if shape is None else float(shape.radius)
        here = children[0].child

"""The angle of a measured joint, drawn as by a goniometer: two arms at the joint, and the arc between them.

One arm lies where the bone would be at zero, the other where it is, both seen along the joint's axis: the part of the bone across
the axis counts. A bone that lies along the axis (a forearm that turns) shows no angle by itself; there a direction across it
that turns along is taken, long enough to stand out of the flesh. Else the goniometer lies on the skin, on the side of the
joint that is looked at.
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

# A bone counts when this part of it lies across the axis, and an offset from this length on is a bone [m].
ACROSS, BONE = 0.25, 1e-3
# A direction is across an axis up to this cosine.
SLANTED = 0.8
# The arms: in parts of the bone, at least in parts of the robot's reach, and of the flesh where they turn about the bone.
ARM, LEAST, OUT = 0.75, 0.07, 2.2
# The arc in parts of the arms, its pieces, and how far the goniometer lies from the bone, in parts of the flesh.
ARC, PIECES, SKIN = 0.85, 32, 1.2


@dataclass(frozen=True, eq=False)
class AngleArc:
    """centre: (3,) the joint. zero, present: (3,) where the arms end. arc: (k, 3) from the one to the other. beside: for words.

    All in the robot's base frame [m].
    """

    centre: Array
    zero: Array
    present: Array
    arc: Array
    beside: Array

    @property
    def segments(self) -> Array:
        """Both arms and the arc as straight pieces, (k, 2, 3)."""
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
    turns = np.linspace(-value, 0.0, PIECES + 1)
    spokes = np.array([rotation_about(axis, turn)[:3, :3] @ present for turn in turns])
    beside = centre + 1.1 * spokes[PIECES // 2]
    return AngleArc(centre, centre + spokes[0], centre + present, centre + ARC * spokes, beside)


def _across(robot: Chain | Skeleton, frame: str, axis: Array) -> Array:
    """Return the forward (or left) direction perpendicular to an axis of a frame at zero, in the frame."""
    _, forward, left = directions(robot)
    ahead = robot.forward(np.zeros(robot.n), frame)[:3, :3].T @ np.stack([forward, left], 1)
    return np.asarray(ahead[:, 0] if abs(ahead[:, 0] @ axis) < SLANTED * np.linalg.norm(axis) else ahead[:, 1])


def _bone(robot: Chain | Skeleton, q: Array, frame: str) -> tuple[Array, float]:
    """Return the far end of the bone of a frame, (3,) in the base frame, and the thickness of its soft tissue [m].

    The end is the next joint that is some way off, else the end of the frame's shape.
    """
    shapes = {name: shape for name, shape in robot.model.shapes if isinstance(shape, Capsule)}
    here = frame
    while True:
        T = robot.forward(q, here)
        carried = [
            joint for joint in robot.model.mechanism.joints if joint.parent == here and joint.child in robot.frames
        ]
        off = next((joint for joint in carried if np.linalg.norm(joint.origin[:3, 3]) > BONE), None)
        shape = shapes.get(here)
        if off is not None:
            end, there = off.origin[:3, 3], True
        elif shape is not None:
            end, there = max((np.array(shape.start), np.array(shape.end)), key=lambda p: float(np.linalg.norm(p))), True
        else:
            end, there = np.zeros(3), not carried
        if there:
            return np.asarray(T[:3, :3] @ end + T[:3, 3]), 0.0 if shape is None else float(shape.radius)
        here = carried[0].child

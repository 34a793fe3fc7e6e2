"""The angle of a measured joint as a goniometer shows it: two arms at the joint, and the arc between them.

One arm lies where the bone would be at zero, the other where it is, both seen along the joint's axis: the part of the bone across
the axis counts. A bone that lies along the axis (a forearm that turns) shows no angle by itself; there a direction across it
that turns along is taken.
"""

from dataclasses import dataclass

import numpy as np

from limbik.model.shape import Capsule
from limbik.model.transform import Array, rotation_about
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.goniometry import Motion
from limbik.studio.session import Session

# A bone counts when this part of it lies across the axis, and an offset from this length on is a bone [m].
ACROSS, BONE = 0.25, 1e-3
# The arc: its radius in parts of the bone, the least one in parts of the robot's reach, and its pieces.
RADIUS, LEAST, PIECES = 0.55, 0.07, 32


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


def angle_arc(session: Session, motion: Motion) -> AngleArc:
    """Return the arc of a motion's angle at the present posture."""
    robot, q = session.robot, session.q
    joint = robot.mechanism.joint_of[motion.joint]
    T = robot.forward(q, joint.child)
    centre, axis = T[:3, 3], T[:3, :3] @ joint.axis
    axis = axis / np.linalg.norm(axis)
    bone = _far_end(robot, q, joint.child) - centre
    along = bone - axis * (bone @ axis)
    if np.linalg.norm(along) < max(ACROSS * np.linalg.norm(bone), BONE):
        fixed = np.eye(3)[int(np.argmin(np.abs(joint.axis)))]
        along = T[:3, :3] @ fixed
        along = along - axis * (along @ axis)
    radius = max(RADIUS * float(np.linalg.norm(bone)), LEAST * robot.reach)
    present = radius * along / np.linalg.norm(along)
    value = float(q[robot.joint_names.index(motion.joint)])
    turns = np.linspace(-value, 0.0, PIECES + 1)
    spokes = np.array([rotation_about(axis, turn)[:3, :3] @ present for turn in turns])
    return AngleArc(centre, centre + spokes[0], centre + present, centre + 0.8 * spokes, centre + 1.1 * spokes[PIECES // 2])


def _far_end(robot: Chain | Skeleton, q: Array, frame: str) -> Array:
    """Return the far end of the bone that moves with a frame: the next joint that is some way off, else the end of its shape."""
    shapes = {name: shape for name, shape in robot.shapes if isinstance(shape, Capsule)}
    here = frame
    while True:
        T = robot.forward(q, here)
        carried = [joint for joint in robot.mechanism.joints if joint.parent == here and joint.child in robot.frames]
        off = next((joint for joint in carried if np.linalg.norm(joint.origin[:3, 3]) > BONE), None)
        if off is not None:
            return np.asarray(T[:3, :3] @ off.origin[:3, 3] + T[:3, 3])
        if here in shapes:
            ends = [np.array(shapes[here].start), np.array(shapes[here].end)]
            return np.asarray(T[:3, :3] @ max(ends, key=lambda end: float(np.linalg.norm(end))) + T[:3, 3])
        if not carried:
            return np.asarray(T[:3, 3])
        here = carried[0].child

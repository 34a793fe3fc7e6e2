"""The figure (character) of the Human Arm Animator: a human whose left arm is the thesis' arm with six joints (section 6.5).

The arm hangs from the left shoulder of the catalogue's `human` and has the geometry and the ranges of `human_arm_6`, so the
closed form solves it. It keeps the thesis' scale, one unit for each 0.01 m. The rest of the figure is enlarged until the arms
that it had are as long as the thesis' arm of 110 units.

The joints have the names that `human` gives to its arm: leftUpperArm_z, leftUpperArm_x, leftLowerArm_x and so on. The axes of
appendix B have other signs than those of `human`. The arm has no mass.
"""

from dataclasses import replace

import numpy as np

from limbik.model.joint import Joint, Link
from limbik.model.mechanism import Mechanism
from limbik.papers.chin.arm import FOREARM, UNIT, UPPER_ARM
from limbik.robot.load import read_mechanism
from limbik.robot.skeleton import Skeleton

HAND, SHOULDER, TRUNK = "leftHand", "leftUpperArm_1", "spine"
# The joints of `human_arm_6` under the names of the figure's arm; its links are named after the joints that move them.
JOINTS = {
    "shoulder_z": "leftUpperArm_z",
    "shoulder_x": "leftUpperArm_x",
    "elbow_x": "leftLowerArm_x",
    "elbow_y": "leftLowerArm_y",
    "wrist_x": "leftHand_x",
    "wrist_z": "leftHand_z",
    "tip_fixed": "leftHand_fixed",
}
LINKS = {
    "base": TRUNK,
    "link1": "leftUpperArm_1",
    "link2": "leftUpperArm",
    "link3": "leftLowerArm_1",
    "link4": "leftLowerArm",
    "link5": "leftHand_1",
    "link6": "leftHand_2",
    "tip": HAND,
}


def animator_figure() -> Skeleton:
    """Return the figure, standing upright, with y up, z forward and x to its left."""
    human, arm = read_mechanism("human"), read_mechanism("human_arm_6")
    old = human.path(TRUNK, HAND)
    length = sum(float(np.linalg.norm(joint.origin[:3, 3])) for joint in old[1:])
    human = human.scaled((UPPER_ARM + FOREARM) * UNIT / length)
    removed = {joint.child for joint in old}
    shoulder = human.joint_of[old[0].name].origin
    joints = [joint for joint in human.joints if joint.child not in removed]
    joints += [_joined(joint, shoulder) for joint in arm.joints]
    links = [link for link in human.links if link.name not in removed]
    links += [_named(link) for link in arm.links if link.name != "base"]
    return Skeleton(_figure(human, arm, joints, links))


def _joined(joint: Joint, shoulder: np.ndarray) -> Joint:
    """Return a joint of the arm with its name in the figure; the first one is placed at the shoulder."""
    origin = shoulder @ joint.origin if joint.parent == "base" else joint.origin
    return replace(joint, name=JOINTS[joint.name], parent=LINKS[joint.parent], child=LINKS[joint.child], origin=origin)


def _named(link: Link) -> Link:
    return replace(link, name=LINKS[link.name])


def _figure(human: Mechanism, arm: Mechanism, joints: list[Joint], links: list[Link]) -> Mechanism:
    return replace(
        human,
        name="human_arm_animator",
        title="The figure of the Human Arm Animator: a human whose left arm has the thesis' six joints",
        source=f"{arm.source}; the rest: {human.source}",
        joints=tuple(joints),
        links=tuple(links),
        notes=(
            *arm.notes,
            "The rest of the figure is `human`, enlarged until its arms are as long as the thesis' arm.",
        ),
    )

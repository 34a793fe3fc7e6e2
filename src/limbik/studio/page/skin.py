"""The appearance of a robot: a solid per frame, from the model's collision shapes, else from its bones and axes.

If the model has shapes, they are drawn. Otherwise each link gets a bone to each child joint, and each revolute axis a short
cylinder.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.model.joint import Kind
from limbik.model.shape import Box, Capsule
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.solids import Solid, box, capsule, cylinder, joined

# The thickness of bones, and the size of joints and tips, as fractions of the robot's size.
BONE, SLIM, HUB, HUB_HALF, TIP, STICK = 0.022, 0.014, 0.030, 0.034, 0.02, 0.009


@dataclass(frozen=True)
class Part:
    """A solid that moves with a frame. role: "link" or "joint", which have colours of their own."""

    frame: str
    role: str
    solid: Solid


def bones(robot: Chain | Skeleton) -> tuple[Part, ...]:
    """Return a robot as sticks from joint to joint, with a ball at each tip, for drawing many postures."""
    radius = STICK * size_of(robot)
    sticks: dict[str, list[Solid]] = {}
    for joint in robot.model.mechanism.joints:
        inside = joint.parent in robot.frames and joint.child in robot.frames and joint.kind is not Kind.FLOATING
        if inside and np.linalg.norm(joint.origin[:3, 3]) > 2 * radius:
            stick = capsule(np.zeros(3), joint.origin[:3, 3], radius, sides=6, rings=1)
            sticks.setdefault(joint.parent, []).append(stick)
    parents = {joint.parent for joint in robot.model.mechanism.joints}
    for frame, shape in robot.model.shapes:
        if isinstance(shape, Capsule) and frame not in parents:
            sticks.setdefault(frame, []).append(
                capsule(np.array(shape.start), np.array(shape.end), radius, sides=6, rings=1)
            )
    for tip in (robot.tip,) if isinstance(robot, Chain) else robot.tips:
        sticks.setdefault(tip, []).append(capsule(np.zeros(3), np.zeros(3), 1.8 * radius, sides=8, rings=2))
    return tuple(Part(frame, "link", joined(sticks[frame])) for frame in robot.frames if frame in sticks)


def size_of(robot: Chain | Skeleton) -> float:
    """Return the size of a robot, by which gizmos, bones and the camera are scaled [m]."""
    return float(robot.reach) if 0 < robot.reach < np.inf else 1.0


def skin(robot: Chain | Skeleton, meshes: Mapping[str, Solid] | None = None) -> tuple[Part, ...]:
    """Return the parts of a robot in the order of its frames. meshes: solids by frame, used instead of shapes."""
    if meshes:
        return tuple(Part(frame, "link", meshes[frame]) for frame in robot.frames if frame in meshes)
    size = size_of(robot)
    links: dict[str, list[Solid]] = {}
    joints: dict[str, list[Solid]] = {}
    for frame, shape in robot.model.shapes:
        if isinstance(shape, Box):
            links.setdefault(frame, []).append(box(shape.corners))
            continue
        ends = (shape.start, shape.end) if isinstance(shape, Capsule) else (shape.centre, shape.centre)
        links.setdefault(frame, []).append(capsule(np.array(ends[0]), np.array(ends[1]), shape.radius))
    covered = bool(links)
    for joint in robot.model.mechanism.joints:
        if joint.parent not in robot.frames or joint.child not in robot.frames:
            continue
        offset = joint.origin[:3, 3]
        if not covered and joint.kind is not Kind.FLOATING and np.linalg.norm(offset) > 1e-3 * size:
            links.setdefault(joint.parent, []).append(capsule(np.zeros(3), offset, BONE * size, SLIM * size))
        if not covered and joint.kind.is_revolute:
            joints.setdefault(joint.child, []).append(cylinder(np.zeros(3), joint.axis, HUB * size, HUB_HALF * size))
    if not covered:
        tips = (robot.tip,) if isinstance(robot, Chain) else robot.tips
        for tip in tips:
            links.setdefault(tip, []).append(capsule(np.zeros(3), np.zeros(3), TIP * size))
    return tuple(
        Part(frame, role, joined(solids[frame]))
        for frame in robot.frames
        for role, solids in (("link", links), ("joint", joints))
        if frame in solids
    )

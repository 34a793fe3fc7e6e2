"""Conversion between Blender's armatures and limbik's mechanisms. Without `bpy`: any objects with the same attributes work.

The rest matrix M of a bone (in armature space, y along the bone) and that P of its parent give the placement of its
joint, P^-1 M. The pose of a bone is (pose of its parent) * P^-1 M * basis. An animator changes only `matrix_basis`: a
rotation, and a translation for root bones. So a bone is a ball joint, and a root bone a floating joint, or a ball joint
if it is to stay in place.

Limits in Blender are Euler angles: a pose bone's Limit Rotation constraint, or else its IK limits and locks. XYZ means
R = Rz Ry Rx, so a bone with limits becomes hinges about z, then y, then x, without the locked ones.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import limbik as lk

# The root link: the armature's own space.
ROOT = "armature"
# The suffix of the frame at a bone's tail.
TAIL = "_tail"
# The hinges in their order from parent to child, and their axes.
HINGES = (("z", (0.0, 0.0, 1.0)), ("y", (0.0, 1.0, 0.0)), ("x", (1.0, 0.0, 0.0)))
# A wider range is not a limit [rad].
WHOLE = 2 * math.pi - 1e-6


@dataclass(frozen=True, eq=False)
class Bone:
    """A bone as limbik needs it.

    rest: (4, 4) in armature space. ranges: {axis: (low, high)} of limited axes [rad]. locked: axes that do not rotate. floats:
    whether it translates too, as roots do. shift: the constant translation of a root that does not float [Blender's units].
    """

    name: str
    parent: str | None
    rest: np.ndarray
    length: float
    ranges: dict[str, tuple[float, float]]
    locked: tuple[str, ...]
    floats: bool = False
    shift: np.ndarray = field(default_factory=lambda: np.zeros(3))

    @property
    def is_ball(self) -> bool:
        """Whether its rotation is unlimited; floating bones rotate freely."""
        return self.floats or not (self.ranges or self.locked)

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the bone's joints."""
        return (self.name,) if self.is_ball else tuple(f"{self.name}:{k}" for k, _ in HINGES if k not in self.locked)


def bones_of(armature: Any) -> list[Bone]:
    """Return the bones of an armature object, parents first."""
    poses = {bone.name: bone for bone in armature.pose.bones}
    found = []
    queue = [bone for bone in armature.data.bones if bone.parent is None]
    while queue:
        bone = queue.pop(0)
        ranges, locked = limits_of(poses[bone.name])
        parent = None if bone.parent is None else bone.parent.name
        rest = np.array(bone.matrix_local, float)
        found.append(Bone(bone.name, parent, rest, float(bone.length), ranges, locked, floats=parent is None))
        queue += [child for child in armature.data.bones if child.parent is not None and child.parent.name == bone.name]
    return found


def planted(bones: list[Bone], pose: dict[str, np.ndarray]) -> list[Bone]:
    """Return bones whose roots are ball joints at their position in a pose instead of floating joints."""
    return [replace(bone, floats=False, shift=pose[bone.name][:3, 3]) if bone.floats else bone for bone in bones]


def limits_of(pose_bone: Any) -> tuple[dict[str, tuple[float, float]], tuple[str, ...]]:
    """Return the ranges and locks of a pose bone: its Limit Rotation constraint, else its IK limits."""
    for constraint in pose_bone.constraints:
        if constraint.type == "LIMIT_ROTATION" and not getattr(constraint, "mute", False):
            if getattr(constraint, "owner_space", "LOCAL") != "LOCAL":
                continue
            ranges = {
                axis: (float(getattr(constraint, f"min_{axis}")), float(getattr(constraint, f"max_{axis}")))
                for axis in "xyz"
                if getattr(constraint, f"use_limit_{axis}")
            }
            locked = tuple(axis for axis, (low, high) in ranges.items() if low == high == 0)
            return {axis: ends for axis, ends in ranges.items() if axis not in locked}, locked
    locked = tuple(axis for axis in "xyz" if getattr(pose_bone, f"lock_ik_{axis}", False))
    ranges = {
        axis: (float(getattr(pose_bone, f"ik_min_{axis}")), float(getattr(pose_bone, f"ik_max_{axis}")))
        for axis in "xyz"
        if axis not in locked and getattr(pose_bone, f"use_ik_limit_{axis}", False)
    }
    return {axis: ends for axis, ends in ranges.items() if ends[1] - ends[0] < WHOLE}, locked


def mechanism_of(bones: list[Bone], name: str = "armature") -> lk.model.Mechanism:
    """Return the mechanism of some bones, with a frame at the head and at the tail of every bone."""
    links, joints = [lk.model.Link(ROOT)], []
    for bone in bones:
        parent, origin = ROOT if bone.parent is None else bone.parent, _placement(bone, bones)
        origin[:3, 3] += origin[:3, :3] @ bone.shift
        if bone.is_ball:
            kind = lk.model.Kind.FLOATING if bone.floats else lk.model.Kind.BALL
            joints.append(lk.model.Joint(bone.name, kind, parent, bone.name, origin, axis=(0.0, 1.0, 0.0)))
        else:
            hinges = [(letter, axis) for letter, axis in HINGES if letter not in bone.locked]
            for k, (letter, axis) in enumerate(hinges):
                child = bone.name if k == len(hinges) - 1 else f"{bone.name}:{letter}"
                low, high = bone.ranges.get(letter, (-math.inf, math.inf))
                kind = lk.model.Kind.REVOLUTE if math.isfinite(low) else lk.model.Kind.CONTINUOUS
                joints.append(
                    lk.model.Joint(
                        f"{bone.name}:{letter}", kind, parent, child, origin, axis=axis, lower=low, upper=high
                    )
                )
                if child != bone.name:
                    links.append(lk.model.Link(child))
                parent, origin = child, np.eye(4)
            if not hinges:
                joints.append(lk.model.Joint(f"{bone.name}:fixed", lk.model.Kind.FIXED, parent, bone.name, origin))
        links += [lk.model.Link(bone.name), lk.model.Link(bone.name + TAIL)]
        tail = np.eye(4)
        tail[1, 3] = bone.length
        joints.append(lk.model.Joint(bone.name + TAIL, lk.model.Kind.FIXED, bone.name, bone.name + TAIL, tail))
    return lk.model.Mechanism(name, tuple(links), tuple(joints), up="z")


def skeleton_of(bones: list[Bone], name: str = "armature") -> lk.Skeleton:
    """Return the skeleton of some bones."""
    return lk.Skeleton(mechanism_of(bones, name), ROOT)


def _placement(bone: Bone, bones: list[Bone]) -> np.ndarray:
    """Return the rest pose of a bone in its parent's frame, (4, 4)."""
    if bone.parent is None:
        return bone.rest.copy()
    parent = next(other for other in bones if other.name == bone.parent)
    return np.asarray(np.linalg.inv(parent.rest) @ bone.rest)


def pose_of(armature: Any) -> dict[str, np.ndarray]:
    """Return the present `matrix_basis` of every bone."""
    return {bone.name: np.array(bone.matrix_basis, float) for bone in armature.pose.bones}


def q_of(skeleton: lk.Skeleton, bones: list[Bone], pose: dict[str, np.ndarray]) -> np.ndarray:
    """Return the joint values of a pose. Scale and rotations about locked axes are ignored."""
    index = {name: k for k, name in enumerate(skeleton.joint_names)}
    q = np.zeros(skeleton.n)
    for bone in bones:
        rotation = Rotation.from_matrix(_rotation(pose[bone.name]))
        if bone.is_ball:
            first = index[f"{bone.name}.rx"]
            if bone.floats:
                q[first - 3 : first] = pose[bone.name][:3, 3]
            q[first : first + 3] = rotation.as_rotvec()
        else:
            for letter, angle in zip("zyx", rotation.as_euler("ZYX"), strict=True):
                if f"{bone.name}:{letter}" in index:
                    q[index[f"{bone.name}:{letter}"]] = angle
    return q


def pose_at(skeleton: lk.Skeleton, bones: list[Bone], q: np.ndarray) -> dict[str, np.ndarray]:
    """Return the `matrix_basis` of every bone at joint values q, (n,)."""
    poses = dict(zip(skeleton.frames, skeleton.model.forward_all(q), strict=True))
    out = {}
    for bone in bones:
        before = _placement(bone, bones) if bone.parent is None else poses[bone.parent] @ _placement(bone, bones)
        out[bone.name] = np.linalg.inv(before) @ poses[bone.name]
    return out


def _rotation(T: np.ndarray) -> np.ndarray:
    """Return the rotation of a matrix, without its scale."""
    R = T[:3, :3] / np.linalg.norm(T[:3, :3], axis=0)
    u, _, v = np.linalg.svd(R)
    return u @ v


def in_armature(world: Any, T: Any) -> np.ndarray:
    """Return a matrix T of world space in armature space, without scale. world: the armature's `matrix_world`."""
    local = np.linalg.inv(np.array(world, float)) @ np.array(T, float)
    local[:3, :3] = _rotation(local)
    local[3] = 0, 0, 0, 1
    return local


def chain_above(bones: list[Bone], bone: str, length: int) -> list[str]:
    """Return the bones of an IK chain from its root to its tip; length 0 includes all parents."""
    by_name = {b.name: b for b in bones}
    chain = [bone]
    while (parent := by_name[chain[0]].parent) is not None and (length <= 0 or len(chain) < length):
        chain.insert(0, parent)
    return chain

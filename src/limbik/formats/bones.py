"""A recording as a tree of bones, for formats that store one transform per node (BVH, glTF).

Forward kinematics gives the pose of every link at every frame. A bone's motion is its pose relative to its parent. So fixed
placements, mimic joints and chains with another base need no special cases.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import compile_mechanism
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.recording import Recording

# The rotation that takes coordinates with z up to coordinates with y up.
Z_UP_TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class Bone:
    """A link of a recording. parent: the index of its parent bone, -1 for the base. joint: between the two, None for the base."""

    link: str
    parent: int
    joint: Joint | None

    @property
    def rotates(self) -> bool:
        """Whether the bone rotates relative to its parent."""
        return self.joint is not None and self.joint.kind not in (Kind.FIXED, Kind.PRISMATIC)

    @property
    def translates(self) -> bool:
        """Whether the bone's origin moves relative to its parent.

        If the tree is traversed from child to parent, the parent link rotates about the child's origin. Its own origin
        then moves on an arc, unless the two coincide.
        """
        if self.joint is None:
            return False
        on_arc = self.rotates and self.joint.child != self.link and bool(np.any(self.joint.origin[:3, 3]))
        return on_arc or self.joint.kind in (Kind.PRISMATIC, Kind.FLOATING)


def bones_of(recording: Recording) -> tuple[Bone, ...]:
    """Return the bones of a recording, parents first, in the order of its frames."""
    mechanism, frames = recording.mechanism, recording.compiled.frames
    neighbours: dict[str, list[Joint]] = {name: [] for name in frames}
    for joint in mechanism.joints:
        if joint.parent in neighbours and joint.child in neighbours:
            neighbours[joint.parent].append(joint)
            neighbours[joint.child].append(joint)
    number: dict[str, int] = {}
    bones: list[Bone] = []
    for name in frames:
        found = None
        for joint in neighbours[name]:
            other = joint.parent if joint.child == name else joint.child
            if other in number:
                found = (joint, number[other])
        number[name] = len(bones)
        bones.append(Bone(name, found[1] if found else -1, found[0] if found else None))
    return tuple(bones)


def poses_of(recording: Recording) -> Array:
    """Return the pose of every bone at every frame in the base frame, (frames, bones, 4, 4)."""
    return recording.compiled.kernel.forward_all(recording.q)


def rest_of(recording: Recording) -> Array:
    """Return the pose of every bone in the zero posture (configuration), (bones, 4, 4)."""
    return recording.compiled.kernel.forward_all(np.zeros(recording.compiled.n))


def local_poses(T: Array, bones: tuple[Bone, ...]) -> Array:
    """Transform poses (..., bones, 4, 4) in the base frame to poses relative to each bone's parent."""
    parents = [bone.parent for bone in bones]
    before = np.where(np.array(parents)[:, None, None] >= 0, T[..., parents, :, :], np.eye(4))
    R_inverse = before[..., :3, :3].swapaxes(-1, -2)
    out = np.zeros_like(T)
    out[..., :3, :3] = R_inverse @ T[..., :3, :3]
    out[..., :3, 3:] = R_inverse @ (T[..., :3, 3:] - before[..., :3, 3:])
    out[..., 3, 3] = 1.0
    return out


def zero_recording(mechanism: Mechanism, base: str | None = None, tip: str | None = None) -> Recording:
    """Return a recording with one frame, the zero posture, of a chain or of the whole tree (tip None)."""
    start = mechanism.root if base is None else mechanism.check_link(base)
    end = start if tip is None else mechanism.check_link(tip)
    n = compile_mechanism(mechanism, start, end, whole_tree=tip is None).n
    return Recording(mechanism, np.zeros((1, n)), np.zeros(1), base, tip)

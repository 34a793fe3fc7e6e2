"""A recording as a tree of frames: what formats of nodes write, whatever kinds of joints it has.

Forward kinematics gives the pose of every link at every time, so fixed placements, mimics and chains with another base need no
special cases: a node's motion is its pose relative to its parent.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import compile_mechanism
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.recording import Recording


@dataclass(frozen=True)
class Bone:
    """A link of a recording. parent: its number among the bones, -1 for the base. joint: what moves it, None for the base."""

    link: str
    parent: int
    joint: Joint | None

    @property
    def turns(self) -> bool:
        """True where the bone turns against its parent."""
        return self.joint is not None and self.joint.kind not in (Kind.FIXED, Kind.PRISMATIC)

    @property
    def slides(self) -> bool:
        """True where the bone's origin moves against its parent.

        A joint met from its child turns its parent about the child's origin, so one that stands off it moves on an arc.
        """
        if self.joint is None:
            return False
        swings = self.turns and self.joint.child != self.link and bool(np.any(self.joint.origin[:3, 3]))
        return swings or self.joint.kind in (Kind.PRISMATIC, Kind.FLOATING)


def bones_of(recording: Recording) -> tuple[Bone, ...]:
    """Return the links that a recording moves or carries, parents first, in the order of its frames."""
    mechanism, frames = recording.mechanism, recording.compiled.frames
    neighbours: dict[str, list[Joint]] = {name: [] for name in frames}
    for joint in mechanism.joints:
        if joint.parent in neighbours and joint.child in neighbours:
            neighbours[joint.parent].append(joint)
            neighbours[joint.child].append(joint)
    number: dict[str, int] = {}
    bones: list[Bone] = []
    for name in frames:
        carrier = None
        for joint in neighbours[name]:
            other = joint.parent if joint.child == name else joint.child
            if other in number:
                carrier = (joint, number[other])
        number[name] = len(bones)
        bones.append(Bone(name, carrier[1] if carrier else -1, carrier[0] if carrier else None))
    return tuple(bones)


def poses_of(recording: Recording) -> Array:
    """Return the pose of every bone at every frame in the base frame, (frames, bones, 4, 4)."""
    return recording.compiled.kernel.forward_all(recording.q)


def rest_of(recording: Recording) -> Array:
    """Return where every bone stands in the zero posture, (bones, 4, 4)."""
    return recording.compiled.kernel.forward_all(np.zeros(recording.compiled.n))


def local_poses(T: Array, bones: tuple[Bone, ...]) -> Array:
    """Return poses (..., bones, 4, 4) seen from each bone's parent."""
    parents = [bone.parent for bone in bones]
    before = np.where(np.array(parents)[:, None, None] >= 0, T[..., parents, :, :], np.eye(4))
    back = before[..., :3, :3].swapaxes(-1, -2)
    out = np.zeros_like(T)
    out[..., :3, :3] = back @ T[..., :3, :3]
    out[..., :3, 3:] = back @ (T[..., :3, 3:] - before[..., :3, 3:])
    out[..., 3, 3] = 1.0
    return out


def standing(mechanism: Mechanism, base: str | None = None, tip: str | None = None) -> Recording:
    """Return a recording of one frame, the zero posture, of a chain or of a whole tree (tip None)."""
    start = mechanism.root if base is None else mechanism.check_link(base)
    end = start if tip is None else mechanism.check_link(tip)
    n = compile_mechanism(mechanism, start, end, whole_tree=tip is None).n
    return Recording(mechanism, np.zeros((1, n)), np.zeros(1), base, tip)

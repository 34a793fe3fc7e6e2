"""Convert any recording to BVH nodes and channels.

BVH has no rest rotations: in the zero posture (configuration) every node frame is parallel to the world. So link k
becomes a node at its origin. With R_k(t) and p_k(t) the rotation and position of link k in a world with the file's
upward axis,
    rotation of the node         N_k(t) = R_k(t) R_k(0)^T,
    its rotation channels        N_parent(t)^T N_k(t), as Euler angles about z, x, y,
    its position channels        N_parent(t)^T (p_k(t) - p_parent(t)).
The position is the constant OFFSET unless the link translates. A link whose only child has the same origin, as in a series of
hinges, needs no node of its own: the rotation channels of the last link of the series contain all its rotations.
"""

import re
from dataclasses import dataclass

import numpy as np

from limbik._core import vectors_to_euler
from limbik.errors import BadFile
from limbik.formats.bones import Z_UP_TO_Y_UP, Bone, bones_of, poses_of, rest_of
from limbik.formats.bvh_joints import DEGREE
from limbik.formats.bvh_text import MOST_NODES, Node
from limbik.formats.names import Names
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import vector_from_matrix
from limbik.model.joint import Kind
from limbik.model.recording import Recording

POSITIONS = ("Xposition", "Yposition", "Zposition")
ROTATIONS = ("Zrotation", "Xrotation", "Yrotation")
_AXES = [2, 0, 1]
# Link origins closer than this coincide [m].
_COINCIDENT = 1e-9
_UNWRITABLE = re.compile(r"[{}\s]")


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes in file order and their channel values (frames, channels), with lengths in the unit of the file."""

    nodes: tuple[Node, ...]
    values: Array


def nodes_of(recording: Recording, unit: float, up: str = "y") -> Nodes:
    """Return a recording as BVH nodes. unit: metres per unit of the file. up: its upward axis, "y" or "z". Raises BadFile."""
    bones = bones_of(recording)
    if len(bones) > MOST_NODES:
        raise BadFile(f"'{recording.mechanism.name}' has {len(bones)} links; a BVH file contains at most {MOST_NODES}")
    upright = np.eye(3) if recording.mechanism.up == up else Z_UP_TO_Y_UP if up == "y" else Z_UP_TO_Y_UP.T
    T, rest = poses_of(recording), rest_of(recording)
    positions = T[:, :, :3, 3] @ upright.T / unit
    rest_positions = rest[:, :3, 3] @ upright.T / unit
    rotations = upright @ T[:, :, :3, :3] @ rest[:, :3, :3].swapaxes(-1, -2) @ upright.T
    return _Writer(bones, rest_positions, positions, rotations, _COINCIDENT / unit).nodes()


class _Writer:
    def __init__(
        self, bones: tuple[Bone, ...], rest_positions: Array, positions: Array, rotations: Array, near: float
    ) -> None:
        self.near = near
        self.bones, self.rest_positions = bones, rest_positions
        self.positions, self.rotations = positions, rotations
        self.children: list[list[int]] = [[] for _ in bones]
        for k, bone in enumerate(bones):
            if bone.parent >= 0:
                self.children[bone.parent].append(k)
        self.names = Names()
        self.done: list[Node] = []
        self.columns: list[Array] = []

    def nodes(self) -> Nodes:
        below = self.children[0]
        # If only floating joints are attached to the base, the base is the world and gets no node.
        free = below and all(
            b.joint is not None and b.joint.kind is Kind.FLOATING for b in map(self.bones.__getitem__, below)
        )
        stack = [(k, -1, 0 if free else -1) for k in reversed(below if free else [0])]
        while stack:
            k, parent, reference = stack.pop()
            number = len(self.done)
            moving = [self.bones[k]]
            while parent >= 0 and (only := self._only_child_at_origin(k)) is not None:
                k = only
                moving.append(self.bones[k])
            self._add(k, parent, reference, moving)
            if not self.done[number].is_end:
                stack.extend((child, number, k) for child in reversed(self.children[k]))
        values = np.concatenate(self.columns, axis=1) if self.columns else np.zeros((len(self.positions), 0))
        return Nodes(tuple(self.done), values)

    def _only_child_at_origin(self, k: int) -> int | None:
        """Return the child of a link if it is the only one and rotates about the same origin."""
        if len(self.children[k]) != 1:
            return None
        (child,) = self.children[k]
        apart = float(np.abs(self.rest_positions[child] - self.rest_positions[k]).max())
        return child if apart <= self.near and not self.bones[child].translates else None

    def _add(self, k: int, parent: int, reference: int, moving: list[Bone]) -> None:
        """Add a node. reference: the bone its channels are relative to, -1 for the world. moving: the bones it represents."""
        bone, is_root = self.bones[k], parent < 0
        rotates, translates = any(b.rotates for b in moving), any(b.translates for b in moving)
        frames = len(self.positions)
        R_before = self.rotations[:, reference] if reference >= 0 else np.broadcast_to(np.eye(3), (frames, 3, 3))
        p_before = self.positions[:, reference] if reference >= 0 else np.zeros((frames, 3))
        rest_before = self.rest_positions[reference] if reference >= 0 else np.zeros(3)
        x, y, z = (self.rest_positions[k] - rest_before).tolist()
        name = self.names.take(_UNWRITABLE.sub("_", bone.link) or "link")
        if not self.children[k] and not is_root and not rotates and not translates:
            self.done.append(Node("", parent, (x, y, z), (), True))
            return
        channels = (*POSITIONS, *ROTATIONS) if is_root or translates else ROTATIONS
        self.done.append(Node(name, parent, (x, y, z), channels))
        R_inverse = R_before.swapaxes(-1, -2)
        if len(channels) > len(ROTATIONS):
            self.columns.append((R_inverse @ (self.positions[:, k] - p_before)[..., None])[..., 0])
        vectors = vector_from_matrix(R_inverse @ self.rotations[:, k])[:, None]
        angles = vectors_to_euler(vectors, np.zeros_like(vectors), np.zeros((frames, 1)), np.zeros((1, 3)), _AXES)
        self.columns.append(angles[:, 0] / DEGREE)
        if not self.children[k]:
            self.done.append(Node("", len(self.done) - 1, (0.0, 0.0, 0.0), (), True))

"""Any recording as nodes and channels of BVH, which knows neither rest rotations nor axes of its own.

Each link stands for a node at its origin whose frame is parallel to the world in the zero posture. With T_k(t) the pose of link k
and R_k(0) its rotation in the zero posture, all seen from a world with the file's axis up,
    node's rotation  N_k(t) = R_k(t) R_k(0)^T,   its turn  N_parent(t)^T N_k(t),
    its place        N_parent(t)^T (p_k(t) - p_parent(t)),
which is the offset for all t unless the link slides. Turns are written about z, x, y. A link that carries one other at its own
origin, as hinges in a row do, needs no node: the other one's turns hold both.
"""

import re
from dataclasses import dataclass

import numpy as np

from limbik._core import vectors_to_euler
from limbik.errors import BadFile
from limbik.formats.bones import Bone, bones_of, poses_of, rest_of
from limbik.formats.bvh_joints import DEGREE
from limbik.formats.bvh_text import MOST_NODES, Node
from limbik.formats.names import Names
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import vector_from_matrix
from limbik.model.joint import Kind
from limbik.model.recording import Recording

POSITIONS = ("Xposition", "Yposition", "Zposition")
TURNS = ("Zrotation", "Xrotation", "Yrotation")
_AXES = [2, 0, 1]
# Links nearer than this to each other stand at one place [m].
_ONE_PLACE = 1e-9
_UNWRITABLE = re.compile(r"[{}\s]")


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes in the order of the file and their channels (frames, channels), lengths in the unit of the file."""

    nodes: tuple[Node, ...]
    values: Array


def nodes_of(recording: Recording, unit: float, up: str = "y") -> Nodes:
    """Return a recording as BVH puts it; unit: metres per unit of the file. up: the axis that is up in it, "y" or "z"."""
    bones = bones_of(recording)
    if len(bones) > MOST_NODES:
        raise BadFile(f"'{recording.mechanism.name}' has {len(bones)} links; a BVH file holds at most {MOST_NODES}")
    to_y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    upright = np.eye(3) if recording.mechanism.up == up else to_y if up == "y" else to_y.T
    T, rest = poses_of(recording), rest_of(recording)
    places = T[:, :, :3, 3] @ upright.T / unit
    starts = rest[:, :3, 3] @ upright.T / unit
    turned = upright @ T[:, :, :3, :3] @ rest[:, :3, :3].swapaxes(-1, -2) @ upright.T
    return _Writer(bones, starts, places, turned, _ONE_PLACE / unit).nodes()


class _Writer:
    def __init__(self, bones: tuple[Bone, ...], starts: Array, places: Array, turned: Array, near: float) -> None:
        self.near = near
        self.bones, self.starts, self.places, self.turned = bones, starts, places, turned
        self.children: list[list[int]] = [[] for _ in bones]
        for k, bone in enumerate(bones):
            if bone.parent >= 0:
                self.children[bone.parent].append(k)
        self.names = Names()
        self.done: list[Node] = []
        self.columns: list[Array] = []

    def nodes(self) -> Nodes:
        above = self.children[0]
        # A base that only carries figures that move freely is the world itself.
        free = above and all(
            b.joint is not None and b.joint.kind is Kind.FLOATING for b in map(self.bones.__getitem__, above)
        )
        stack = [(k, -1, 0 if free else -1) for k in reversed(above if free else [0])]
        while stack:
            k, parent, seen_from = stack.pop()
            number = len(self.done)
            moving = [self.bones[k]]
            while parent >= 0 and (only := self._only_at_place(k)) is not None:
                k = only
                moving.append(self.bones[k])
            self._add(k, parent, seen_from, moving)
            if not self.done[number].is_end:
                stack.extend((child, number, k) for child in reversed(self.children[k]))
        values = np.concatenate(self.columns, axis=1) if self.columns else np.zeros((len(self.places), 0))
        return Nodes(tuple(self.done), values)

    def _only_at_place(self, k: int) -> int | None:
        """Return the one link that a link carries, where it turns about the same origin."""
        if len(self.children[k]) != 1:
            return None
        (child,) = self.children[k]
        apart = float(np.abs(self.starts[child] - self.starts[k]).max())
        return child if apart <= self.near and not self.bones[child].slides else None

    def _add(self, k: int, parent: int, seen_from: int, moving: list[Bone]) -> None:
        bone, is_root = self.bones[k], parent < 0
        turns, slides = any(b.turns for b in moving), any(b.slides for b in moving)
        frames = len(self.places)
        turn_before = self.turned[:, seen_from] if seen_from >= 0 else np.broadcast_to(np.eye(3), (frames, 3, 3))
        place_before = self.places[:, seen_from] if seen_from >= 0 else np.zeros((frames, 3))
        rest_before = self.starts[seen_from] if seen_from >= 0 else np.zeros(3)
        x, y, z = (self.starts[k] - rest_before).tolist()
        name = self.names.take(_UNWRITABLE.sub("_", bone.link) or "link")
        if not self.children[k] and not is_root and not turns and not slides:
            self.done.append(Node("", parent, (x, y, z), (), True))
            return
        channels = (*POSITIONS, *TURNS) if is_root or slides else TURNS
        self.done.append(Node(name, parent, (x, y, z), channels))
        back = turn_before.swapaxes(-1, -2)
        if len(channels) > len(TURNS):
            self.columns.append((back @ (self.places[:, k] - place_before)[..., None])[..., 0])
        vectors = vector_from_matrix(back @ self.turned[:, k])[:, None]
        angles = vectors_to_euler(vectors, np.zeros_like(vectors), np.zeros((frames, 1)), np.zeros((1, 3)), _AXES)
        self.columns.append(angles[:, 0] / DEGREE)
        if not self.children[k]:
            self.done.append(Node("", len(self.done) - 1, (0.0, 0.0, 0.0), (), True))

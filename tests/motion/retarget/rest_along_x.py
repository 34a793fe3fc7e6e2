"""A clip as a BVH file whose bones all point along their own x axis: at zero they overlap on one line."""

import numpy as np
from scipy.spatial.transform import Rotation

from limbik.formats.bvh_text import Node
from limbik.formats.bvh_write import bvh_text

_POSITIONS = ("Xposition", "Yposition", "Zposition")
_TURNS = ("Zrotation", "Xrotation", "Yrotation")
_TRUNK = ("spine", "chest", "back", "neck", "head")


def save_along_x(clip, path, flip=False):
    """Write a clip of ball joints in this form, with unchanged positions in every frame. flip: legs point along -x."""
    robot, joints = clip.robot, clip.robot.model.mechanism.joints
    root = next(j.child for j in joints if str(j.kind) == "floating")
    parent = {j.child: j.parent for j in joints}
    carried = {frame: [j.child for j in joints if j.parent == frame] for frame in robot.frames}
    rest = {frame: robot.forward(np.zeros(robot.n), frame) for frame in robot.frames}
    seen = {frame: clip.forward(frame) for frame in robot.frames}
    frame_of = {}
    for name in robot.frames:
        vectors = [
            rest[name][:3, :3].T @ (rest[c][:3, 3] - rest[name][:3, 3]) * (2 if _is_trunk(c) else 1)
            for c in carried[name]
        ]
        vector = max(vectors, key=np.linalg.norm, default=np.zeros(3))
        frame_of[name] = _along(vector * (-1 if flip and ("Leg" in name or "Foot" in name) else 1))
    nodes, columns = [], []

    def add(name, above):
        k = len(nodes)
        apart = np.zeros(3)
        R = seen[name][:, :3, :3] @ frame_of[name]
        if above >= 0:
            over = parent[name]
            apart = frame_of[over].T @ rest[over][:3, :3].T @ (rest[name][:3, 3] - rest[over][:3, 3])
            R = (seen[over][:, :3, :3] @ frame_of[over]).transpose(0, 2, 1) @ R
        else:
            columns.append(100 * seen[name][:, :3, 3])
        nodes.append(Node(name, above, tuple((100 * apart).tolist()), _TURNS if above >= 0 else (*_POSITIONS, *_TURNS)))
        columns.append(Rotation.from_matrix(R).as_euler("ZXY", degrees=True))
        for child in carried[name]:
            add(child, k)
        if not carried[name]:
            nodes.append(Node("", k, (1.0, 0.0, 0.0), (), True))

    add(root, -1)
    path.write_text(bvh_text(tuple(nodes), np.concatenate(columns, axis=1), 1 / clip.rate))
    return path


def _is_trunk(name):
    return any(word in name.lower() for word in _TRUNK)


def _along(vector):
    """Return a frame whose x axis points along a vector."""
    length = np.linalg.norm(vector)
    if length < 1e-9:
        return np.eye(3)
    x = vector / length
    y = np.cross([0.0, 0.0, 1.0] if abs(x[2]) < 0.9 else [0.0, 1.0, 0.0], x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], -1)

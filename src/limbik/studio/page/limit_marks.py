"""Rings around the joints that are at a limit."""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Joint
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import LIMIT
from limbik.studio.page.skin import size_of
from limbik.studio.page.solids import Solid, frame_of
from limbik.studio.page.turning import quaternions

# The largest number of marked joints, and the radius and thickness of a ring as fractions of the robot's size.
MOST, RADIUS, THICKNESS = 24, 0.05, 0.006
# The resolution of a ring: around it, and around its tube.
AROUND, TUBE = 24, 5


class LimitMarks:
    """A ring about the axis of each joint at a limit."""

    def __init__(self, scene: Any, robot: Chain | Skeleton) -> None:
        self._robot = robot
        self._sent: tuple[Any, Any] | None = None
        ring = _ring(RADIUS * size_of(robot), THICKNESS * size_of(robot))
        self._handle = scene.add_batched_meshes_simple(
            "/base/limits",
            ring.vertices.astype(np.float32),
            ring.faces,
            np.array([[1, 0, 0, 0]], np.float32),
            np.zeros((1, 3), np.float32),
            batched_colors=LIMIT,
            lod="off",
            cast_shadow=False,
            receive_shadow=False,
            visible=False,
        )

    def show(self, q: Array, names: tuple[str, ...]) -> None:
        """Mark the joints of these values of q."""
        joints = list(dict.fromkeys(joint for name in names if (joint := self._joint(name)) is not None))[:MOST]
        if joints:
            places, rotations = np.zeros((len(joints), 3), np.float32), np.zeros((len(joints), 4), np.float32)
            for k, joint in enumerate(joints):
                T = self._robot.forward(q, joint.child)
                across, along = frame_of(T[:3, :3] @ joint.axis)
                places[k], rotations[k] = T[:3, 3], quaternions(np.column_stack([across[0], across[1], along]))
            if self._sent is None or not (
                np.array_equal(self._sent[0], places) and np.array_equal(self._sent[1], rotations)
            ):
                self._handle.batched_positions, self._handle.batched_wxyzs = places, rotations
                self._sent = places, rotations
        if bool(joints) != self._handle.visible:
            self._handle.visible = bool(joints)

    def _joint(self, name: str) -> Joint | None:
        known = self._robot.model.mechanism.joint_of
        joint = known.get(name) or known.get(name.rpartition(".")[0])
        return joint if joint is not None and joint.child in self._robot.frames else None


def _ring(radius: float, thickness: float) -> Solid:
    """Return a torus about z."""
    around, tube = AROUND, TUBE
    a = np.linspace(0, 2 * np.pi, around, endpoint=False)[:, None]
    b = np.linspace(0, 2 * np.pi, tube, endpoint=False)[None]
    r = radius + thickness * np.cos(b)
    vertices = np.stack([r * np.cos(a), r * np.sin(a), thickness * np.sin(b) + 0 * a], -1).reshape(-1, 3)
    i, j = (x.ravel() for x in np.meshgrid(np.arange(around), np.arange(tube), indexing="ij"))
    here, right = i * tube + j, (i + 1) % around * tube + j
    up, both = i * tube + (j + 1) % tube, (i + 1) % around * tube + (j + 1) % tube
    faces = np.concatenate([np.stack([here, right, both], 1), np.stack([here, both, up], 1)])
    return Solid(vertices, faces.astype(np.uint32))

"""The stage: ground, up, light and the first view, in the size of the robot."""

from typing import Any

import numpy as np

from limbik.model.transform import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import GRID, GRID_LINES
from limbik.studio.page.skin import Part, size_of
from limbik.studio.page.turning import quaternions

# Where the eye stands, as seen from the middle of the robot, which looks along x; its distance is this many half sizes.
VIEWS = {"Home": (1.0, -0.75, 0.45), "Front": (1.0, 0.0, 0.08), "Side": (0.0, -1.0, 0.08), "Top": (0.02, 0.0, 1.0)}
DISTANCE = 3.7
# How far below the middle the eye looks, in half sizes: the timeline lies over the bottom of the page.
BELOW = 0.34
# A robot with y up, z forward and x to the left, in a room with z up and x forward: its columns are the room's y, z, x.
Y_UP = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
GRID_CELLS = 20


class Stage:
    """Ground and camera of one browser. All that belongs to the robot hangs on "/base", which turns y up to z up."""

    def __init__(self, camera: Any, scene: Any, robot: Chain | Skeleton, parts: tuple[Part, ...], q: Array) -> None:
        self._camera, self._scene, self._up = camera, scene, robot.mechanism.up
        # T_world_base: what the robot calls up is up in the room.
        self.turn = np.array(Y_UP if self._up == "y" else np.eye(3), float)
        low, high = bounds(robot, parts, q)
        corners = np.stack([low, high]) @ self.turn.T
        low, high = corners.min(axis=0), corners.max(axis=0)
        self._centre = (low + high) / 2
        self._half = max(float(np.linalg.norm(high - low)) / 2, 0.55 * size_of(robot), 1e-6)
        scene.add_frame("/base", show_axes=False, wxyz=quaternions(self.turn))
        self._draw_ground(size_of(robot), min(0.0, float(low[2])))
        self.look("Home")

    def _draw_ground(self, size: float, height: float) -> None:
        cell = 10.0 ** np.floor(np.log10(size)) / 2
        self._scene.add_grid(
            "/ground",
            width=GRID_CELLS * cell / 2,
            height=GRID_CELLS * cell / 2,
            plane="xy",
            cell_size=cell / 2,
            section_size=cell,
            cell_color=GRID,
            section_color=GRID_LINES,
            cell_thickness=1.0,
            section_thickness=1.0,
            position=(0.0, 0.0, height - 1e-3 * size),
            infinite_grid=False,
        )

    def look(self, view: str) -> None:
        """Look at the robot from a side, by its name in VIEWS."""
        eye = np.array(VIEWS[view], float)
        eye /= np.linalg.norm(eye)
        camera = self._camera
        camera.fov = np.radians(40)
        camera.up_direction = (0.0, 0.0, 1.0)
        middle = self._centre - np.array([0.0, 0.0, BELOW * self._half])
        camera.position = middle + DISTANCE * self._half * eye
        camera.look_at = middle


def bounds(robot: Chain | Skeleton, parts: tuple[Part, ...], q: Array) -> tuple[Array, Array]:
    """Return the corners of the box around a robot in a posture [m]."""
    poses = dict(zip(robot.frames, robot.forward_all(q), strict=True))
    points = [part.solid.vertices @ poses[part.frame][:3, :3].T + poses[part.frame][:3, 3] for part in parts]
    points.append(np.array([T[:3, 3] for T in poses.values()]))
    everything = np.concatenate(points)
    return everything.min(axis=0), everything.max(axis=0)

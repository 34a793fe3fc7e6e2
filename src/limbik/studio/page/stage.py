"""The stage: ground, up, light and the first view, in the size of the robot."""

from typing import Any

import numpy as np

from limbik.model.transform import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import GRID, GRID_LINES
from limbik.studio.page.skin import Part, size_of

# Where the eye stands, as seen from the middle of the robot; for y up and for z up. Its distance is this many half sizes.
EYES = {"y": (0.62, 0.22, 1.0), "z": (1.0, -0.85, 0.55)}
DISTANCE = 3.4
# The other views by name: eye directions for z up.
VIEWS = {"Home": None, "Front": (1.0, 0.0, 0.08), "Side": (0.0, -1.0, 0.08), "Top": (0.02, 0.0, 1.0)}
GRID_CELLS = 20


class Stage:
    """Ground and camera of one browser."""

    def __init__(self, client: Any, robot: Chain | Skeleton, parts: tuple[Part, ...], q: Array) -> None:
        self._client, self._up = client, robot.mechanism.up
        low, high = bounds(robot, parts, q)
        self._centre = (low + high) / 2
        self._half = max(float(np.linalg.norm(high - low)) / 2, 0.35 * size_of(robot), 1e-6)
        self._draw_ground(robot, low)
        self.look("Home")

    def _draw_ground(self, robot: Chain | Skeleton, low: Array) -> None:
        scene, axis = self._client.scene, "xyz".index(self._up)
        scene.set_up_direction(f"+{self._up}")
        cell = 10.0 ** np.floor(np.log10(size_of(robot))) / 2
        position = np.zeros(3)
        position[axis] = min(0.0, low[axis]) - 1e-3 * size_of(robot)
        scene.add_grid(
            "/ground",
            width=GRID_CELLS * cell / 2,
            height=GRID_CELLS * cell / 2,
            plane="xz" if self._up == "y" else "xy",
            cell_size=cell / 2,
            section_size=cell,
            cell_color=GRID,
            section_color=GRID_LINES,
            cell_thickness=1.0,
            section_thickness=1.0,
            position=position,
            infinite_grid=False,
        )

    def look(self, view: str) -> None:
        """Look at the robot from a side, by its name in VIEWS."""
        given = VIEWS.get(view)
        eye = np.array(EYES[self._up] if given is None else given, float)
        if given is not None and self._up == "y":
            eye = eye[[1, 2, 0]]
        eye /= np.linalg.norm(eye)
        camera = self._client.camera
        camera.fov = np.radians(40)
        camera.up_direction = np.eye(3)["xyz".index(self._up)]
        camera.position = self._centre + DISTANCE * self._half * eye
        camera.look_at = self._centre


def bounds(robot: Chain | Skeleton, parts: tuple[Part, ...], q: Array) -> tuple[Array, Array]:
    """Return the corners of the box around a robot in a posture [m]."""
    poses = dict(zip(robot.frames, robot.forward_all(q), strict=True))
    points = [part.solid.vertices @ poses[part.frame][:3, :3].T + poses[part.frame][:3, 3] for part in parts]
    points.append(np.array([T[:3, 3] for T in poses.values()]))
    everything = np.concatenate(points)
    return everything.min(axis=0), everything.max(axis=0)

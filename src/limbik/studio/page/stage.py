"""The stage: ground, upward direction, lights and camera, scaled to the robot.

A browser without a graphics card renders every frame by the processor and takes one message per frame, so the speed of
the page is that of rendering. Three plain lights and a ground of lines cost a third of viser's default scene, which has
a photo of a room as light, shadows in three layers, and a ground computed per pixel.
"""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import GRID, GRID_LINES
from limbik.studio.page.skin import Part, size_of
from limbik.studio.page.turning import quaternions

# The directions from the robot's middle to the camera (the robot faces x), and the distance in half sizes of the robot.
VIEWS = {"Home": (1.0, -0.75, 0.45), "Front": (1.0, 0.0, 0.08), "Side": (0.0, -1.0, 0.08), "Top": (0.02, 0.0, 1.0)}
DISTANCE = 3.7
# The distance below the middle at which the camera points, in half sizes: the timeline covers the bottom of the page.
BELOW = 0.34
# The rotation from a base with y up, z forward and x to the left to a world with z up and x forward.
Y_UP = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
# The cells of the ground on each side, the size of a cell as a fraction of the robot's, and the cells per piece of a line.
GRID_CELLS, CELL, PIECE = 10, 0.2, 5
# The strength of the ambient light, and the strength and direction of two lights from above.
ALL_AROUND, LIGHTS = 1.1, ((2.5, (0.5, -0.7, 1.0)), (0.8, (0.3, 1.0, 0.2)))


class Stage:
    """Ground, lights and camera of one browser. The robot's nodes are children of "/base", which rotates its up to z."""

    def __init__(self, camera: Any, scene: Any, robot: Chain | Skeleton, parts: tuple[Part, ...], q: Array) -> None:
        self._camera, self._scene, self._up = camera, scene, robot.model.mechanism.up
        # the rotation of T_world_base: the robot's up becomes the world's z
        self.turn = np.array(Y_UP if self._up == "y" else np.eye(3), float)
        low, high = bounds(robot, parts, q)
        corners = np.stack([low, high]) @ self.turn.T
        low, high = corners.min(axis=0), corners.max(axis=0)
        self._centre = (low + high) / 2
        self._half = max(float(np.linalg.norm(high - low)) / 2, 0.55 * size_of(robot), 1e-6)
        scene.add_frame("/base", show_axes=False, wxyz=quaternions(self.turn))
        self._draw_ground(size_of(robot), min(0.0, float(low[2])))
        scene.add_light_ambient("/light", intensity=ALL_AROUND)
        for k, (strength, place) in enumerate(LIGHTS):
            scene.add_light_directional(f"/light/{k}", intensity=strength, position=place)
        self.look("Home")

    def _draw_ground(self, size: float, height: float) -> None:
        """Draw a grid of lines, every other one darker, in pieces: long lines that pass the camera are drawn wrongly."""
        cell = _round_number(CELL * size)
        at = np.arange(-GRID_CELLS, GRID_CELLS + 1) * cell
        across, along = (x.ravel() for x in np.meshgrid(at, at[:-1:PIECE], indexing="ij"))
        low, far = np.full_like(across, height - 1e-3 * size), along + PIECE * cell
        ends = [np.stack([np.stack([across, x, low], 1) for x in (along, far)], 1)]
        ends.append(ends[0][..., [1, 0, 2]])
        shades = np.where((np.round(across / cell) % 2 == 0)[:, None], GRID_LINES, GRID).astype(np.uint8)
        self._scene.add_line_segments(
            "/ground",
            points=np.concatenate(ends).astype(np.float32),
            colors=np.repeat(np.concatenate([shades, shades])[:, None], 2, axis=1),
            line_width=1.2,
        )

    def look(self, view: str) -> None:
        """Move the camera to a view, by its name in VIEWS."""
        eye = np.array(VIEWS[view], float)
        eye /= np.linalg.norm(eye)
        camera = self._camera
        camera.fov = np.radians(40)
        camera.up_direction = (0.0, 0.0, 1.0)
        middle = self._centre - np.array([0.0, 0.0, BELOW * self._half])
        camera.position = middle + DISTANCE * self._half * eye
        camera.look_at = middle


def _round_number(length: float) -> float:
    """Return the nearest of 1, 2 and 5 times a power of ten, on a logarithmic scale."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(power * min((1, 2, 5, 10), key=lambda k: abs(np.log(k * power / length))))


def bounds(robot: Chain | Skeleton, parts: tuple[Part, ...], q: Array) -> tuple[Array, Array]:
    """Return the corners of the box around a robot in a posture [m]."""
    poses = dict(zip(robot.frames, robot.model.forward_all(q), strict=True))
    points = [part.solid.vertices @ poses[part.frame][:3, :3].T + poses[part.frame][:3, 3] for part in parts]
    points.append(np.array([T[:3, 3] for T in poses.values()]))
    everything = np.concatenate(points)
    return everything.min(axis=0), everything.max(axis=0)

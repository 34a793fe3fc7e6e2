"""A robot in the scene: its parts are drawn once, then moved; only the poses of moved parts are sent."""

from collections.abc import Collection
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import JOINT, LINK, Colour
from limbik.studio.page.skin import Part
from limbik.studio.page.turning import quaternions

# The largest change of a pose that counts as no motion [m, and entries of the rotation].
STILL = 1e-9


class Body:
    """A robot drawn part by part under one name of the scene."""

    def __init__(
        self,
        scene: Any,
        name: str,
        robot: Chain | Skeleton,
        parts: tuple[Part, ...],
        colours: tuple[Colour, Colour] = (LINK, JOINT),
        opacity: float | None = None,
        frames: Collection[str] | None = None,
        visible: bool = True,
    ) -> None:
        """Draw the parts, all or those of some frames, with a colour for links and one for joints."""
        self._robot = robot
        self._colours = colours
        self._parts = [part for part in parts if frames is None or part.frame in frames]
        self._rows = [robot.frames.index(part.frame) for part in self._parts]
        self._sent = np.full((len(self._parts), 4, 4), np.nan)
        self._shown = visible
        self._tints: list[Colour | None] = [None] * len(self._parts)
        self._handles = [
            scene.add_mesh_simple(
                f"/base/{name}/{k}",
                part.solid.vertices.astype(np.float32),
                part.solid.faces,
                color=colours[part.role == "joint"],
                opacity=opacity,
                cast_shadow=False,
                receive_shadow=False,
                visible=visible,
            )
            for k, part in enumerate(self._parts)
        ]

    @property
    def handles(self) -> list[Any]:
        """The scene's handle of each part."""
        return self._handles

    def move(self, q: Array) -> int:
        """Move the parts to a posture; return the number of parts that moved."""
        poses = self._robot.model.forward_all(q)[self._rows]
        moved = ~(np.abs(poses - self._sent).max(axis=(1, 2)) <= STILL)
        rotations = quaternions(poses[:, :3, :3])
        for k in np.flatnonzero(moved):
            handle = self._handles[k]
            handle.position = poses[k, :3, 3]
            handle.wxyz = rotations[k]
        self._sent[moved] = poses[moved]
        return int(moved.sum())

    def show(self, visible: bool) -> None:
        """Show or hide the robot."""
        if visible != self._shown:
            self._shown = visible
            for handle in self._handles:
                handle.visible = visible

    def tint(self, colour: Colour | None, frames: Collection[str] = ()) -> None:
        """Colour the links of some frames; all others, or all with None, have their own colour."""
        tints = [colour if part.frame in frames else None for part in self._parts]
        for k, (part, tint) in enumerate(zip(self._parts, tints, strict=True)):
            if tint != self._tints[k]:
                self._tints[k] = tint
                self._handles[k].color = self._colours[part.role == "joint"] if tint is None else tint

    def remove(self) -> None:
        """Remove the robot from the scene."""
        for handle in self._handles:
            handle.remove()

"""Many pale postures of one robot at once: all solutions for a target, or the keys before and after the playhead.

One scene node per part contains that part of every posture. So a crowd takes two messages per part for any number of postures,
and a click gives the index of the posture. The postures are opaque sticks: two dozen transparent bodies reduce a page without a
graphics card from 40 frames per second to 2.
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.colours import Colour
from limbik.studio.page.skin import Part
from limbik.studio.page.turning import quaternions


class Crowd:
    """Up to `most` pale postures under one name of the scene."""

    def __init__(
        self,
        scene: Any,
        name: str,
        robot: Chain | Skeleton,
        parts: tuple[Part, ...],
        colour: Colour,
        most: int,
    ) -> None:
        self._scene, self._name, self._robot, self._all = scene, name, robot, parts
        self._colour, self._most = colour, most
        self._picked: Callable[[int], None] | None = None
        self._frames: frozenset[str] | None = None
        self._handles: list[Any] = []
        self._rows: list[int] = []
        self._count = 0

    @property
    def count(self) -> int:
        """The number of shown postures."""
        return self._count

    def on_pick(self, call: Callable[[int], None]) -> None:
        """Call a function with the index of a clicked posture."""
        self._picked = call

    def show(self, Q: Array, frames: Collection[str] | None = None) -> None:
        """Show postures (k, n), at most `most`: the parts of all frames, or of some."""
        Q = np.asarray(Q, float)[: self._most]
        wanted = None if frames is None else frozenset(frames)
        if len(Q) and (not self._handles or wanted != self._frames):
            self._draw(wanted)
        if len(Q):
            poses = self._robot.model.forward_all(Q)[:, self._rows]
            rotations = quaternions(poses[..., :3, :3])
            for k, handle in enumerate(self._handles):
                handle.batched_positions = poses[:, k, :3, 3].astype(np.float32)
                handle.batched_wxyzs = rotations[:, k].astype(np.float32)
        if bool(len(Q)) != bool(self._count):
            for handle in self._handles:
                handle.visible = bool(len(Q))
        self._count = len(Q)

    def _draw(self, frames: frozenset[str] | None) -> None:
        for handle in self._handles:
            handle.remove()
        self._frames, self._count = frames, 0
        parts = [part for part in self._all if frames is None or part.frame in frames]
        self._rows = [self._robot.frames.index(part.frame) for part in parts]
        identity, origin = np.array([[1, 0, 0, 0]], np.float32), np.zeros((1, 3), np.float32)
        self._handles = []
        for k, part in enumerate(parts):
            handle = self._scene.add_batched_meshes_simple(
                f"/base/{self._name}/{k}",
                part.solid.vertices.astype(np.float32),
                part.solid.faces,
                identity,
                origin,
                batched_colors=self._colour,
                lod="off",
                cast_shadow=False,
                receive_shadow=False,
                visible=False,
            )
            if self._picked is not None:
                handle.on_click(self._clicked)
            self._handles.append(handle)

    async def _clicked(self, event: Any) -> None:
        if self._picked is not None and event.instance_index is not None and event.instance_index < self._count:
            self._picked(int(event.instance_index))

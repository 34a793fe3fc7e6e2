"""A gizmo per tip, which the limb follows during a drag.

Only that of the chosen tip is shown; a click on a dot chooses another tip. A browser sends more events than a page can
draw. Of the waiting events only the newest is processed.
"""

import asyncio
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.studio.page.colours import TARGET
from limbik.studio.page.skin import size_of
from limbik.studio.page.turning import pose_of, quaternions

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# Sizes as fractions of the robot's size.
GIZMO, DOT = 0.2, 0.026


class Gizmos:
    """The gizmos and dots of a robot's tips."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk
        self._all = False
        self.dragged: str | None = None
        self._newest: dict[str, Array] = {}
        self._sent: dict[str, Array] = {}
        size, scene = size_of(desk.session.robot), desk.scene
        self._gizmos: dict[str, Any] = {}
        self._dots: dict[str, Any] = {}
        for k, frame in enumerate(desk.session.tips):
            gizmo = scene.add_transform_controls(
                f"/base/gizmo/{k}", scale=GIZMO * size, line_width=4.0, depth_test=False, opacity=0.9, visible=False
            )
            gizmo.on_update(self._follower(frame))
            dot = scene.add_icosphere(
                f"/base/tip/{k}",
                radius=DOT * size,
                color=TARGET,
                subdivisions=2,
                cast_shadow=False,
                receive_shadow=False,
            )
            dot.on_click(self._chooser(frame))
            self._gizmos[frame], self._dots[frame] = gizmo, dot

    def show_all(self, on: bool) -> None:
        """Show a gizmo on every tip, or only on the chosen one."""
        self._all = on
        self.refresh()

    def refresh(self) -> None:
        """Move every gizmo to its target, except the one that is being dragged."""
        session = self._desk.session
        for frame, gizmo in self._gizmos.items():
            T = session.target(frame)
            chosen = frame == self._desk.tip
            dot = self._dots[frame]
            sent = self._sent.get(frame)
            if frame != self.dragged and (sent is None or not np.array_equal(sent, T)):
                dot.position = T[:3, 3]
                gizmo.position, gizmo.wxyz = T[:3, 3], quaternions(T[:3, :3])
                self._sent[frame] = T
            for handle, visible in ((gizmo, chosen or self._all), (dot, not chosen)):
                if handle.visible != visible:
                    handle.visible = visible

    def _follower(self, frame: str) -> Any:
        async def follow(event: Any) -> None:
            T = pose_of(event.target.wxyz, event.target.position)
            self._newest[frame] = T
            if event.phase == "update":
                await asyncio.sleep(0)  # let waiting events be processed first
                if self._newest.get(frame) is not T:
                    return
            self._desk.drag(frame, T, event.phase)

        return follow

    def _chooser(self, frame: str) -> Any:
        async def choose(_: Any) -> None:
            self._desk.choose_tip(frame)

        return choose

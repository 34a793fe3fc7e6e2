"""A point to look at: a handle at which the z axis of a frame is aimed."""

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.studio.page.colours import ORANGE
from limbik.studio.page.skin import size_of

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


class LookPanel:
    """A checkbox, and a handle in the scene for the chosen tip."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk
        self._check = desk.client.gui.add_checkbox("Look at", False, hint="Keep the tip's z axis pointed at a handle")
        self._check.on_update(self._toggle)
        self._handle: Any = None
        self._held = False

    def refresh(self, live: bool) -> None:
        """Move the handle to the point."""
        point = self._desk.session.state.look_at.get(self._desk.tip)
        if (point is not None) != self._check.value:
            self._check.value = point is not None
        if point is None:
            if self._handle is not None:
                self._handle.remove()
                self._handle = None
            return
        if self._handle is None:
            scene, size = self._desk.scene, size_of(self._desk.session.robot)
            self._handle = scene.add_transform_controls(
                "/base/look", scale=0.12 * size, disable_rotations=True, depth_test=False, line_width=4.0
            )
            scene.add_icosphere("/base/look/ball", radius=0.02 * size, color=ORANGE, cast_shadow=False)
            scene.add_label("/base/look/label", "look here")
            self._handle.on_update(self._follow)
        if not self._held:
            self._handle.position = np.array(point)

    async def _toggle(self, event: Any) -> None:
        if event.client is None:
            return
        desk = self._desk
        T = desk.session.robot.forward(desk.session.q, desk.tip)
        point = T[:3, 3] + 0.4 * size_of(desk.session.robot) * T[:3, 2]
        desk.act(lambda: desk.session.look(desk.tip, point if event.target.value else None))

    async def _follow(self, event: Any) -> None:
        desk, point = self._desk, np.array(event.target.position)
        self._held = event.phase != "end"
        if event.phase == "update":
            desk.act(lambda: desk.session.look(desk.tip, point), "look", live=True, held=True)
        elif event.phase == "end":
            desk.refresh()

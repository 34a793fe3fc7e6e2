"""The error of an unreached target: a line from the frame to its target, with the distance as text."""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.studio.page.colours import SHORT


class Shortfall:
    """The gap between a frame and its target; hidden if the target is reached."""

    def __init__(self, scene: Any) -> None:
        self._line = scene.add_line_segments(
            "/base/shortfall/line", points=np.zeros((1, 2, 3), np.float32), colors=SHORT, line_width=4.0, visible=False
        )
        self._label = scene.add_label("/base/shortfall/label", "", visible=False)

    def show(self, present: Array, target: Array, words: str) -> None:
        """Draw the gap between two positions [m], with a label."""
        self._line.points = np.stack([present, target])[None].astype(np.float32)
        self._label.position = (present + target) / 2
        if self._label.text != words:
            self._label.text = words
        self._set_visible(True)

    def hide(self) -> None:
        """Hide the gap."""
        self._set_visible(False)

    def _set_visible(self, visible: bool) -> None:
        for handle in (self._line, self._label):
            if handle.visible != visible:
                handle.visible = visible

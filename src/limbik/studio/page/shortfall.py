"""Out of reach, shown plainly: a line from where the frame is to where it should be, with the distance in words."""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.studio.page.colours import SHORT


class Shortfall:
    """The gap between a frame and its target; nothing while there is none."""

    def __init__(self, scene: Any) -> None:
        self._line = scene.add_line_segments(
            "/base/shortfall/line", points=np.zeros((1, 2, 3), np.float32), colors=SHORT, line_width=4.0, visible=False
        )
        self._label = scene.add_label("/base/shortfall/label", "", visible=False)

    def show(self, there: Array, wanted: Array, words: str) -> None:
        """Draw the gap between two places [m]."""
        self._line.points = np.stack([there, wanted])[None].astype(np.float32)
        self._label.position = (there + wanted) / 2
        if self._label.text != words:
            self._label.text = words
        self._see(True)

    def hide(self) -> None:
        """Nothing is missing."""
        self._see(False)

    def _see(self, visible: bool) -> None:
        for handle in (self._line, self._label):
            if handle.visible != visible:
                handle.visible = visible

"""The rate of panel updates: a few per second during a motion, and one after it.

While a gizmo, a slider or the playhead moves, forty sliders and a curve need no thirty updates per second, and each update costs
the browser more than that of the robot. So the panels are updated a few times per second, and once when nothing has moved for a
moment, whether the mouse button is still held or released.
"""

import contextlib
from collections.abc import Callable
from time import monotonic
from typing import Any

# The interval of panel updates during a motion, and the time without a move after which the motion has ended [s].
PACE, REST = 0.3, 0.35


class Debounce:
    """Decides when panels are updated, and calls `update` once after the last move."""

    def __init__(self, loop: Any, update: Callable[[], None]) -> None:
        self._loop, self._update = loop, update
        self._shown, self._moved = 0.0, 0.0
        self._waiting = False
        self.behind = False

    def due(self) -> bool:
        """Record a move; return whether the panels are updated with it."""
        now = self._moved = monotonic()
        if now - self._shown >= PACE:
            self._shown = now
            return True
        return False

    def moved(self) -> None:
        """Schedule an update of the panels for the end of the motion."""
        self.behind = True
        if not self._waiting:
            self._waiting = True
            with contextlib.suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._check)

    def shown(self) -> None:
        """Record that all panels are up to date."""
        self.behind, self._shown = False, monotonic()

    def _check(self) -> None:
        """Update the panels if the motion has ended, else check again later."""
        left = self._moved + REST - monotonic()
        if self.behind and left > 0:
            self._loop.call_later(left, self._check)
            return
        self._waiting = False
        if self.behind:
            self._update()

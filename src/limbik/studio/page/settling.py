"""Panels that lag behind while something moves are brought up to date when it rests.

While a gizmo, a slider or the playhead moves, nobody reads forty sliders and a curve thirty times a second, and each costs the
browser more than the robot does. They follow some times a second, and once when nothing has moved for a moment: a mouse that is
held still sees the truth, and so does one that was let go.
"""

import contextlib
from collections.abc import Callable
from time import monotonic
from typing import Any

# Panels follow this often while something moves, and it has come to rest after this long without a move [s].
PACE, REST = 0.3, 0.35


class Settling:
    """Tells when panels are due, and calls `settle` once after the last move."""

    def __init__(self, loop: Any, settle: Callable[[], None]) -> None:
        self._loop, self._settle = loop, settle
        self._shown, self._moved = 0.0, 0.0
        self._waiting = False
        self.behind = False

    def due(self) -> bool:
        """Note a move; tell whether the panels follow it."""
        now = self._moved = monotonic()
        if now - self._shown >= PACE:
            self._shown = now
            return True
        return False

    def moved(self) -> None:
        """Have the panels shown when it rests."""
        self.behind = True
        if not self._waiting:
            self._waiting = True
            with contextlib.suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._look)

    def shown(self) -> None:
        """Note that everything is up to date."""
        self.behind, self._shown = False, monotonic()

    def _look(self) -> None:
        """Settle when it is time, else look again."""
        left = self._moved + REST - monotonic()
        if self.behind and left > 0:
            self._loop.call_later(left, self._look)
            return
        self._waiting = False
        if self.behind:
            self._settle()

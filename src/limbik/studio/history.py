"""Undo and redo: a sequence of states with a current position.

A drag makes a hundred states but is one step: between `begin` and `end` the newest state replaces the one before.
"""

from typing import Generic, TypeVar

# The number of steps that can be undone. States share unchanged parts, so a thousand take little memory.
DEPTH = 1000

S = TypeVar("S")


class History(Generic[S]):
    """The states of a session. A new record after an undo discards the steps that could have been redone."""

    def __init__(self, state: S) -> None:
        self._past: list[tuple[str, S]] = []
        self._future: list[tuple[str, S]] = []
        self._state = state
        self._open: str | None = None

    @property
    def state(self) -> S:
        """The present state."""
        return self._state

    @property
    def undoable(self) -> str | None:
        """The name of the step that `undo` would undo, None if there is none."""
        return self._past[-1][0] if self._past else None

    @property
    def redoable(self) -> str | None:
        """The name of the step that `redo` would redo, None if there is none."""
        return self._future[-1][0] if self._future else None

    def record(self, what: str, state: S) -> None:
        """Record a new state and the name of its step. Between `begin` and `end` all records are one step."""
        if state == self._state:
            return
        if self._open is None or self._open == "":
            self._past.append((what, self._state))
            del self._past[:-DEPTH]
            self._future.clear()
            if self._open == "":
                self._open = what
        self._state = state

    def begin(self) -> None:
        """Make all records until `end` one step."""
        if self._open is None:
            self._open = ""

    def end(self) -> None:
        """End the step that `begin` began."""
        self._open = None

    def undo(self) -> str | None:
        """Go back one step; return its name, None if there is none."""
        self.end()
        if not self._past:
            return None
        what, before = self._past.pop()
        self._future.append((what, self._state))
        self._state = before
        return what

    def redo(self) -> str | None:
        """Go forward one step; return its name, None if there is none."""
        self.end()
        if not self._future:
            return None
        what, after = self._future.pop()
        self._past.append((what, self._state))
        self._state = after
        return what

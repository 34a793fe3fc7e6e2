"""The states that a session has been in: what is shown now, how the last thing went, undo and redo."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from limbik.model.transform import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.history import History
from limbik.studio.report import Report, at_limits
from limbik.studio.state import Matrix, State


class Recorded:
    """A robot, and a line of states with a place on it."""

    def __init__(self, robot: Chain | Skeleton, start: Array) -> None:
        self._robot = robot
        self._history: History[State] = History(State(tuple(start.tolist())))
        self._report = Report(True, None, "nothing was asked yet", at_limit=at_limits(robot, start))
        self._lock = threading.RLock()

    @property
    def robot(self) -> Chain | Skeleton:
        """What is posed."""
        return self._robot

    @property
    def state(self) -> State:
        """All that can be undone."""
        return self._history.state

    @property
    def report(self) -> Report:
        """How the last thing that was asked for went."""
        return self._report

    @property
    def q(self) -> Array:
        """(n,) the posture."""
        return np.array(self.state.q)

    def undo(self) -> str | None:
        """Take the last step back; return what it was, None where there is none."""
        return self._travel(self._history.undo, "undone")

    def redo(self) -> str | None:
        """Bring back what was undone last; return what it was, None where there is none."""
        return self._travel(self._history.redo, "redone")

    @property
    def undoable(self) -> str | None:
        """What `undo` would take back."""
        return self._history.undoable

    @property
    def redoable(self) -> str | None:
        """What `redo` would bring back."""
        return self._history.redoable

    # ---- how ---------------------------------------------------------------------------------------------------------

    def _travel(self, step: Callable[[], str | None], word: str) -> str | None:
        with self._lock:
            what = step()
            if what is not None:
                self._report = Report(True, None, f"{word}: {what}", at_limit=at_limits(self._robot, self.q))
            return what

    def _record(self, what: str, state: State) -> None:
        with self._lock:
            self._history.record(what, state)
            self._report = replace(self._report, at_limit=at_limits(self._robot, self.q))

    def _kept(self, state: State) -> Mapping[str, Matrix]:
        """Return the targets of pinned frames; the others' gizmos go back to their frames."""
        return {frame: T for frame, T in state.targets.items() if frame in state.pins}

"""The states that a session has been in: what is shown now, how the last thing went, undo and redo."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.history import History
from limbik.studio.report import Report, at_limits
from limbik.studio.state import Matrix, State
from limbik.studio.validation import apart

# A frame this near its target holds it [rad, or parts of the reach].
HELD = 1e-6


class Recorded:
    """A robot, and a line of states with a place on it. `lock` makes calls from several threads one after the other."""

    def __init__(self, robot: Chain | Skeleton, start: Array) -> None:
        self.robot, self.lock = robot, threading.RLock()
        self._history: History[State] = History(State(tuple(start.tolist())))
        self._report = Report(True, None, "no target yet", at_limit=at_limits(robot, start))

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

    def begin(self) -> None:
        """Let all until `end` be one step of undo."""
        with self.lock:
            self._history.begin()

    def end(self) -> None:
        """End the step that `begin` began."""
        with self.lock:
            self._history.end()

    def report_on(self, what: str, state: State, report: Report) -> Report:
        """Go to a state that was solved for, and return the report on it."""
        with self.lock:
            self._history.record(what, state)
            self._report = report
            return report

    def record(self, what: str, state: State, *, judged: bool = False) -> None:
        """Go to a state. judged: it has another posture or other targets, so the report before does not hold any more."""
        with self.lock:
            self._history.record(what, state)
            if judged:
                self._report = self._judged(what)
            self._report = replace(self._report, at_limit=at_limits(self.robot, self.q))

    def _travel(self, step: Callable[[], str | None], word: str) -> str | None:
        with self.lock:
            what = step()
            if what is not None:
                self._report = self._judged(f"{word}: {what}")
            return what

    def _judged(self, why: str) -> Report:
        """Return how far the present posture is from the targets that it has."""
        q = self.q
        away = [apart(self.robot, q, frame, np.array(T)) for frame, T in self.state.targets.items()]
        if not away:
            return Report(True, None, why, at_limit=at_limits(self.robot, q))
        position, rotation = (max(part) for part in zip(*away, strict=True))
        held = position <= HELD * max(1.0, self.robot.reach) and rotation <= HELD
        status = Status.SOLVED if held else Status.NOT_FOUND
        return Report(held, status, why, position, rotation, at_limits(self.robot, q))


def pinned_targets(state: State) -> Mapping[str, Matrix]:
    """Return the targets of pinned frames; the others' gizmos go back to their frames."""
    return {frame: T for frame, T in state.targets.items() if frame in state.pins}

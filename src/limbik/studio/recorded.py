"""The states of a session with undo and redo, and the report on the last action."""

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

# The largest error of a frame that holds its target [rad, or reaches].
HELD = 1e-6


class Recorded:
    """The history and report of a session. `lock` serialises calls from several threads."""

    def __init__(self, robot: Chain | Skeleton, start: Array) -> None:
        self.robot, self.lock = robot, threading.RLock()
        self._history: History[State] = History(State(tuple(start.tolist())))
        self._report = Report(True, None, "no target yet", at_limit=at_limits(robot, start))

    @property
    def state(self) -> State:
        """The state that undo restores."""
        return self._history.state

    @property
    def report(self) -> Report:
        """The outcome of the last action."""
        return self._report

    @property
    def q(self) -> Array:
        """The posture, (n,)."""
        return np.array(self.state.q)

    def undo(self) -> str | None:
        """Undo the last step; return its name, None if there is none."""
        return self._travel(self._history.undo, "undone")

    def redo(self) -> str | None:
        """Redo the last undone step; return its name, None if there is none."""
        return self._travel(self._history.redo, "redone")

    @property
    def undoable(self) -> str | None:
        """The name of the step that `undo` would undo, None if there is none."""
        return self._history.undoable

    @property
    def redoable(self) -> str | None:
        """The name of the step that `redo` would redo, None if there is none."""
        return self._history.redoable

    def begin(self) -> None:
        """Make all changes until `end` one step of undo."""
        with self.lock:
            self._history.begin()

    def end(self) -> None:
        """End the step that `begin` began."""
        with self.lock:
            self._history.end()

    def report_on(self, what: str, state: State, report: Report) -> Report:
        """Record a state with the report on it, and return the report."""
        with self.lock:
            self._history.record(what, state)
            self._report = report
            return report

    def record(self, what: str, state: State, *, reassess: bool = False) -> None:
        """Record a state. reassess: its posture or targets differ, so compute a new report."""
        with self.lock:
            self._history.record(what, state)
            if reassess:
                self._report = self._reassessed(what)
            self._report = replace(self._report, at_limit=at_limits(self.robot, self.q))

    def _travel(self, step: Callable[[], str | None], word: str) -> str | None:
        with self.lock:
            what = step()
            if what is not None:
                self._report = self._reassessed(f"{word}: {what}")
            return what

    def _reassessed(self, why: str) -> Report:
        """Return a report with the largest errors of the present posture against its targets."""
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

"""Buttons for undo, redo and the camera positions, above the tabs."""

from typing import TYPE_CHECKING, Any

from limbik.studio.page.stage import VIEWS

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


class HistoryBar:
    """The buttons for undo, redo and views."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self._buttons = gui.add_button_group("History", ("Undo", "Redo"), hint="Ctrl Z, Ctrl Shift Z")
        self._buttons.on_click(self._pressed)
        gui.add_button_group("View", tuple(VIEWS), hint="Camera position").on_click(self._look)

    def refresh(self, live: bool) -> None:
        """Do nothing: the status line shows what was undone."""

    async def _pressed(self, event: Any) -> None:
        self.step(event.target.value)

    def step(self, word: str) -> None:
        """Undo or redo."""
        session = self._desk.session
        what = "undo" if word == "Undo" else "redo"
        if (session.undoable if what == "undo" else session.redoable) is None:
            self._desk.notify(
                f"Nothing to {what}", "This is the first state." if what == "undo" else "This is the latest state.", 2
            )
            return
        self._desk.act(session.undo if what == "undo" else session.redo)

    async def _look(self, event: Any) -> None:
        self._desk.stage.look(event.target.value)

"""A tour in three steps on the first visit of a browser, and the list of shortcuts."""

from typing import TYPE_CHECKING, Any

from limbik.studio.page.shortcuts import SHORTCUTS

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

SEEN, SECONDS = "limbik-studio-tour", 3.0

STEPS = (
    (
        "1 of 3: drag the tip",
        "Take an **arrow, square or arc of the gizmo** at the tip and drag it: the arm follows. Pale **ghosts** are the other "
        "postures with the same tip pose: click one to take it. If a target is unreachable, the status shows the distance.\n\n"
        "Rotate the view by dragging the ground, zoom with two fingers or the wheel, pan with the right button or Shift.",
    ),
    (
        "2 of 3: set keys and play",
        "**Key: Set** keeps the posture at the playhead's time. Move the time, drag again, set another key, and press **Play**. "
        "Everything can be undone: **Ctrl Z**.",
    ),
    (
        "3 of 3: watch the methods, export the result",
        "**Methods** shows every step of an algorithm with its error. **Measure** reads joint angles as a physiotherapist does. "
        "**Files** exports BVH, GLB, CSV and pictures.",
    ),
)


class Tour:
    """The tour of one browser."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk

    def begin(self) -> None:
        """Show the tour on a first visit. Waits for the browser's answer, so it must not run in the event loop."""
        storage = self._desk.client.local_storage
        try:
            seen = storage.get_item(SEEN, timeout=SECONDS)
        except (RuntimeError, TimeoutError):
            return
        if seen is None and not self._desk.closed:
            storage.set_item(SEEN, "yes")
            self.show(0)

    def show(self, step: int = 0) -> None:
        """Show a step of the tour; the list of shortcuts follows the last one."""
        gui = self._desk.client.gui
        if step < len(STEPS):
            title, text = STEPS[step]
        else:
            title = "Shortcuts"
            text = "\n".join(["| key | action |", "|---|---|", *(f"| {s.shown} | {s.words} |" for s in SHORTCUTS)])
        modal = gui.add_modal(title)
        with modal:
            gui.add_markdown(text)
            last = step >= len(STEPS)
            names = ("Close",) if last else ("Next" if step < len(STEPS) - 1 else "Shortcuts", "Close")
            gui.add_button_group("", names).on_click(self._presser(modal, step))

    def _presser(self, modal: Any, step: int) -> Any:
        async def press(event: Any) -> None:
            modal.close()
            if event.target.value != "Close":
                self.show(step + 1)

        return press

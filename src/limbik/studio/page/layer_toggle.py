"""A layer over the scene that takes time to compute: a checkbox and a line of text."""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from limbik.errors import LimbikError

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The result of drawing a layer: the handles of the scene, and the text.
Drawn = tuple[list[Any], str]


class LayerToggle:
    """Computes and shows a layer when it is switched on, and removes it when it is switched off.

    make: computes the layer outside the desk's lock. draw: draws the result inside the lock.
    """

    def __init__(
        self, desk: "Desk", name: str, title: str, hint: str, make: Callable[[], Any], draw: Callable[[Any], Drawn]
    ) -> None:
        self._desk, self._name, self._make, self._draw = desk, name, make, draw
        gui = desk.client.gui
        self._check = gui.add_checkbox(title, False, hint=hint)
        self._check.on_update(self._toggled)
        self._about = gui.add_html("")
        self._shown: list[Any] = []
        self._wanted = 0

    def _toggled(self, event: Any) -> None:  # in its own thread: a layer may take seconds
        desk = self._desk
        with desk.lock:
            self._wanted += 1
            mine, session = self._wanted, desk.session
            for handle in self._shown:
                handle.remove()
            self._shown = []
            self._say("computing, takes some seconds ..." if event.target.value else "")
        if not event.target.value:
            return
        try:
            made = self._make()
        except LimbikError as error:
            if mine == self._wanted:
                self._say(str(error))
            return
        with desk.lock:
            if mine == self._wanted and session is desk.session and not desk.closed:
                with desk.client.atomic():
                    self._shown, text = self._draw(made)
                    self._say(text)
        desk.client.flush()

    def _say(self, text: str) -> None:
        self._about.content = (
            f'<div data-limbik="{self._name}" style="font-size:.78rem;padding:.2rem .6rem">{escape(text)}</div>'
        )

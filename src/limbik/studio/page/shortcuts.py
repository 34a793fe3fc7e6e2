"""The list of shortcuts, from which the key bindings and the help page are built."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


class Shortcut(NamedTuple):
    """A key, its action as text, and the name of its method in `Verbs`."""

    key: str
    modifier: str | None
    words: str
    verb: str

    @property
    def shown(self) -> str:
        """The key as text, such as "Ctrl Z"."""
        held = {None: "", "cmd/ctrl": "Ctrl ", "cmd/ctrl+shift": "Ctrl Shift ", "shift": "Shift "}[self.modifier]
        return held + self.key.capitalize()


SHORTCUTS = (
    Shortcut("Z", "cmd/ctrl", "Undo", "undo"),
    Shortcut("Z", "cmd/ctrl+shift", "Redo", "redo"),
    Shortcut("Y", "cmd/ctrl", "Redo", "redo"),
    Shortcut("space", None, "Play or stop", "play"),
    Shortcut("K", None, "Set a key", "set_key"),
    Shortcut("B", None, "Go to the previous key", "key_before"),
    Shortcut("N", None, "Go to the next key", "key_after"),
    Shortcut("G", None, "Choose the next posture (ghost)", "next_posture"),
    Shortcut("G", "shift", "Choose the previous posture", "previous_posture"),
    Shortcut("T", None, "Choose the next tip", "next_tip"),
    Shortcut("R", None, "Return to the rest posture", "reset"),
    Shortcut("V", None, "Reset the view", "view_home"),
    Shortcut("S", "cmd/ctrl", "Save the project", "save"),
    Shortcut("H", None, "Show the tour and this list", "help"),
)


def add_shortcuts(desk: "Desk", verbs: Any) -> None:
    """Bind every shortcut to its method."""
    for shortcut in SHORTCUTS:
        command = desk.client.gui.add_command(shortcut.words, hotkey=shortcut.key, modifier=shortcut.modifier)
        command.on_trigger(_caller(getattr(verbs, shortcut.verb)))


def _caller(verb: Any) -> Any:
    async def call(_: Any) -> None:
        done = verb()
        if done is not None:
            await done

    return call

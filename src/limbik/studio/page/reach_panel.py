"""Inverse kinematics: tip, method, all postures as clickable ghosts, and pins."""

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.robot.skeleton import Skeleton
from limbik.solvers.registry import METHODS
from limbik.studio.ghosts import MOST, Ghosts, ghosts
from limbik.studio.page.colours import GHOST
from limbik.studio.page.crowd import Crowd
from limbik.studio.page.sliders import words

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

BEST = "limbik's choice"


class ReachPanel:
    """Tip, method, ghosts, branches, pins."""

    always = True

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui, session = desk, desk.client.gui, desk.session
        self._found: Ghosts | None = None
        self._key: object = None
        self._crowd = Crowd(desk.scene, "ghosts", session.robot, desk.sticks, GHOST, MOST)
        self._crowd.on_pick(self.choose)
        self._tips = {words(tip) if isinstance(session.robot, Skeleton) else tip: tip for tip in session.tips}
        self._tip = gui.add_dropdown("Tip", tuple(self._tips), hint="The frame to drag; or click a green dot")
        self._tip.on_update(self._choose_tip)
        if len(self._tips) > 1:
            every = gui.add_checkbox("All gizmos", False, hint="A gizmo on every tip")
            every.on_update(self._show_all)
        self._method = gui.add_dropdown("Method", (BEST, *METHODS), hint="The solver while you drag")
        self._method.on_update(self._choose_method)
        self._ghosts = gui.add_checkbox("Ghosts", True, hint="Other postures with the same tip pose; click one")
        self._ghosts.on_update(self._toggle)
        self._about = gui.add_html("")
        self._branch = gui.add_button_group("Posture", ("Previous", "Next"), hint="Choose another posture: G, Shift G")
        self._branch.on_click(self._step)
        self._pins: dict[str, Any] = {}
        if isinstance(session.robot, Skeleton):
            with gui.add_folder("Pins", expand_by_default=False):
                for title, tip in self._tips.items():
                    pin = gui.add_checkbox(title, False, hint="Keep this frame fixed while the body follows")
                    pin.on_update(self._pinner(tip))
                    self._pins[tip] = pin

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def refresh(self, live: bool) -> None:
        """Show the ghosts of the chosen tip."""
        desk, session = self._desk, self._desk.session
        key = (
            desk.tip,
            session.state.q,
            session.state.targets.get(desk.tip),
            session.state.limits,
            self._ghosts.value,
            live,
        )
        if key != self._key:
            self._key = key
            self._look_for(live)
        if live:
            return
        title = next(title for title, tip in self._tips.items() if tip == desk.tip)
        if self._tip.value != title:
            self._tip.value = title
        method = session.state.method or BEST
        if self._method.value != method:
            self._method.value = method
        for tip, pin in self._pins.items():
            if pin.value != (tip in session.state.pins):
                pin.value = tip in session.state.pins

    def _look_for(self, live: bool) -> None:
        desk, session = self._desk, self._desk.session
        wanted = self._ghosts.value and (session.report.ok or not live)
        self._found = ghosts(session, desk.tip, quick=live) if wanted else None
        others = np.zeros((0, session.robot.n))
        if self._found is not None and session.report.ok:
            others = np.delete(self._found.q, self._found.present, 0) if self._found.present >= 0 else self._found.q
        self._crowd.show(others, desk.limb_frames(desk.tip))
        text = self._words()
        if self._about.content != text:
            self._about.content = text

    def _words(self) -> str:
        found = self._found
        if found is None or not len(found):
            return _line("no ghosts" if found is None else escape(found.why))
        at = f"{found.present + 1} of {len(found)}" if found.present >= 0 else f"{len(found)}"
        label = found.labels[found.present] if found.present >= 0 else ""
        return _line(f"<b>{at} postures</b> {escape(label)}<br>{escape(found.why)}")

    # ---- what is done ------------------------------------------------------------------------------------------------

    @property
    def found(self) -> Ghosts | None:
        """The postures with the chosen tip at its gizmo."""
        return self._found

    def choose(self, ghost: int) -> None:
        """Take the posture of a ghost, by its index without the present one."""
        found = self._found
        if found is not None:
            rows = [k for k in range(len(found)) if k != found.present]
            if ghost < len(rows):
                self._take(rows[ghost])

    def step(self, by: int) -> None:
        """Take the previous or next posture."""
        if self._found is not None and len(self._found):
            self._take((max(self._found.present, -by) + by) % len(self._found))

    def _take(self, row: int) -> None:
        desk, found = self._desk, self._found
        assert found is not None
        what = f"choose {found.labels[row]}"
        desk.act(lambda: desk.session.choose(desk.tip, found.q[row], what))

    async def _step(self, event: Any) -> None:
        self.step(1 if event.target.value == "Next" else -1)

    async def _choose_tip(self, event: Any) -> None:
        if event.client is not None:
            self._desk.choose_tip(self._tips[event.target.value])

    async def _show_all(self, event: Any) -> None:
        self._desk.gizmos.show_all(event.target.value)

    async def _choose_method(self, event: Any) -> None:
        if event.client is not None:
            name = None if event.target.value == BEST else event.target.value
            self._desk.act(lambda: self._desk.session.set_method(name))

    async def _toggle(self, _: Any) -> None:
        self._desk.refresh()

    def _pinner(self, tip: str) -> Any:
        async def pin(event: Any) -> None:
            if event.client is not None:
                session = self._desk.session
                self._desk.act(lambda: session.pin(tip) if event.target.value else session.unpin(tip))

        return pin


def _line(text: str) -> str:
    return f'<div data-limbik="ghosts" style="font-size:.78rem;line-height:1.35;padding:.1rem .6rem">{text}</div>'

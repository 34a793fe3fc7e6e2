"""The timeline in its own panel: keys on a strip, the playhead, interpolation, onion skin and joint curves."""

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.model.recording import INTERPOLATIONS
from limbik.studio.page.chart import LINES, chart
from limbik.studio.page.colours import INK, ONION, ORANGE, css
from limbik.studio.page.crowd import Crowd
from limbik.studio.page.player import Player
from limbik.studio.page.sliders import display_scales

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The shortest duration of the strip [s], the keys of the onion skin on each side, and the samples of a curve.
SHORTEST, SKINS, SAMPLES = 2.0, 2, 120
WIDTH, HEIGHT = 600, 26


class TimelinePanel:
    """The strip at the bottom of the page."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self.player = Player(desk)
        self._curves_of: object = None
        self._rows: list[tuple[str, Any]] = []
        self._onions = Crowd(desk.scene, "onion", desk.session.robot, desk.sticks, ONION, 2 * SKINS)
        panel = gui.add_panel()
        with panel.add_tab("Timeline"):
            self._strip = gui.add_html("")
            self._time = gui.add_slider("Time [s]", 0.0, SHORTEST, 0.01, 0.0, hint="The playhead")
            self._time.on_update(self._scrub)
            keys = gui.add_button_group("Keys", ("Set", "Delete", "Before", "After"), hint="K sets a key here")
            keys.on_click(self._pressed)
            play = gui.add_button_group("Play", ("Play", "Stop"), hint="Space plays and stops")
            play.on_click(self._play)
        with panel.add_tab("Between keys"):
            self._fill = gui.add_dropdown("Fill", INTERPOLATIONS, hint="Interpolation between keys")
            self._fill.on_update(self._filled)
            self._loop = gui.add_checkbox("Loop", False, hint="Repeat from the start")
            self._loop.on_update(self._looped)
            self._onion = gui.add_checkbox("Onion skin", False, hint="Show the previous and next keys as pale postures")
            self._onion.on_update(self._skinned)
            self._to = gui.add_number("Move to [s]", 0.0, min=0.0, max=3600.0, step=0.01)
            gui.add_button("Move this key").on_click(self._move)
        with panel.add_tab("Curves"):
            self._curves = gui.add_html("")
        panel.float(x=15, y=-15, width=430)

    def refresh(self, live: bool) -> None:
        """Show keys and playhead."""
        state = self._desk.session.state
        end = max(state.timeline.duration, state.time, SHORTEST)
        if self._time.max != end:
            self._time.max = end
        if abs(self._time.value - state.time) > 5e-3:
            self._time.value = round(state.time, 3)
        strip = strip_html(state.timeline.times, state.time, end)
        if self._strip.content != strip:
            self._strip.content = strip
        if self._fill.value != state.timeline.interpolation:
            self._fill.value = state.timeline.interpolation
        self._onions.show(self._skins())
        if not live or self.player.playing:
            self._draw_curves()

    def _skins(self) -> Any:
        state = self._desk.session.state
        none = np.zeros((0, len(state.q)))
        if not self._onion.value or not len(state.timeline):
            return none
        before = [p for t, p in state.timeline if t < state.time - 1e-3][-SKINS:]
        after = [p for t, p in state.timeline if t > state.time + 1e-3][:SKINS]
        return np.array([*before, *after]) if before or after else none

    def _draw_curves(self) -> None:
        session = self._desk.session
        timeline = session.state.timeline
        if timeline.duration <= 0:
            text = '<div style="padding:.5rem">Set at least two keys to see curves.</div>'
        else:
            if self._curves_of is not timeline:
                self._curves_of = timeline
                times = np.linspace(0, timeline.duration, SAMPLES)
                q = timeline.clip(session.robot).at(times) * display_scales(session.robot)
                most = np.argsort(-np.ptp(q, axis=0))[: len(LINES)]
                self._rows = [(session.robot.joint_names[k], q[:, k]) for k in most if np.ptp(q[:, k]) > 1e-6]
            times = np.linspace(0, timeline.duration, SAMPLES)
            text = chart(
                times, self._rows, unit="deg, mm", along="s", at=session.state.time, marks=timeline.times[:200]
            )
        if self._curves.content != text:
            self._curves.content = text

    # ---- what is done ------------------------------------------------------------------------------------------------

    def set_key(self) -> None:
        """Set a key at the playhead."""
        self._desk.act(self._desk.session.set_key)

    def step(self, by: int) -> None:
        """Go to the key before or after the playhead."""
        state = self._desk.session.state
        times = np.array(state.timeline.times)
        there = times[times > state.time + 1e-3] if by > 0 else times[times < state.time - 1e-3]
        if len(there):
            to = float(there[0] if by > 0 else there[-1])
            self._desk.act(lambda: self._desk.session.scrub(to))

    async def _pressed(self, event: Any) -> None:
        self.player.stop()
        word = event.target.value
        if word == "Set":
            self.set_key()
        elif word == "Delete":
            self._desk.act(self._desk.session.delete_key)
        else:
            self.step(1 if word == "After" else -1)

    async def _scrub(self, event: Any) -> None:
        if event.client is not None:
            self.player.stop()
            to = event.target.value
            self._desk.act(lambda: self._desk.session.scrub(to), "scrub", live=True)

    async def _play(self, event: Any) -> None:
        if event.target.value == "Play":
            if not self.player.playing:
                await self.player.toggle()
        else:
            self.player.stop()

    async def _filled(self, event: Any) -> None:
        if event.client is not None:
            self._desk.act(lambda: self._desk.session.fill(event.target.value))

    async def _looped(self, event: Any) -> None:
        self.player.loop = event.target.value

    async def _skinned(self, _: Any) -> None:
        self._desk.refresh()

    async def _move(self, _: Any) -> None:
        session, to = self._desk.session, self._to.value
        self._desk.act(lambda: session.move_key(session.state.time, to))


def strip_html(times: tuple[float, ...], now: float, end: float) -> str:
    """Return the strip: ticks per second, a diamond per key, a line at the playhead."""
    scale = (WIDTH - 20) / end
    seconds = np.arange(0, end + 1e-9, max(round(end / 20), 1))
    ticks = "".join(f'<path d="M{10 + t * scale:.1f} {HEIGHT - 6} v6" stroke="#b8c4d0"/>' for t in seconds)
    keys = "".join(
        f'<path d="M{10 + t * scale:.1f} 4 l7 8 l-7 8 l-7 -8z" fill="{css(ORANGE)}" stroke="#fff"/>'
        for t in times[:400]
    )
    head = f'<path d="M{10 + now * scale:.1f} 0 v{HEIGHT}" stroke="{css(INK)}" stroke-width="2"/>'
    count = f"{len(times)} key{'s' if len(times) != 1 else ''}"
    return (
        f'<div data-limbik="strip" style="padding:.3rem .6rem 0;font-size:.78rem">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" style="width:100%;height:{HEIGHT}px;'
        f'background:#eef2f6;border-radius:4px">{ticks}{keys}{head}</svg>'
        f"<div>{now:.2f} s of {end:.2f} s, {count}</div></div>"
    )

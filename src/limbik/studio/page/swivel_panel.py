"""The swivel: a slider with its feasible arcs above it, and a pole to which the elbow points."""

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.studio.page.colours import GREEN, INK, ONION, css
from limbik.studio.page.skin import size_of
from limbik.studio.swivels import Swivel, at_swivel, has_swivel, swivel_of, towards

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The bar of arcs [px].
WIDTH, HEIGHT = 300, 14


class SwivelPanel:
    """The self-motion of a limb with a fixed tip."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self._bar = gui.add_html("", visible=False)
        self._slider = gui.add_slider(
            "Swivel", -180.0, 180.0, 0.1, 0.0, hint="Rotate the elbow with a fixed tip", visible=False
        )
        self._slider.on_update(self._turn)
        self._pole = gui.add_checkbox("Pole", False, hint="A point towards which the elbow points", visible=False)
        self._pole.on_update(self._show_pole)
        self._handle: Any = None

    def refresh(self, live: bool) -> None:
        """Show the present swivel and the feasible arcs."""
        desk = self._desk
        there = has_swivel(desk.session, desk.tip)
        for handle in (self._bar, self._slider, self._pole):
            if handle.visible != there:
                handle.visible = there
        if not there or live:
            return
        swivel = swivel_of(desk.session, desk.tip)
        text = arcs_html(swivel)
        if self._bar.content != text:
            self._bar.content = text
        if swivel is not None:
            value = round(float(np.degrees(swivel.value)), 1)
            if abs(self._slider.value - value) > 0.06:
                self._slider.value = value

    async def _turn(self, event: Any) -> None:
        if event.client is not None:
            desk, angle = self._desk, np.radians(event.target.value)
            what = f"swivel to {event.target.value:.0f} degrees"
            swivel = swivel_of(desk.session, desk.tip)
            if swivel is not None and not any(a - 1e-9 <= _near(angle, a) <= b + 1e-9 for a, b in swivel.arcs):
                angle = nearest_end(angle, swivel.arcs) if swivel.arcs else angle
            desk.act(
                lambda: desk.session.choose(desk.tip, at_swivel(desk.session, desk.tip, angle), what),
                "swivel",
                live=True,
            )

    async def _show_pole(self, event: Any) -> None:
        desk = self._desk
        if event.target.value:
            size = size_of(desk.session.robot)
            q = desk.session.q
            poses = desk.session.robot.model.forward_all(q)[:, :3, 3]
            self._handle = desk.scene.add_transform_controls(
                "/base/pole", scale=0.12 * size, disable_rotations=True, depth_test=False, line_width=4.0,
                position=poses[len(poses) // 2] + np.array([0.0, 0.0, 0.35 * size]),
            )  # fmt: skip
            desk.scene.add_icosphere("/base/pole/ball", radius=0.02 * size, color=ONION, cast_shadow=False)
            desk.scene.add_label("/base/pole/label", "pole")
            self._handle.on_update(self._follow_pole)
        elif self._handle is not None:
            self._handle.remove()
            self._handle = None

    async def _follow_pole(self, event: Any) -> None:
        desk, point = self._desk, np.array(event.target.position)
        if event.phase == "update":
            desk.act(
                lambda: desk.session.choose(desk.tip, towards(desk.session, desk.tip, point), "point the elbow"),
                "pole",
                live=True,
                held=True,
            )
        elif event.phase == "end":
            desk.refresh()


def _near(angle: float, low: float) -> float:
    """Return the 2-pi copy of an angle in [low, low + 2 pi)."""
    return low + (angle - low) % (2 * np.pi)


def nearest_end(angle: float, arcs: tuple[tuple[float, float], ...]) -> float:
    """Return the end of an arc that is nearest to an angle outside all arcs."""
    ends = [end for arc in arcs for end in arc]
    return min(ends, key=lambda end: abs((angle - end + np.pi) % (2 * np.pi) - np.pi))


def arcs_html(swivel: Swivel | None) -> str:
    """Return the bar with filled feasible arcs and a mark at the present swivel."""
    if swivel is None:
        return _box("the target is not reached: no swivel")
    low, high = swivel.span
    scale = WIDTH / (high - low)
    pieces = []
    for a, b in swivel.arcs:
        for turn in (-2 * np.pi, 0.0, 2 * np.pi):
            left, right = max(a + turn, low), min(b + turn, high)
            if right > left:
                x, w = (left - low) * scale, max((right - left) * scale, 1.5)
                pieces.append(f'<rect x="{x:.1f}" width="{w:.1f}" height="{HEIGHT}" rx="2" fill="{css(GREEN)}"/>')
    at = (swivel.value - low) * scale
    mark = f'<path d="M{at:.1f} 0 v{HEIGHT}" stroke="{css(INK)}" stroke-width="2.5"/>'
    ranges = ", ".join(f"{np.degrees(a):.0f}° to {np.degrees(b):.0f}°" for a, b in swivel.arcs) or "nowhere else"
    known = "" if swivel.exact else f" ({escape(swivel.note)})"
    return _box(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" style="width:100%;height:{HEIGHT}px;'
        f'background:#e8edf2;border-radius:3px">{"".join(pieces)}{mark}</svg>'
        f"<div>{escape(swivel.about)} {np.degrees(swivel.value):.1f}°, free from {ranges}{known}</div>"
    )


def _box(text: str) -> str:
    return f'<div data-limbik="swivel" style="font-size:.78rem;line-height:1.35;padding:.3rem .6rem 0">{text}</div>'

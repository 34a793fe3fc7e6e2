"""Goniometry: clinical motions by name, their angle beside the normal range, and exercises with a counter."""

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.studio.angle_arc import angle_arc
from limbik.studio.goniometry import Exercise, Reading, measure, motions
from limbik.studio.page.colours import BLUE, GREEN, PURPLE, SHORT, css

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk


class GoniometryPanel:
    """The measured motion, its reading and an exercise."""

    always = True

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self._exercise: Exercise | None = None
        known = motions(desk.session.robot)
        self._known = known
        if not known:
            gui.add_html(_box("The joints of this robot have no anatomical names; open 'human' in Files."))
            return
        self._motion = gui.add_dropdown("Motion", tuple(known), hint="One direction of one joint")
        self._motion.on_update(self._chosen)
        self._dial = gui.add_html("")
        self._arc = gui.add_checkbox(
            "Arc", False, hint="Show the angle at its joint in the scene; for elbow, forearm and knee"
        )
        self._arc.on_update(self._toggled)
        self._lines = desk.scene.add_line_segments(
            "/base/arc/lines", points=np.zeros((1, 2, 3), np.float32), colors=PURPLE, line_width=3.5, visible=False
        )
        self._label = desk.scene.add_label("/base/arc/label", "", visible=False)
        self._goal = gui.add_number("Goal [deg]", 60.0, min=1.0, max=200.0, step=1.0)
        self._times = gui.add_number("Times", 3, min=1, max=100, step=1)
        exercise = gui.add_button_group("Exercise", ("Begin", "End"), hint="Reach the angle and return, several times")
        exercise.on_click(self._pressed)

    def refresh(self, live: bool) -> None:
        """Update the reading and the exercise."""
        if not self._known:
            return
        reading = measure(self._desk.session, self._motion.value)
        if self._exercise is not None:
            self._exercise = self._exercise.seen(reading.angle_deg)
        text = dial_html(reading, self._exercise)
        if self._dial.content != text:
            self._dial.content = text
        self._draw(reading)

    def _draw(self, reading: Reading) -> None:
        """Draw or hide the angle at its joint."""
        on = bool(self._arc.value) and bool(reading.motion.joint)
        if on:
            desk = self._desk
            arc = angle_arc(desk.session, reading.motion, desk.stage.turn.T @ np.asarray(desk.client.camera.position))
            self._lines.points = arc.segments.astype(np.float32)
            self._label.position = arc.beside
            words = f"{reading.angle_deg:.0f}°"
            if self._label.text != words:
                self._label.text = words
        for handle in (self._lines, self._label):
            if handle.visible != on:
                handle.visible = on

    @property
    def exercise(self) -> Exercise | None:
        """The present exercise."""
        return self._exercise

    async def _chosen(self, _: Any) -> None:
        self._exercise, self._arc.value = None, True
        self._desk.refresh()

    async def _toggled(self, _: Any) -> None:
        self._desk.refresh()

    async def _pressed(self, event: Any) -> None:
        if event.target.value == "End":
            self._exercise = None
            self.refresh(False)
            return

        def begin() -> None:
            self._exercise = Exercise.of(self._known[self._motion.value], self._goal.value, 0.0, int(self._times.value))

        self._desk.act(begin)


def dial_html(reading: Reading, exercise: Exercise | None) -> str:
    """Return the reading as text and, if it has a normal range, as a bar with a mark at the end of that range."""
    instruction = "" if exercise is None else f"<b>{'✔ ' if exercise.finished else '▶ '}{escape(exercise.text)}</b>"
    if reading.range is None:
        return _box(f"{escape(reading.text)}<br>{instruction}")
    share = min(max(reading.share, 0.0), 1.15)
    colour = GREEN if reading.share <= 1.0 else SHORT
    goal = ""
    if exercise is not None:
        at = 100 * min(exercise.goal_deg / reading.range.end_deg, 1.15) / 1.15
        goal = f'<div style="position:absolute;left:{at:.1f}%;top:-3px;height:20px;border-left:3px dashed {css(BLUE)}"></div>'
    end = 100 / 1.15
    bar = (
        '<div style="position:relative;height:14px;background:#e8edf2;border-radius:3px;margin:.35rem 0">'
        f'<div style="width:{100 * share / 1.15:.1f}%;height:100%;background:{css(colour)};border-radius:3px"></div>'
        f'<div style="position:absolute;left:{end:.1f}%;top:0;height:14px;border-left:2px solid #555"></div>{goal}</div>'
    )
    return _box(f"{escape(reading.text)}{bar}{instruction}")


def _box(text: str) -> str:
    return f'<div data-limbik="reading" style="font-size:.8rem;line-height:1.4;padding:.3rem .6rem">{text}</div>'

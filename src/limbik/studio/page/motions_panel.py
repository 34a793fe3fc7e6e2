"""Motions at the touch of a button: flexion and abduction of the thesis, a line, a circle, a way through placed poses."""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption
from limbik.model.transform import Array
from limbik.studio import motions
from limbik.studio.page.colours import GREEN
from limbik.studio.page.skin import size_of
from limbik.studio.page.turning import quaternions

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The radius of a drawn circle, in parts of the robot's size.
RADIUS = 0.08


class MotionsPanel:
    """Buttons that make a clip of the chosen tip's motion, and the path that it takes."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self._placed: list[Array] = []
        far = "How far the hand goes each frame, along each axis"
        self._step = gui.add_number("Step [mm]", 1000 * motions.STEP, min=0.1, max=1000.0, step=0.1, hint=far)
        thesis = gui.add_button_group("Thesis", ("Flexion", "Abduction"), hint="Up and forward; up and aside")
        self._seconds = gui.add_number("Seconds", 2.0, min=0.1, max=60.0, step=0.1, hint="For each part of a way")
        draw = gui.add_button_group("Draw", ("Line", "Circle"), hint="To the first placed pose; once around, upright")
        poses = gui.add_button_group(
            "Poses", ("Place", "Go", "Clear"), hint="Place poses by the gizmo, then go through them"
        )
        for group in (thesis, draw, poses):
            group.on_click(self._pressed)
        self._about = gui.add_html("")
        self._path = desk.scene.add_line_segments(
            "/base/path", points=np.zeros((1, 2, 3), np.float32), colors=GREEN, line_width=3.0, visible=False
        )
        self._frames: list[Any] = []
        self._say("No poses are placed.")

    def refresh(self, live: bool) -> None:
        """Nothing follows the session."""

    async def _pressed(self, event: Any) -> None:
        getattr(self, f"_{event.target.value.lower()}")()

    def _flexion(self) -> None:
        self._make(lambda: motions.flexion(self._desk.session, self._desk.tip, self._step.value / 1000))

    def _abduction(self) -> None:
        self._make(lambda: motions.abduction(self._desk.session, self._desk.tip, self._step.value / 1000))

    def _line(self) -> None:
        self._make(lambda: motions.line(self._desk.session, self._desk.tip, self._first(), self._seconds.value))

    def _circle(self) -> None:
        session, tip = self._desk.session, self._desk.tip
        upward = "xyz".index(session.robot.mechanism.up)
        centre = session.target(tip)[:3, 3] - RADIUS * size_of(session.robot) * np.eye(3)[upward]
        axis = np.eye(3)[2 if upward == 1 else 0]
        self._make(lambda: motions.circle(session, tip, centre, axis, self._seconds.value))

    def _place(self) -> None:
        desk = self._desk
        T = desk.session.target(desk.tip)
        self._placed.append(T)
        size = size_of(desk.session.robot)
        self._frames.append(
            desk.scene.add_frame(
                f"/base/placed/{len(self._placed)}", axes_length=0.06 * size, axes_radius=0.004 * size,
                position=T[:3, 3], wxyz=quaternions(T[:3, :3]),
            )
        )  # fmt: skip
        self._say(f"{len(self._placed)} poses are placed.")

    def _go(self) -> None:
        session, tip = self._desk.session, self._desk.tip

        def way() -> motions.Made:
            self._first()
            start = session.state.q
            session.drag(tip, self._placed[0])
            try:
                return motions.through(session, tip, self._placed[1:] or self._placed, self._seconds.value)
            finally:
                if not session.report.ok:
                    session.set_q(start)

        self._make(way)

    def _clear(self) -> None:
        for frame in self._frames:
            frame.remove()
        self._placed, self._frames = [], []
        self._path.visible = False
        self._say("No poses are placed.")

    def _first(self) -> Array:
        if not self._placed:
            raise BadOption("place a pose first: drag the gizmo there and press Place, then drag it back")
        return self._placed[0]

    def _make(self, call: Callable[[], motions.Made]) -> None:
        desk, said = self._desk, ""

        def make() -> None:
            nonlocal said
            made = call()
            said = made.why
            desk.session.take_clip(made.clip)
            points = made.clip.forward(desk.tip)[:, :3, 3]
            if len(points) > 1:
                self._path.points = np.stack([points[:-1], points[1:]], 1).astype(np.float32)
                self._path.visible = True

        if desk.act(make):
            self._say(said)

    def _say(self, text: str) -> None:
        self._about.content = (
            f'<div data-limbik="motion" style="font-size:.78rem;padding:.2rem .6rem">{escape(text)}</div>'
        )

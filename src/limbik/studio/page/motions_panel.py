"""Predefined motions: flexion and abduction of the thesis, a line, a circle, and placed poses."""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, LimbikError
from limbik.geometry.arrays import Array
from limbik.studio import drawn, motions
from limbik.studio.limbs import limb_of
from limbik.studio.page.colours import GREEN
from limbik.studio.page.skin import size_of
from limbik.studio.page.turning import quaternions

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The radius of a drawn circle, as a fraction of the limb's reach.
RADIUS = 0.08


class MotionsPanel:
    """Buttons that generate a motion of the chosen tip, and the path of the tip."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self._placed: list[Array] = []
        far = "Distance of the tip per frame along each axis, in percent of the limb's length"
        share = round(100 * motions.STEP_SHARE, 3)
        self._step = gui.add_number("Step [%]", share, min=0.001, max=100.0, step=0.001, hint=far)
        thesis = gui.add_button_group("Thesis", ("Flexion", "Abduction"), hint="Up and forward; up and sideways")
        self._seconds = gui.add_number(
            "Seconds", 2.0, min=0.1, max=60.0, step=0.1, hint="Duration of each part of a path"
        )
        draw = gui.add_button_group(
            "Draw", ("Line", "Circle"), hint="A line to the first placed pose; a vertical circle"
        )
        poses = gui.add_button_group(
            "Poses", ("Place", "Go", "Clear"), hint="Place poses with the gizmo, then move through them"
        )
        self._jumps = gui.add_checkbox(
            "Jumps",
            False,
            hint="Continue from another posture if no smooth motion exists; otherwise the motion ends there",
        )
        self._verbs: dict[str, Callable[[], None]] = {
            "Flexion": self._flexion, "Abduction": self._abduction, "Line": self._line, "Circle": self._circle,
            "Place": self._place, "Go": self._go, "Clear": self._clear,
        }  # fmt: skip
        for group in (thesis, draw, poses):
            group.on_click(self._pressed)
        self._about = gui.add_html("")
        self._path = desk.scene.add_line_segments(
            "/base/path", points=np.zeros((1, 2, 3), np.float32), colors=GREEN, line_width=3.0, visible=False
        )
        self._frames: list[Any] = []
        self._say("No poses are placed.")

    def refresh(self, live: bool) -> None:
        """Do nothing: the panel does not depend on the session."""

    def _pressed(self, event: Any) -> None:  # in its own thread: a path may take a second
        verb = self._verbs.get(event.target.value)  # the page may send a value that is no button
        if verb is not None:
            verb()

    def _flexion(self) -> None:
        self._make(lambda: motions.flexion(self._desk.session, self._desk.tip, self._length()))

    def _abduction(self) -> None:
        self._make(lambda: motions.abduction(self._desk.session, self._desk.tip, self._length()))

    def _length(self) -> float:
        """Return the step for the chosen tip [m]."""
        return float(self._step.value) / 100 * motions.limb_length(self._desk.session.robot, self._desk.tip)

    def _line(self) -> None:
        self._make(lambda: drawn.line(self._desk.session, self._desk.tip, self._first(), **self._how()))

    def _circle(self) -> None:
        session, tip = self._desk.session, self._desk.tip
        upward = "xyz".index(session.robot.model.mechanism.up)
        limb = limb_of(session.robot, tip)
        radius = RADIUS * size_of(session.robot if limb is None else limb.chain)
        centre = session.target(tip)[:3, 3] - radius * np.eye(3)[upward]
        axis = np.eye(3)[2 if upward == 1 else 0]
        self._make(lambda: drawn.circle(session, tip, centre, axis, **self._how()))

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
        count = len(self._placed)
        self._say("1 pose is placed." if count == 1 else f"{count} poses are placed.")

    def _go(self) -> None:
        session, tip = self._desk.session, self._desk.tip

        def through() -> motions.Made:
            self._first()
            return drawn.through(session, tip, self._placed, here=False, **self._how())

        self._make(through)

    def _how(self) -> dict[str, Any]:
        return {"seconds": self._seconds.value, "jumps": self._jumps.value}

    def _clear(self) -> None:
        for frame in self._frames:
            frame.remove()
        self._placed, self._frames = [], []
        self._path.visible = False
        self._say("No poses are placed.")

    def _first(self) -> Array:
        if not self._placed:
            raise BadOption("place a pose first: drag the gizmo there, press Place, and drag it back")
        return self._placed[0]

    def _make(self, call: Callable[[], motions.Made]) -> None:
        desk = self._desk
        session, tip = desk.session, desk.tip
        self._say("computing ...")
        try:
            made = call()
        except LimbikError as error:
            self._say(str(error))
            desk.notify("The motion failed", str(error))
            return
        if len(made.clip) < 2:  # no motion: keep the present keys
            self._say(made.why)
            return
        points = made.clip.forward(tip)[:, :3, 3]

        def take() -> None:
            session.take_clip(made.clip)
            self._path.visible = True
            self._path.points = np.stack([points[:-1], points[1:]], 1).astype(np.float32)

        if desk.session is session and desk.act(take):
            self._say(made.why)

    def _say(self, text: str) -> None:
        self._about.content = (
            f'<div data-limbik="motion" style="font-size:.78rem;padding:.2rem .6rem">{escape(text)}</div>'
        )

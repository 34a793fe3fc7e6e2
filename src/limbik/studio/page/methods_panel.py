"""Traces of methods: choose one and watch its iterations on a pale robot, with the error."""

import asyncio
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import LimbikError
from limbik.solvers.registry import METHODS
from limbik.studio.at_work import WATCHABLE, Watched, watch
from limbik.studio.page.body import Body
from limbik.studio.page.chart import chart
from limbik.studio.page.colours import WATCHED
from limbik.studio.rest import rest_of
from limbik.studio.session import Session

if TYPE_CHECKING:
    from limbik.studio.page.desk import Desk

# The time to play a whole trace, and the shortest time of a step [s].
SECONDS, FASTEST = 6.0, 1 / 20
FROM = ("rest posture", "random posture")


class MethodsPanel:
    """The trace of a method, and the shown step."""

    def __init__(self, desk: "Desk") -> None:
        self._desk, gui = desk, desk.client.gui
        self._trace: Watched | None = None
        self._body: Body | None = None
        self._trail: Any = None
        self._task: Any = None
        self._draws = 0
        self._method = gui.add_dropdown("Method", WATCHABLE, initial_value="ccd", hint="Iterative methods")
        self._from = gui.add_dropdown("From", FROM, hint="Start posture; the target is the gizmo")
        gui.add_button_group("Trace", ("Watch", "Clear"), hint="Show every iteration").on_click(self._pressed)
        self._step = gui.add_slider("Step", 0, 1, 1, 0, hint="Select an iteration", visible=False)
        self._step.on_update(self._scrub)
        self._about = gui.add_html("")
        self._describe()
        self._method.on_update(self._chosen)

    def refresh(self, live: bool) -> None:
        """Do nothing: a trace does not change with the session."""

    async def _chosen(self, _: Any) -> None:
        self._describe()

    def _describe(self) -> None:
        row = METHODS[self._method.value]
        self._about.content = _box(f"<b>{escape(row.name)}</b>: {escape(row.title)}.")

    def _pressed(self, event: Any) -> None:
        if event.target.value == "Clear":
            self._clear()
            return
        try:
            trace = self.trace(self._method.value)
        except LimbikError as error:
            self._desk.notify("This method cannot be traced here", str(error))
            return
        asyncio.run_coroutine_threadsafe(self._play(trace), self._desk.client.gui._event_loop)

    def trace(self, method: str) -> Watched:
        """Return the trace of a method from the chosen start to the gizmo. Raises BadOption."""
        desk = self._desk
        session, tip = desk.session, desk.tip
        begin = Session(session.robot, session.q)
        if self._from.value == FROM[1]:
            self._draws += 1
            begin.random(self._draws)
        else:
            begin.set_q(rest_of(session.robot))
        T = tuple(tuple(row) for row in session.target(tip).tolist())
        begin.take_state(replace(begin.state, targets={tip: T}, limits=session.state.limits))
        return watch(begin, tip, method)

    async def _play(self, trace: Watched) -> None:
        self.show(trace)
        me = self._task = asyncio.current_task()
        pause = max(SECONDS / max(len(trace), 1), FASTEST)
        stride = max(1, round(len(trace) * FASTEST / SECONDS))
        for step in [*range(0, len(trace), stride), len(trace) - 1]:
            if self._task is not me or self._desk.closed or self._trace is not trace:
                return
            self._step.value = step
            self._go(step)
            await asyncio.sleep(pause)

    def show(self, trace: Watched) -> None:
        """Draw a trace, starting with its first step."""
        desk = self._desk
        with desk.lock, desk.client.atomic():
            self._clear()
            self._trace = trace
            scene = desk.scene
            frames = desk.limb_frames(desk.tip)
            self._body = Body(scene, "watched", desk.session.robot, desk.sticks, (WATCHED, WATCHED), frames=frames)
            points = desk.session.robot.forward(trace.q, desk.tip)[:, :3, 3]
            if len(points) > 1:
                pairs = np.stack([points[:-1], points[1:]], 1).astype(np.float32)
                self._trail = scene.add_line_segments(
                    "/base/watched/trail", points=pairs, colors=WATCHED, line_width=2.5
                )
            self._step.max = max(len(trace) - 1, 1)
            self._step.visible = True
            self._go(0)

    def _go(self, step: int) -> None:
        trace = self._trace
        if trace is None or self._body is None:
            return
        step = min(step, len(trace) - 1)
        with self._desk.lock, self._desk.client.atomic():
            self._body.move(trace.q[step])
            picture = chart(
                trace.steps,
                [("position [mm]", 1000 * trace.position_error), ("rotation [deg]", np.degrees(trace.rotation_error))],
                unit="error", along="steps", logarithmic=True, at=float(trace.steps[step]),
            )  # fmt: skip
            now = f"step {int(trace.steps[step])}: {1000 * trace.position_error[step]:.4g} mm away"
            self._about.content = _box(f"{escape(trace.why)}<br><b>{now}</b>") + picture

    async def _scrub(self, event: Any) -> None:
        if event.client is not None:
            self._task = None
            self._go(int(event.target.value))

    def _clear(self) -> None:
        self._task = self._trace = None
        for thing in (self._body, self._trail):
            if thing is not None:
                thing.remove()
        self._body = self._trail = None
        self._step.visible = False
        self._describe()


def _box(text: str) -> str:
    return f'<div data-limbik="method" style="font-size:.78rem;line-height:1.4;padding:.2rem .6rem">{text}</div>'

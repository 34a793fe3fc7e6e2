"""A desk: the session and the page of one browser.

`act` calls a method of the session for an event, and `refresh` shows the new state. During a drag the scene is updated at every
event, the panels a few times per second and once when the drag pauses.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from time import monotonic
from typing import Any, Protocol

from limbik.errors import LimbikError
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.limbs import limb_of
from limbik.studio.page.body import Body
from limbik.studio.page.colours import SHORT
from limbik.studio.page.debounce import Debounce
from limbik.studio.page.gizmos import Gizmos
from limbik.studio.page.limit_marks import LimitMarks
from limbik.studio.page.rooted import Rooted
from limbik.studio.page.shortfall import Shortfall
from limbik.studio.page.skin import bones, skin
from limbik.studio.page.solids import Solid
from limbik.studio.page.stage import Stage
from limbik.studio.page.status_line import StatusLine
from limbik.studio.session import Session

# Moves of one slider within this time of each other are one step of undo [s].
ONE_GESTURE = 0.8

# The scene's folders that are hidden in pictures.
AIDS = tuple(
    f"/base/{name}"
    for name in (
        *("gizmo", "tip", "ghosts", "limits", "shortfall", "onion", "path", "placed", "pole", "look"),
        *("cells", "cell", "arc"),
    )
)


class Panel(Protocol):
    """A part of the page that shows the session."""

    def refresh(self, live: bool) -> None:
        """Show the state of the session. live: something is being dragged, so expensive parts may wait."""


class Desk:
    """The session, scene and panels of one browser."""

    reach: Any
    timeline: Any
    methods: Any
    files: Any
    tour: Any

    def __init__(self, client: Any, session: Session, meshes: Mapping[str, Solid] | None = None) -> None:
        self.client = client
        self.lock = threading.RLock()
        self.closed = False
        self._set_ups = 0
        self._gesture, self._gesture_time = "", 0.0
        self._debounce = Debounce(client.gui._event_loop, self._update_panels)
        self.panels: list[Panel] = []
        self.set_up(session, meshes)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def set_up(self, session: Session, meshes: Mapping[str, Solid] | None = None) -> None:
        """Clear the page and build it for a session."""
        from limbik.studio.page.panels import add_panels

        with self.lock, self.client.atomic():
            client = self.client
            client.scene.reset()
            client.gui.reset()
            client.scene.configure_default_lights(enabled=False)
            client.scene.configure_environment_map(hdri=None)
            self._set_ups += 1
            self.scene = Rooted(client.scene, f"/{self._set_ups}")
            self.session, self.tip = session, session.tips[0]
            robot = session.robot
            self.parts, self.sticks = skin(robot, meshes), bones(robot)
            self.stage = Stage(client.camera, self.scene, robot, self.parts, session.q)
            self.body = Body(self.scene, "robot", robot, self.parts)
            self.marks = LimitMarks(self.scene, robot)
            self.shortfall = Shortfall(self.scene)
            self.gizmos = Gizmos(self)
            self.status = StatusLine(client.gui, robot.model.mechanism.title or robot.name)
            self.panels = []
            add_panels(self)
            self.refresh()

    def open(
        self, robot: Chain | Skeleton, clip: Clip | None = None, meshes: Mapping[str, Solid] | None = None
    ) -> None:
        """Start a new session with another robot or figure, and its motion."""
        session = Session(robot)
        if clip is not None:
            session.take_clip(clip)
        self.set_up(session, meshes)

    def refresh(self, live: bool = False) -> None:
        """Show the state of the session, in one message."""
        with self.lock, self.client.atomic():
            session, report = self.session, self.session.report
            self.body.move(session.q)
            missing = report.status is not None and not report.ok
            self.body.tint(SHORT if missing else None, self.limb_frames(self.tip))
            report = replace(report, at_limit=self._own(report.at_limit))
            self.marks.show(session.q, report.at_limit)
            T = session.robot.forward(session.q, self.tip)
            if missing and self.tip in session.state.targets:
                self.shortfall.show(
                    T[:3, 3], session.target(self.tip)[:3, 3], f"{1000 * report.position_error:.0f} mm short"
                )
            else:
                self.shortfall.hide()
            self.gizmos.refresh()
            self.status.show(report)
            due = not live or self._debounce.due()
            for panel in self.panels:
                if due or getattr(panel, "always", False):
                    panel.refresh(live)
        self.client.flush()
        if live:
            self._debounce.moved()
        else:
            self._debounce.shown()

    @property
    def up_to_date(self) -> bool:
        """Whether every panel shows the state of the session."""
        return not self._debounce.behind

    def _update_panels(self) -> None:
        if not self.closed:
            self.refresh()

    # ---- what is done ------------------------------------------------------------------------------------------------

    def act(self, verb: Callable[[], object], gesture: str = "", live: bool = False, held: bool = False) -> bool:
        """Perform an action on the session and show the result or its error.

        gesture: actions of one gesture that follow each other quickly, or while it is `held`, are one step of undo. live: the
        panels may be updated later. Return whether the action succeeded.
        """
        with self.lock:
            if self.closed:
                return False
            self._continue(gesture, held)
            try:
                verb()
            except LimbikError as error:
                self.notify("This action failed", str(error))
                self.refresh()
                return False
            self.refresh(live)
            return True

    def drag(self, frame: str, T: Any, phase: str) -> None:
        """Follow a gizmo: "start", "update" or "end"."""
        with self.lock:
            if phase == "start":
                self.gizmos.dragged, self.tip = frame, frame
                self._continue(f"drag {frame}", held=True)
                return
            if phase == "update":
                self.act(lambda: self.session.drag(frame, T), f"drag {frame}", live=True, held=True)
                return
            self.gizmos.dragged = None
            self._continue("")
            self.refresh()

    def choose_tip(self, frame: str) -> None:
        """Select another tip."""
        with self.lock:
            self.tip = frame
            self.refresh()

    def notify(self, title: str, text: str, seconds: float | None = 8.0) -> None:
        """Show a notification in a corner of the page."""
        self.client.add_notification(title, text, auto_close_seconds=seconds)

    def bare(self, on: bool) -> None:
        """Show only the robot, for pictures, or everything again."""
        with self.lock:
            hidden = [node for name in AIDS if (node := self.scene.find(name)) is not None]
            for node in hidden:
                node.visible = not on
            if not on:
                self.refresh()
        self.client.flush()

    def limb_frames(self, frame: str) -> frozenset[str]:
        """Return the frames that move with the limb which ends in a frame."""
        return moved_frames(self.session.robot, frame)

    def _own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of some joint values that belong to the limb of the chosen tip."""
        limb = limb_of(self.session.robot, self.tip)
        return names if limb is None else tuple(name for name in names if name in limb.chain.joint_names)

    def _continue(self, gesture: str, held: bool = False) -> None:
        """Continue a gesture, or end it and start another one. held: it lasts until another action."""
        now = monotonic()
        same = gesture and gesture == self._gesture and (held or now - self._gesture_time <= ONE_GESTURE)
        if not same:
            self.session.end_drag()
            if gesture:
                self.session.begin_drag()
        self._gesture, self._gesture_time = gesture, now


@lru_cache(maxsize=256)
def moved_frames(robot: Chain | Skeleton, frame: str) -> frozenset[str]:
    """Return the frames that the joints of a limb move."""
    limb = limb_of(robot, frame)
    if limb is None:
        return frozenset(robot.frames)
    own = set(limb.chain.joint_names)
    mechanism = robot.model.mechanism
    return frozenset(name for name in robot.frames if any(joint.name in own for joint in mechanism.ancestry(name)))

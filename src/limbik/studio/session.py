"""A session: the work of one user on one robot or figure, with all state; it does not depend on the page.

Every method records a new `State` for undo; a drag from `begin_drag` to `end_drag` is one step. A lock serialises calls
from several threads. An unreachable target is not an error: the closest posture is shown, and `report` gives the distance and the
reason.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, UnknownJoint, shown, suggest
from limbik.geometry.arrays import Array, number, vector
from limbik.geometry.se3 import as_pose
from limbik.goals.orientation import Orientation
from limbik.goals.position import Position
from limbik.motion.clip import Clip
from limbik.motion.validation import checked_finite
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.solvers.registry import METHODS
from limbik.solvers.table.finder import POSE_JOINTS
from limbik.studio.keyed import scrubbed, with_clip
from limbik.studio.limbs import MovedLimb, limb_of, tips_of
from limbik.studio.recorded import HELD, Recorded, pinned_targets
from limbik.studio.report import Report, at_limits
from limbik.studio.rest import rest_of
from limbik.studio.state import Matrix, State
from limbik.studio.timeline import checked_time
from limbik.studio.validation import apart, goals_of


class Session:
    """The operations of the studio on a robot: sliders, gizmos, pins, branches, keys, undo."""

    def __init__(self, robot: Chain | Skeleton, q: Any = None) -> None:
        if not isinstance(robot, Chain | Skeleton):
            raise BadOption(f"a session needs a Chain or Skeleton, not {shown(robot)}; load one with limbik.load")
        self._robot = robot
        self._past = Recorded(robot, rest_of(robot) if q is None else robot.clamp(q))

    # ---- what is shown -----------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Chain | Skeleton:
        """The robot or figure of the session."""
        return self._robot

    @property
    def state(self) -> State:
        """The state that undo restores."""
        return self._past.state

    @property
    def report(self) -> Report:
        """The outcome of the last action."""
        return self._past.report

    @property
    def q(self) -> Array:
        """The posture, (n,)."""
        return self._past.q

    @property
    def tips(self) -> tuple[str, ...]:
        """The frames that have a gizmo."""
        return tips_of(self._robot)

    def target(self, frame: str) -> Array:
        """Return the pose of a frame's gizmo, (4, 4): the dragged one, else that of the frame."""
        given = self.state.targets.get(frame)
        return self._robot.forward(self.q, frame) if given is None else np.array(given)

    # ---- forward: sliders --------------------------------------------------------------------------------------------

    def set_joint(self, name: str, value: Any) -> None:
        """Set one joint value [rad or m], clipped to its limits while they are on. Raises UnknownJoint, NotNumeric, NotFinite."""
        names = self._robot.joint_names
        if name not in names:
            raise UnknownJoint(f"no joint value {shown(name)} in '{self._robot.name}'; {suggest(name, names)}")
        q = self.q
        q[names.index(name)] = checked_finite(value, f"the value of '{name}'")
        self._set_posture(f"move {name}", q)

    def set_q(self, q: Any, what: str = "set the posture") -> None:
        """Set the whole posture, clipped to the limits while they are on."""
        self._set_posture(what, self._robot.clamp(q) if self.state.limits else np.array(q, float))

    def reset(self) -> None:
        """Return to the rest posture."""
        self._set_posture("reset", rest_of(self._robot))

    def random(self, seed: int | None = None) -> None:
        """Take a random posture inside the limits; floating joints keep their values."""
        q = self._robot.sample(np.random.default_rng(seed))
        for k, name in enumerate(self._robot.joint_names):
            if (
                name.rpartition(".")[2] in ("px", "py", "pz")
                or f"{name.rpartition('.')[0]}.px" in self._robot.joint_names
            ):
                q[k] = self.state.q[k]
        self._set_posture("random posture", q)

    # ---- inverse: gizmos ---------------------------------------------------------------------------------------------

    def begin_drag(self) -> None:
        """Make all changes until `end_drag` one step of undo."""
        self._past.begin()

    def end_drag(self) -> None:
        """End a drag."""
        self._past.end()

    def drag(self, frame: str, T: Any) -> Report:
        """Move a frame's gizmo to a pose; the robot follows as closely as possible. Raises NotRigid, UnknownFrame."""
        with self._past.lock:
            goal = as_pose(T, "the target")
            self._robot.forward(self.q, frame)  # raises UnknownFrame
            targets = dict(self.state.targets) | {frame: _matrix(goal)}
            return self._follow(f"drag {frame}", replace(self.state, targets=targets), frame)

    def choose(self, frame: str, q: Any, what: str = "choose a posture") -> Report:
        """Take another posture that holds a frame at its gizmo; verify it, and leave the gizmo in place."""
        with self._past.lock:
            posture = self._robot.clamp(q) if self.state.limits else np.array(self._robot.model.kernel.checked(q))
            T = self.target(frame)
            position, rotation = apart(self._robot, posture, frame, T)
            held = position <= HELD * max(1.0, self._robot.reach) and rotation <= HELD
            targets = dict(self.state.targets) | {frame: _matrix(T)}
            state = replace(self.state, q=tuple(posture.tolist()), targets=targets)
            status, why = (Status.SOLVED, what) if held else (Status.NOT_FOUND, f"{what}: it does not reach the target")
            report = Report(held, status, why, position, rotation, at_limits(self._robot, posture))
            return self._past.report_on(what, state, report)

    def look(self, frame: str, point: Any) -> Report:
        """Aim the z axis of a frame at a point [m]; None ends it."""
        with self._past.lock:
            points = {k: v for k, v in self.state.look_at.items() if k != frame}
            if point is not None:
                x, y, z = vector(point, "the point to look at").tolist()
                points[frame] = (x, y, z)
            return self._follow(f"look at, {frame}", replace(self.state, look_at=points), None)

    def pin(self, frame: str, position: float = 1.0, rotation: float = 1.0) -> None:
        """Keep a frame where it is while others are dragged, with these weights of position and rotation."""
        with self._past.lock:
            weights = number(position, "the position weight"), number(rotation, "the rotation weight")
            if min(weights) < 0 or max(weights) <= 0 or not np.isfinite(weights).all():
                raise BadOption(f"a pin needs weights of 0 or more, one of them above 0; got {weights}")
            targets = dict(self.state.targets) | {frame: _matrix(self.target(frame))}
            pins = dict(self.state.pins) | {frame: weights}
            self._past.record(f"pin {frame}", replace(self.state, targets=targets, pins=pins))

    def unpin(self, frame: str) -> None:
        """Remove the pin of a frame."""
        with self._past.lock:
            pins = {k: v for k, v in self.state.pins.items() if k != frame}
            targets = {k: v for k, v in self.state.targets.items() if k != frame}
            self._past.record(f"unpin {frame}", replace(self.state, targets=targets, pins=pins))

    def set_method(self, method: str | None) -> None:
        """Choose the method, None for the default. Raises BadOption."""
        if method is not None and method not in METHODS:
            raise BadOption(f"method={shown(method)} is not known; {suggest(str(method), METHODS)}")
        self._past.record("choose the method", replace(self.state, method=method))

    def set_limits(self, on: bool) -> None:
        """Switch the joint limits on or off."""
        self._past.record("switch the limits", replace(self.state, limits=bool(on)))

    def take_state(self, state: State, what: str = "open a project") -> None:
        """Replace the whole state, for example by that of a project."""
        if not isinstance(state, State) or len(state.q) != self._robot.n:
            raise BadOption(f"expected a State of '{self._robot.name}', not {shown(state)}")
        self._past.record(what, state, reassess=True)

    # ---- time: keys and the playhead ---------------------------------------------------------------------------------

    def set_key(self, time: Any = None) -> None:
        """Set a key with the present posture at a time [s], by default that of the playhead."""
        at = self.state.time if time is None else checked_time(time)
        timeline = self.state.timeline.with_key(at, self.q)
        self._past.record("set a key", replace(self.state, timeline=timeline, time=at))

    def delete_key(self, time: Any = None) -> None:
        """Delete the key at a time."""
        at = self.state.time if time is None else time
        self._past.record("delete a key", replace(self.state, timeline=self.state.timeline.without_key(at)))

    def move_key(self, time: Any, to: Any) -> None:
        """Move the key at a time to another."""
        self._past.record("move a key", replace(self.state, timeline=self.state.timeline.moved(time, to)))

    def fill(self, interpolation: str) -> None:
        """Choose the interpolation between keys: "step", "linear" or "cubic"."""
        timeline = self.state.timeline.filled(interpolation)
        self._past.record("choose the interpolation", replace(self.state, timeline=timeline))

    def scrub(self, time: Any) -> None:
        """Move the playhead; if the timeline has keys, take its posture."""
        with self._past.lock:
            self._past.record("move the playhead", scrubbed(self._robot, self.state, time), reassess=True)

    def clip(self) -> Clip:
        """Return the keys as a clip. Raises BadOption if there are none."""
        return self.state.timeline.clip(self._robot)

    def take_clip(self, clip: Clip, most: int = 2000) -> None:
        """Replace the keys by a clip of this robot, thinned to at most `most` frames. Raises BadOption."""
        self._past.record("take a clip", with_clip(self._robot, self.state, clip, most), reassess=True)

    # ---- undo --------------------------------------------------------------------------------------------------------

    def undo(self) -> str | None:
        """Undo the last step; return its name, None if there is none."""
        return self._past.undo()

    def redo(self) -> str | None:
        """Redo the last undone step; return its name, None if there is none."""
        return self._past.redo()

    @property
    def undoable(self) -> str | None:
        """The name of the step that `undo` would undo, None if there is none."""
        return self._past.undoable

    @property
    def redoable(self) -> str | None:
        """The name of the step that `redo` would redo, None if there is none."""
        return self._past.redoable

    # ---- how ---------------------------------------------------------------------------------------------------------

    def _set_posture(self, what: str, q: Array) -> None:
        with self._past.lock:
            if self.state.limits:
                q = self._robot.clamp(q)
            state = replace(self.state, q=tuple(q.tolist()))
            report = Report(True, None, what, at_limit=at_limits(self._robot, q))
            self._past.report_on(what, replace(state, targets=pinned_targets(state)), report)

    def _follow(self, what: str, state: State, dragged: str | None) -> Report:
        """Solve the goals of the state from the present posture, and record the result."""
        seed = self.q
        goals = goals_of(state, dragged)
        limb = None if dragged is None or len(goals) > 1 else limb_of(self._robot, dragged)
        if limb is not None and dragged is not None:
            T = limb.seen(self._robot, seed, np.array(state.targets[dragged]))
            answer = limb.chain.solve(T, seed=limb.part(seed), method=state.method, limits=state.limits)
            if not answer.ok and limb.chain.n < POSE_JOINTS and state.method is None:
                return self._follow_position(what, state, dragged, limb)
            q = limb.put(seed, answer.q)
            report = Report(answer.ok, Status(answer.status), answer.why, answer.position_error, answer.rotation_error)
        elif goals:
            several = self._robot.solve(goals, seed=seed, limits=state.limits)
            q = np.array(several.q)
            away = (0.0, 0.0) if dragged is None else apart(self._robot, q, dragged, np.array(state.targets[dragged]))
            report = Report(several.ok, Status(several.status), several.why, *away)
        else:
            q, report = seed, Report(True, None, "no target")
        report = replace(report, at_limit=at_limits(self._robot, np.asarray(q)))
        return self._past.report_on(what, replace(state, q=tuple(np.asarray(q).tolist())), report)

    def _follow_position(self, what: str, state: State, frame: str, limb: MovedLimb) -> Report:
        """Move a limb with too few joints for a pose to a position; its orientation is a secondary objective."""
        seed, T = self.q, np.array(state.targets[frame])
        here = limb.seen(self._robot, seed, T)
        goals = [Position(frame, here[:3, 3]), Orientation(frame, here[:3, :3], tolerance=math.inf, priority=1)]
        answer = limb.chain.solve(goals, seed=limb.part(seed), limits=state.limits)
        q = limb.put(seed, answer.q)
        reached = self._robot.forward(q, frame)
        away = float(np.linalg.norm(reached[:3, 3] - T[:3, 3]))
        T[:3, :3] = reached[:3, :3]
        if answer.ok:  # the exact pose, so that all its postures are found
            T = reached
        targets = dict(state.targets) | {frame: _matrix(T)}
        why = f"{answer.why}; {limb.chain.n} joints set its position, its orientation is a secondary objective"
        report = Report(answer.ok, Status(answer.status), why, away, 0.0, at_limits(self._robot, q))
        return self._past.report_on(what, replace(state, q=tuple(q.tolist()), targets=targets), report)


def _matrix(T: Array) -> Matrix:
    return tuple(tuple(row) for row in np.asarray(T).tolist())

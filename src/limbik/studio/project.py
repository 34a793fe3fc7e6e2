"""Project files: the state of a session as JSON, checked entry by entry when it is read."""

import json
import math
from typing import Any

import numpy as np

from limbik.errors import BadFile, LimbikError, shown
from limbik.geometry.arrays import vector
from limbik.geometry.se3 import as_pose
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.solvers.registry import METHODS
from limbik.studio.session import Session
from limbik.studio.state import State
from limbik.studio.timeline import Timeline, checked_time

VERSION = 1
# The largest project that is read [bytes]: twice that of an hour of keys, 10 per second, for a figure with 60 joint values.
LARGEST = 64 * 2**20


def to_project(session: Session) -> bytes:
    """Return the project of a session: its state and its robot, without the steps of undo."""
    state, robot = session.state, session.robot
    content = {
        "limbik_project": VERSION,
        "robot": {"name": robot.name, "fingerprint": robot.fingerprint, "joints": list(robot.joint_names)},
        "q": list(state.q),
        "targets": {frame: [list(row) for row in T] for frame, T in state.targets.items()},
        "pins": {frame: list(weights) for frame, weights in state.pins.items()},
        "look_at": {frame: list(point) for frame, point in state.look_at.items()},
        "method": state.method,
        "limits": state.limits,
        "time": state.time,
        "timeline": {
            "times": list(state.timeline.times),
            "postures": [list(row) for row in state.timeline.postures],
            "interpolation": state.timeline.interpolation,
        },
    }
    return json.dumps(content, indent=1).encode()


def from_project(content: bytes, robot: Chain | Skeleton) -> State:
    """Return the state of a project for the same robot. Raises BadFile with the reason."""
    if len(content) > LARGEST:
        raise BadFile(f"the project has {len(content) / 2**20:.0f} MB; the limit is {LARGEST // 2**20} MB")
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadFile(f"this is not a limbik project: it is not JSON ({str(error)[:80]})") from None
    if not isinstance(data, dict) or "limbik_project" not in data:
        raise BadFile("this is not a limbik project: it has no entry 'limbik_project'")
    if data["limbik_project"] != VERSION:
        raise BadFile(f"this project has the version {shown(data['limbik_project'])}; this limbik reads {VERSION}")
    made_for = _entry(data, "robot", dict)
    if made_for.get("fingerprint") != robot.fingerprint:
        raise BadFile(
            f"this project was made with {shown(made_for.get('name'))}, and this is '{robot.name}'; open that robot first"
        )
    try:
        return _state(data, robot)
    except LimbikError as error:
        raise BadFile(f"the project is broken: {error}") from None
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise BadFile(f"the project is broken: {str(error)[:120]}") from None


def _state(data: dict[str, Any], robot: Chain | Skeleton) -> State:
    targets = {_frame(f, robot): as_pose(T, f"the target of '{f}'") for f, T in _entry(data, "targets", dict).items()}
    pins = {_frame(f, robot): _weights(w) for f, w in _entry(data, "pins", dict).items()}
    look_at = {
        _frame(f, robot): vector(p, "a point to look at").tolist() for f, p in _entry(data, "look_at", dict).items()
    }
    keys = _entry(data, "timeline", dict)
    timeline = Timeline().filled(keys["interpolation"])
    if len(keys["times"]) != len(keys["postures"]):
        raise BadFile(f"{len(keys['times'])} times and {len(keys['postures'])} postures do not match")
    for time, posture in zip(keys["times"], keys["postures"], strict=True):
        timeline = timeline.with_key(time, _posture(posture, robot))
    method = data.get("method")
    if method is not None and method not in METHODS:
        raise BadFile(f"unknown method {shown(method)}")
    return State(
        q=tuple(_posture(_entry(data, "q", list), robot).tolist()),
        targets={f: tuple(tuple(row) for row in T.tolist()) for f, T in targets.items()},
        pins=pins,
        look_at={f: (p[0], p[1], p[2]) for f, p in look_at.items()},
        method=method,
        limits=bool(_entry(data, "limits", bool)),
        time=checked_time(data.get("time", 0.0)),
        timeline=timeline,
    )


def _entry(data: dict[str, Any], name: str, kind: type) -> Any:
    if not isinstance(data.get(name), kind):
        raise BadFile(f"the entry '{name}' is {shown(data.get(name))}")
    return data[name]


def _frame(name: Any, robot: Chain | Skeleton) -> str:
    if name not in robot.frames:
        raise BadFile(f"'{robot.name}' has no frame {shown(name)}")
    return str(name)


def _weights(given: Any) -> tuple[float, float]:
    position, rotation = (float(x) for x in given)
    if not all(math.isfinite(x) and x >= 0 for x in (position, rotation)):
        raise BadFile(f"a pin has the weights {shown(given)}")
    return position, rotation


def _posture(given: Any, robot: Chain | Skeleton) -> np.ndarray[Any, np.dtype[np.float64]]:
    q = np.array(given, float)
    if q.shape != (robot.n,) or not np.isfinite(q).all():
        raise BadFile(f"a posture of '{robot.name}' has {robot.n} finite numbers; got {shown(given)}")
    return q

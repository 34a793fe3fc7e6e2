"""Motions along a drawn path: a line, a circle, or placed poses, each a `Path` that the limb follows.

The postures are planned for the whole path at once, so that no joint reaches its limit halfway, and a circle ends in its first
posture if possible. If no smooth motion continues, the clip ends with the reason; with `jumps` it continues from another posture,
and the message gives the times.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number, vector
from limbik.geometry.se3 import as_pose
from limbik.motion.clip import Clip
from limbik.motion.follow.followed import Followed
from limbik.motion.path import Path
from limbik.motion.rate import DEFAULT_RATE
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.motions import MOST_FRAMES, Made
from limbik.studio.session import Session

# The largest distance between the present posture and the start of a motion [rad or m].
ELSEWHERE = 0.05
# The largest number of jumps whose times are listed.
NAMED = 4


def line(session: Session, frame: str, T: Any, seconds: Any = 2.0, *, jumps: bool = False) -> Made:
    """Move a frame on a line to a pose in a time [s], with constant angular velocity."""
    return through(session, frame, [as_pose(T, "the end of the line")], seconds, jumps=jumps)


def circle(session: Session, frame: str, centre: Any, axis: Any, seconds: Any = 4.0, *, jumps: bool = False) -> Made:
    """Move a frame once around an axis through a centre [m], with constant orientation, back to the start posture."""
    middle, along = vector(centre, "the circle's centre"), vector(axis, "the circle's axis")
    limb, T = _limb(session, frame), session.target(frame)
    base = limb.seen(session.robot, session.q, np.eye(4))
    path = Path.circle(T, middle, along).moved(base).with_duration(_seconds(seconds))
    return _followed(session, limb, "circle", path, closed=True, jumps=jumps)


def through(
    session: Session, frame: str, poses: Iterable[Any], seconds: Any = 2.0, *, here: bool = True, jumps: bool = False
) -> Made:
    """Move a frame through placed poses along straight lines, `seconds` for each. here: start at the gizmo."""
    waypoints = [as_pose(T, "a placed pose") for T in poses]
    if here or len(waypoints) == 1:
        waypoints = [session.target(frame), *waypoints]
    if len(waypoints) < 2:
        raise BadOption("place at least one pose to move to")
    limb, parts = _limb(session, frame), len(waypoints) - 1
    _seconds(parts * _seconds(seconds))
    seen = np.array([limb.seen(session.robot, session.q, T) for T in waypoints])
    path = Path.through(seen, times=np.arange(parts + 1) * _seconds(seconds))
    return _followed(session, limb, "line" if parts == 1 else "path", path, closed=False, jumps=jumps)


def _followed(session: Session, limb: MovedLimb, name: str, path: Path, *, closed: bool, jumps: bool) -> Made:
    q = session.q
    found = limb.chain.follow(
        path, seed=limb.part(q), rate=DEFAULT_RATE, limits=session.state.limits, closed=closed,
        jumps="allow" if jumps else "refuse",
    )  # fmt: skip
    clip = Clip(session.robot, limb.put(q, found.q), np.array(found.times))
    return Made(
        clip, bool(found.ok), f"{name}: {_words(found, limb.chain.model.difference(limb.part(q), found.q[0]), path)}"
    )


def _words(found: Followed, apart: Array, path: Path) -> str:
    """Return the outcome of the whole motion as text."""
    sentences = ["complete" if found.ok and not found.jumps else found.why]
    if found.jumps:
        times = [f"{found.times[k]:.2f} s" for k in found.jumps[:NAMED]]
        more = f" and {len(found.jumps) - NAMED} more" if len(found.jumps) > NAMED else ""
        sentences.append(f"it jumps at {', '.join(times)}{more}")
    if found.ok and float(np.abs(apart).max()) > ELSEWHERE:
        sentences.append("it starts in another posture, from which the whole path can be followed")
    if found.ok and found.duration > path.duration * (1 + 1e-6):
        sentences.append(f"the joint velocity limits extend it to {found.duration:.2f} s")
    return "; ".join(sentences)


def _limb(session: Session, frame: str) -> MovedLimb:
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption(f"'{frame}' is not the end of a limb; choose another tip")
    return limb


def _seconds(given: Any) -> float:
    time = number(given, "the time")
    if not 0 < time <= MOST_FRAMES / DEFAULT_RATE:
        raise BadOption(f"seconds={shown(given)}: give a time above 0 and at most {MOST_FRAMES / DEFAULT_RATE:.0f} s")
    return float(time)

"""Motions at the touch of a button: flexion and abduction of the thesis, straight lines, circles, a way through placed poses.

The Human Arm Animator (Chin, section 6.5.2) moves the hand by the same small step every frame and holds its orientation: up
and forward for flexion, up and sideways for abduction. Each frame takes the posture nearest the last. A motion ends where
there is none, or where only a leap would lead on, and says so.
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.model.transform import Array, as_pose, inverse, number, rotation_about
from limbik.robot.chain import Chain
from limbik.robot.clip import DEFAULT_RATE, Clip
from limbik.robot.skeleton import Skeleton
from limbik.studio.limbs import limb_of
from limbik.studio.session import Session

# The thesis moves a hand by a quarter of a unit along two axes, on an arm of 22 units; this is that step on an arm of 0.6 m.
STEP = 0.0068
# No motion is longer than this many frames.
MOST_FRAMES = 5000
# A joint that turns by more in one frame leaps [rad]; an elbow that leaves the straight line turns by 0.7 in the first frame.
LEAP = 1.0

# For each upward axis: what is up, forward and to the left.
_AXES = {"y": ((0, 1, 0), (0, 0, 1), (1, 0, 0)), "z": ((0, 0, 1), (1, 0, 0), (0, 1, 0))}


@dataclass(frozen=True)
class Made:
    """A motion that was made: the clip, and a sentence about how it ended."""

    clip: Clip
    complete: bool
    why: str


def flexion(session: Session, frame: str, step: Any = STEP) -> Made:
    """Move a frame up and forward by `step` [m] along each axis and frame, as far as it goes."""
    up, forward, _ = _directions(session.robot)
    return _stepwise(session, frame, "flexion", number(step, "the step") * (up + forward))


def abduction(session: Session, frame: str, step: Any = STEP) -> Made:
    """Move a frame up and sideways, away from the middle, by `step` [m] along each axis and frame, as far as it goes."""
    up, _, left = _directions(session.robot)
    side = -left if "right" in frame.lower() else left
    return _stepwise(session, frame, "abduction", number(step, "the step") * (up + side))


def line(session: Session, frame: str, T: Any, seconds: Any = 2.0) -> Made:
    """Move a frame straight to a pose in a time [s], turning evenly on the way."""
    return through(session, frame, [as_pose(T, "the end of the line")], seconds)


def circle(session: Session, frame: str, centre: Any, axis: Any, seconds: Any = 4.0) -> Made:
    """Move a frame once around an axis through a centre [m], its orientation held."""
    middle, along = np.asarray(centre, float), np.asarray(axis, float)
    if middle.shape != (3,) or along.shape != (3,) or not np.isfinite([middle, along]).all() or not along.any():
        raise BadOption(f"a circle needs a centre and an axis of three numbers; got {shown(centre)} and {shown(axis)}")
    T = session.target(frame)
    arm = T[:3, 3] - middle
    arm = arm - along * (arm @ along) / (along @ along)
    if np.linalg.norm(arm) == 0:
        raise BadOption("the frame stands on the circle's axis: there is no circle to draw")
    poses = []
    for angle in np.linspace(0, 2 * np.pi, _frames(seconds) + 1)[1:]:
        pose = np.array(T)
        pose[:3, 3] += rotation_about(along, angle)[:3, :3] @ arm - arm
        poses.append(pose)
    return _follow(session, frame, "circle", poses)


def through(session: Session, frame: str, poses: Iterable[Any], seconds: Any = 2.0) -> Made:
    """Move a frame through placed poses, straight from one to the next, `seconds` for each part."""
    stations = [session.target(frame), *(as_pose(T, "a placed pose") for T in poses)]
    if len(stations) < 2:
        raise BadOption("place at least one pose to move to")
    count = _frames(seconds)
    if count * (len(stations) - 1) > MOST_FRAMES:
        raise BadOption(f"that is {count * (len(stations) - 1)} frames; at most {MOST_FRAMES} are made")
    way = []
    for a, b in itertools.pairwise(stations):
        turn = _rotation_vector((inverse(a) @ b)[:3, :3])
        for s in np.arange(1, count + 1) / count:
            pose = np.array(a)
            pose[:3, 3] += s * (b[:3, 3] - a[:3, 3])
            angle = float(np.linalg.norm(turn))
            if angle > 0:
                pose[:3, :3] = a[:3, :3] @ rotation_about(turn, s * angle)[:3, :3]
            way.append(pose if s < 1 else b)
    return _follow(session, frame, "line" if len(stations) == 2 else "way", way)


def _stepwise(session: Session, frame: str, name: str, step: Array) -> Made:
    if not np.isfinite(step).all() or not step.any():
        raise BadOption("the step must be a finite length that is not 0")
    T = session.target(frame)

    def poses() -> Iterable[Array]:
        for k in range(1, MOST_FRAMES + 1):
            pose = np.array(T)
            pose[:3, 3] += k * step
            yield pose

    return _follow(session, frame, name, poses())


def _follow(session: Session, frame: str, name: str, poses: Iterable[Array]) -> Made:
    """Follow poses from the present posture, each solved from the last, until one fails."""
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption(f"'{frame}' is moved by no limb of its own; choose the end of one")
    q = session.q
    part = limb.part(q)
    postures, why, complete = [q], f"{name}: complete", True
    for k, T in enumerate(poses, 1):
        answer = limb.chain.solve(limb.seen(session.robot, q, T), seed=part, limits=session.state.limits)
        leap = float(np.abs(limb.chain.difference(part, answer.q)).max()) if answer.ok else 0.0
        if not answer.ok or leap > LEAP:
            reason = answer.why if not answer.ok else f"a joint would leap by {np.degrees(leap):.0f} degrees"
            why, complete = f"{name}: ends after {k - 1} frames: {reason}", False
            break
        part = np.array(answer.q)
        postures.append(limb.put(q, part))
    return Made(Clip(session.robot, np.array(postures), rate=DEFAULT_RATE), complete, why)


def _frames(seconds: Any) -> int:
    time = number(seconds, "the time")
    if not 0 < time <= MOST_FRAMES / DEFAULT_RATE:
        raise BadOption(
            f"seconds={shown(seconds)}: a time above 0 and at most {MOST_FRAMES / DEFAULT_RATE:.0f} s is needed"
        )
    return max(round(time * DEFAULT_RATE), 1)


def _directions(robot: Chain | Skeleton) -> tuple[Array, Array, Array]:
    up, forward, left = _AXES[robot.mechanism.up]
    return np.array(up, float), np.array(forward, float), np.array(left, float)


def _rotation_vector(R: Array) -> Array:
    from limbik._core import pose_error

    T = np.eye(4)
    T[:3, :3] = R
    turn: Array = pose_error(np.eye(4), T)[3:]
    return turn

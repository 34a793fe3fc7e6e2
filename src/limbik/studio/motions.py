"""Predefined motions: flexion and abduction of the thesis. Lines, circles and placed poses are in drawn.py.

The Human Arm Animator (Chin, section 6.5.2) moves the hand by the same small step every frame and holds its orientation: up
and forward for flexion, up and sideways for abduction. Each frame takes the posture nearest the last. A motion ends where
there is none, or where only a leap would lead on, and says so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array, number
from limbik.motion.clip import Clip
from limbik.motion.rate import DEFAULT_RATE
from limbik.robot.chain import Chain
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
    """A generated motion: the clip, and its outcome in one sentence."""

    clip: Clip
    complete: bool
    why: str


def flexion(session: Session, frame: str, step: Any = STEP) -> Made:
    """Move a frame up and forward by `step` [m] along each axis and frame, as far as it goes."""
    up, forward, _ = directions(session.robot)
    return _stepwise(session, frame, "flexion", number(step, "the step") * (up + forward))


def abduction(session: Session, frame: str, step: Any = STEP) -> Made:
    """Move a frame up and sideways, away from the middle, by `step` [m] along each axis and frame, as far as it goes."""
    up, _, left = directions(session.robot)
    side = -left if "right" in frame.lower() else left
    return _stepwise(session, frame, "abduction", number(step, "the step") * (up + side))


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
        raise BadOption(f"'{frame}' is not the end of a limb; choose another tip")
    q = session.q
    part = limb.part(q)
    postures, why, complete = [q], f"{name}: complete", True
    for k, T in enumerate(poses, 1):
        answer = limb.chain.solve(limb.seen(session.robot, q, T), seed=part, limits=session.state.limits)
        leap = float(np.abs(limb.chain.model.difference(part, answer.q)).max()) if answer.ok else 0.0
        if not answer.ok or leap > LEAP:
            reason = answer.why if not answer.ok else f"a joint would jump by {np.degrees(leap):.0f} degrees"
            why, complete = f"{name}: ends after {k - 1} frames: {reason}", False
            break
        part = np.array(answer.q)
        postures.append(limb.put(q, part))
    return Made(Clip(session.robot, np.array(postures), rate=DEFAULT_RATE), complete, why)


def directions(robot: Chain | Skeleton) -> tuple[Array, Array, Array]:
    """Return the upward, forward and left directions of a robot, (3,) each."""
    up, forward, left = _AXES[robot.model.mechanism.up]
    return np.array(up, float), np.array(forward, float), np.array(left, float)

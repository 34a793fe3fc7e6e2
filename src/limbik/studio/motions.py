"""Predefined motions: flexion and abduction of the thesis. Lines, circles and placed poses are in drawn.py.

The Human Arm Animator (Chin, section 6.5.2) moves the hand by a constant small step per frame at constant orientation:
up and forward for flexion, up and sideways for abduction. Each frame takes the posture nearest to that of the frame
before. A motion ends where no posture exists, or where only a jump could continue it; `why` gives the reason.
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

# The default step per axis and frame [m]: five times the thesis' step (0.25 on an arm of 110 units), for an arm of 0.6 m.
STEP = 0.0068
# The largest number of frames of a motion.
MOST_FRAMES = 5000
# The joint rotation per frame above which a step is a jump [rad]; a straight elbow rotates by 0.7 in its first frame.
JUMP = 1.0

# The upward, forward and left directions, by the axis that points up.
_AXES = {"y": ((0, 1, 0), (0, 0, 1), (1, 0, 0)), "z": ((0, 0, 1), (1, 0, 0), (0, 1, 0))}


@dataclass(frozen=True)
class Made:
    """A generated motion: the clip, and its outcome in one sentence."""

    clip: Clip
    complete: bool
    why: str


def flexion(session: Session, frame: str, step: Any = STEP) -> Made:
    """Move a frame up and forward by `step` [m] per axis and frame, as far as possible."""
    up, forward, _ = directions(session.robot)
    return _stepwise(session, frame, "flexion", number(step, "the step") * (up + forward))


def abduction(session: Session, frame: str, step: Any = STEP) -> Made:
    """Move a frame up and sideways, away from the body, by `step` [m] per axis and frame, as far as possible."""
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
        jump = float(np.abs(limb.chain.model.difference(part, answer.q)).max()) if answer.ok else 0.0
        if not answer.ok or jump > JUMP:
            reason = answer.why if not answer.ok else f"a joint would jump by {np.degrees(jump):.0f} degrees"
            why, complete = f"{name}: ends after {k - 1} frames: {reason}", False
            break
        part = np.array(answer.q)
        postures.append(limb.put(q, part))
    return Made(Clip(session.robot, np.array(postures), rate=DEFAULT_RATE), complete, why)


def directions(robot: Chain | Skeleton) -> tuple[Array, Array, Array]:
    """Return the upward, forward and left directions of a robot, (3,) each."""
    up, forward, left = _AXES[robot.model.mechanism.up]
    return np.array(up, float), np.array(forward, float), np.array(left, float)

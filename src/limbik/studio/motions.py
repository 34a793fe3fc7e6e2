"""Predefined motions: flexion and abduction of the thesis. Lines, circles and placed poses are in drawn.py.

The Human Arm Animator (Chin, section 6.5.2) moves the hand by a constant small step per frame at constant orientation:
up and forward for flexion, up and sideways for abduction. Its step is 0.25 units along each axis, for an arm of 110 units.
Each frame takes the posture (configuration) nearest to that of the frame before. A motion ends where no posture exists, or where
only a jump could continue it. `why` gives the reason; if joint limits end it, it names them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array, number
from limbik.model.joint import Kind
from limbik.motion.clip import Clip
from limbik.motion.rate import DEFAULT_RATE
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.session import Session

# The thesis' step per axis and frame, as a fraction of the length of the arm: 0.25 of 110 units.
STEP_SHARE = 0.25 / 110.0
# A joint this far beyond a limit violates it [rad or m].
BEYOND = 1e-6
# The largest number of frames of a motion.
MOST_FRAMES = 5000
# The joint rotation per frame above which a step is a jump [rad]; a straight elbow rotates by 0.7 in its first frame.
JUMP = 1.0

# The upward, forward and left directions, by the axis that points up.
_AXES = {"y": ((0, 1, 0), (0, 0, 1), (1, 0, 0)), "z": ((0, 0, 1), (1, 0, 0), (0, 1, 0))}


@dataclass(frozen=True)
class Made:
    """A generated motion: the clip, and its outcome in one sentence. limits: the joints whose limits ended it."""

    clip: Clip
    complete: bool
    why: str
    limits: tuple[str, ...] = ()


def flexion(session: Session, frame: str, step: Any = None) -> Made:
    """Move a frame up and forward by `step` [m] per axis and frame, as far as possible. None: the thesis' step in proportion."""
    up, forward, _ = directions(session.robot)
    return _stepwise(session, frame, "flexion", up + forward, step)


def abduction(session: Session, frame: str, step: Any = None) -> Made:
    """Move a frame up and sideways, away from the body, by `step` [m] per axis and frame, as far as possible."""
    up, _, left = directions(session.robot)
    side = -left if "right" in frame.lower() else left
    return _stepwise(session, frame, "abduction", up + side, step)


def limb_length(robot: Chain | Skeleton, frame: str) -> float:
    """Return the length of the limb that ends in a frame, from its first joint, stretched [m]. Raises BadOption."""
    limb = _limb(robot, frame)
    joints = list(limb.chain.model.mechanism.path(limb.chain.base, frame))
    while joints and joints[0].kind is Kind.FIXED:
        joints.pop(0)
    return float(sum(np.linalg.norm(joint.origin[:3, 3]) for joint in joints[1:]))


def _limb(robot: Chain | Skeleton, frame: str) -> MovedLimb:
    limb = limb_of(robot, frame)
    if limb is None:
        raise BadOption(f"'{frame}' is not the end of a limb; choose another tip")
    return limb


def _stepwise(session: Session, frame: str, name: str, direction: Array, length: Any) -> Made:
    length = STEP_SHARE * limb_length(session.robot, frame) if length is None else number(length, "the step")
    if not np.isfinite(length) or length == 0.0:
        raise BadOption("the step must be a finite length that is not 0")
    step = length * direction
    T = session.target(frame)

    def poses() -> Iterable[Array]:
        for k in range(1, MOST_FRAMES + 1):
            pose = np.array(T)
            pose[:3, 3] += k * step
            yield pose

    return _follow(session, frame, name, poses())


def _follow(session: Session, frame: str, name: str, poses: Iterable[Array]) -> Made:
    """Follow poses from the present posture, each solved from the last, until one fails."""
    limb = _limb(session.robot, frame)
    q = session.q
    part = limb.part(q)
    postures, why, complete = [q], f"{name}: complete", True
    limits: tuple[str, ...] = ()
    for k, T in enumerate(poses, 1):
        target = limb.seen(session.robot, q, T)
        answer = limb.chain.solve(target, seed=part, limits=session.state.limits)
        jump = float(np.abs(limb.chain.model.difference(part, answer.q)).max()) if answer.ok else 0.0
        if not answer.ok or jump > JUMP:
            reason = answer.why if not answer.ok else f"a joint would jump by {np.degrees(jump):.0f} degrees"
            needs = _beyond(limb.chain, target, part) if session.state.limits else {}
            if needs:
                limits = tuple(needs)
                reason = f"at a joint limit: {'; '.join(needs.values())}"
            why, complete = f"{name}: ends after {k - 1} frames: {reason}", False
            break
        part = np.array(answer.q)
        postures.append(limb.put(q, part))
    return Made(Clip(session.robot, np.array(postures), rate=DEFAULT_RATE), complete, why, limits)


def _beyond(arm: Chain, T: Array, q: Array) -> dict[str, str]:
    """Return the joints that are beyond a limit where the motion would go on without limits, with what each would need.

    Empty if the pose is out of reach, or if it can only be reached by a jump.
    """
    free = arm.solve(T, seed=q, limits=False)
    if not free.ok:
        return {}
    needed = q + arm.model.difference(q, free.q)
    if np.abs(needed - q).max() > JUMP:
        return {}
    found = {}
    rows = zip(arm.joint_names, needed, arm.lower, arm.upper, arm.model.compiled.variables, strict=True)
    for name, value, low, high, variable in rows:
        end = low if value < low - BEYOND else high if value > high + BEYOND else None
        if end is not None:
            angle = variable.joint.kind.is_revolute
            shown = [f"{np.degrees(x):.2f} degrees" if angle else f"{x:.4f} m" for x in (value, end)]
            found[name] = f"{name} would need {shown[0]}, its limit is {shown[1]}"
    return found


def directions(robot: Chain | Skeleton) -> tuple[Array, Array, Array]:
    """Return the upward, forward and left directions of a robot, (3,) each."""
    up, forward, left = _AXES[robot.model.mechanism.up]
    return np.array(up, float), np.array(forward, float), np.array(left, float)

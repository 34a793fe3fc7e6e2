"""The self-motion of a redundant limb at a target: the present swivel, the feasible arcs, and the posture at another swivel.

An arm with an elbow swivel has exact feasible arcs for its present branch. For an arm with a free joint the swivel is
the value of that joint; its feasible values are sampled every few degrees and labelled so. A figure's arm or leg
without a closed form is a two-bone limb (robot/jointed_limb.py), which has a swivel too.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from limbik.errors import BadOption, LimbikError, shown
from limbik.geometry.arrays import Array, number, vector
from limbik.robot.chain import Chain
from limbik.robot.jointed_limb import JointedLimb
from limbik.robot.skeleton import Skeleton
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.session import Session

# The grid spacing of a free joint [rad].
GRID = np.radians(5.0)


@dataclass(frozen=True)
class Swivel:
    """The present swivel [rad] of a limb, its whole range (low, high), and the arcs in which the target is reached.

    exact: whether the arcs are computed and complete. note: otherwise, their limitation. about: the elbow or the joint.
    """

    value: float
    span: tuple[float, float]
    arcs: tuple[tuple[float, float], ...]
    exact: bool
    about: str
    note: str = ""


def has_swivel(session: Session, frame: str) -> bool:
    """Return whether the limb that ends in a frame has a swivel."""
    limb = limb_of(session.robot, frame)
    return limb is not None and (limb.chain.redundancy is not None or two_bones(session.robot, frame) is not None)


@lru_cache(maxsize=64)
def two_bones(robot: Chain | Skeleton, frame: str) -> JointedLimb | None:
    """Return the two-bone limb with a full wrist that ends in a frame, or None."""
    try:
        limb = JointedLimb(robot, frame)
    except LimbikError:
        return None
    return limb if limb.turns_hand else None


def swivel_of(session: Session, frame: str) -> Swivel | None:
    """Return the swivel of a limb; None without one, or if the present posture does not reach the target."""
    limb = limb_of(session.robot, frame)
    if limb is None or not session.report.ok:
        return None
    if limb.chain.redundancy is None:
        bones = two_bones(session.robot, frame)
        if bones is None:
            return None
        ranges = bones.swivel_ranges(session.target(frame), seed=session.q, limits=session.state.limits)
        return Swivel(
            float(bones.swivel_of(session.q)),
            (-np.pi, np.pi),
            tuple(ranges),
            False,
            "elbow",
            "short arcs may be missed",
        )
    chain, q, limits = limb.chain, limb.part(session.q), session.state.limits
    T = limb.seen(session.robot, session.q, session.target(frame))
    if limb.chain.redundancy.kind == "joint":
        return _held_joint(limb, q, T, limits)
    branch = _branch(limb, q, T, limits)
    arcs = tuple((float(a), float(b)) for a, b in chain.swivel_ranges(T, limits).get(branch, []))
    return Swivel(float(chain.swivel(q)), (-np.pi, np.pi), arcs, True, "elbow")


def at_swivel(session: Session, frame: str, value: Any) -> Array:
    """Return the posture at another swivel [rad] nearest the present one. Raises BadOption if there is none."""
    angle = number(value, "the swivel")
    if not np.isfinite(angle):
        raise BadOption(f"the swivel must be finite; got {shown(value)}")
    limb, bones = limb_of(session.robot, frame), two_bones(session.robot, frame)
    if limb is not None and limb.chain.redundancy is None and bones is not None:
        answer = bones.solve(session.target(frame), swivel=angle, seed=session.q, limits=session.state.limits)
        return np.array(answer.q)
    return _nearest(session, frame, float(angle), f"no posture reaches the target at {np.degrees(angle):.1f} degrees")


def towards(session: Session, frame: str, pole: Any) -> Array:
    """Return the posture whose elbow points closest to a point [m]. Raises BadOption."""
    limb = limb_of(session.robot, frame)
    bones = two_bones(session.robot, frame)
    if limb is not None and limb.chain.redundancy is None and bones is not None:
        answer = bones.solve(
            session.target(frame), pole=vector(pole, "the pole"), seed=session.q, limits=session.state.limits
        )
        return np.array(answer.q)
    if limb is None or limb.chain.redundancy is None or limb.chain.redundancy.kind != "swivel":
        raise BadOption(f"the limb of '{frame}' has no elbow swivel: a pole has no effect")
    point = np.append(vector(pole, "the pole"), 1.0)
    T = np.eye(4)
    T[:3, 3] = point[:3]
    seen = limb.seen(session.robot, session.q, T)[:3, 3]
    return _nearest(session, frame, seen, "no posture reaches the target")


def _nearest(session: Session, frame: str, swivel: Any, otherwise: str) -> Array:
    limb = limb_of(session.robot, frame)
    if limb is None or limb.chain.redundancy is None:
        raise BadOption(f"the limb of '{frame}' has no swivel")
    q, T = limb.part(session.q), limb.seen(session.robot, session.q, session.target(frame))
    found = limb.chain.solve_all(T, seed=q, limits=session.state.limits, swivel=swivel)
    if not len(found):
        raise BadOption(f"{otherwise}: {found.why}")
    branch = _branch(limb, q, T, session.state.limits)
    same = [k for k, b in enumerate(found.branches) if b == branch] or range(len(found))
    nearest = min(same, key=lambda k: float(np.abs(limb.chain.model.difference(q, found.q[k])).max()))
    return limb.put(session.q, found.q[nearest])


def _branch(limb: MovedLimb, q: Array, T: Array, limits: bool) -> int:
    """Return the branch of the present posture: that of the closest configuration at its own swivel."""
    chain = limb.chain
    if chain.redundancy is not None and chain.redundancy.kind == "joint":
        value = float(q[chain.joint_names.index(str(chain.redundancy.joint))])
    else:
        value = float(chain.swivel(q))
    found = chain.solve_all(T, seed=q, limits=limits, swivel=value)
    if not len(found):
        return -1
    apart = [float(np.abs(chain.model.difference(q, row)).max()) for row in found.q]
    return int(found.branches[int(np.argmin(apart))])


def _held_joint(limb: MovedLimb, q: Array, T: Array, limits: bool) -> Swivel:
    chain = limb.chain
    assert chain.redundancy is not None
    column = chain.joint_names.index(str(chain.redundancy.joint))
    low, high = float(max(chain.lower[column], -np.pi)), float(min(chain.upper[column], np.pi))
    branch = _branch(limb, q, T, limits)
    values = np.linspace(low, high, max(int((high - low) / GRID), 2))
    feasible = [branch in chain.solve_all(T, seed=q, limits=limits, swivel=float(v)).branches for v in values]
    arcs, begin = [], None
    for k, yes in enumerate([*feasible, False]):
        if yes and begin is None:
            begin = k
        elif not yes and begin is not None:
            arcs.append((float(values[begin]), float(values[k - 1])))
            begin = None
    return Swivel(float(q[column]), (low, high), tuple(arcs), False, str(chain.redundancy.joint), "sampled every 5°")

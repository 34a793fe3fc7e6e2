"""The frames that can be dragged, and the joints that move each of them: the limb that ends there, or the whole body."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.model.joint import Kind
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.solvers.table.finder import POSE_JOINTS


@dataclass(frozen=True)
class MovedLimb:
    """A chain inside a robot: the joints of a limb, and their indices in the robot's q."""

    chain: Chain
    columns: tuple[int, ...]

    def part(self, q: Array) -> Array:
        """Return the joint values of the limb in postures, (..., n) -> (..., limb's n)."""
        return np.asarray(q)[..., list(self.columns)]

    def put(self, q: Array, part: Any) -> Array:
        """Return a posture with the joint values of the limb replaced, (n,) and (..., limb's n) -> (..., n)."""
        part = np.asarray(part)
        out = np.broadcast_to(q, (*part.shape[:-1], len(q))).copy()
        out[..., list(self.columns)] = part
        return out

    def seen(self, robot: Chain | Skeleton, q: Array, T: Array) -> Array:
        """Return a pose of the robot's base frame in the limb's base frame."""
        if self.chain.base == robot.base:
            return T
        return inverse(robot.forward(q, self.chain.base)) @ T


@lru_cache(maxsize=256)
def limb_of(robot: Chain | Skeleton, frame: str) -> MovedLimb | None:
    """Return the limb that ends in a frame: the joints beyond the last branching link, or beyond a floating joint.

    None if the frame does not move relative to that link.
    """
    if isinstance(robot, Chain) and frame == robot.tip:
        return MovedLimb(robot, tuple(range(robot.n)))
    mechanism = robot.model.mechanism
    branching = {link.name: 0 for link in mechanism.links}
    for joint in mechanism.joints:
        branching[joint.parent] += 1
    base = mechanism.root
    moving = 0
    for joint in mechanism.ancestry(frame):
        if joint.kind is Kind.FLOATING or (branching[joint.parent] > 1 and joint.kind is not Kind.FIXED):
            base, moving = (joint.child if joint.kind is Kind.FLOATING else joint.parent), 0
        moving += joint.kind not in (Kind.FIXED, Kind.FLOATING)
    if not moving or base == frame:
        return None
    chain = Chain(mechanism, base, frame)
    place = {name: k for k, name in enumerate(robot.joint_names)}
    if any(name not in place for name in chain.joint_names):
        return None
    return MovedLimb(chain, tuple(place[name] for name in chain.joint_names))


@lru_cache(maxsize=64)
def tips_of(robot: Chain | Skeleton) -> tuple[str, ...]:
    """Return the frames that can be dragged: hands and tips, those with most degrees of freedom first.

    A hand is a link from which several limbs branch, and which more rotational degrees of freedom move than any of
    these limbs: the hand of an arm, whose fingers are seldom dragged.
    """
    if isinstance(robot, Chain):
        return (robot.tip,)
    branching: dict[str, int] = {}
    for tip in robot.tips:
        limb = limb_of(robot, tip)
        if limb is not None:
            branching[limb.chain.base] = max(branching.get(limb.chain.base, 0), _rotations(limb))
    hands = [
        base for base, most in branching.items() if (own := limb_of(robot, base)) is not None and _rotations(own) > most
    ]
    found = (*hands, *robot.tips)
    # frames that can reach any pose come first: a hand before a head
    freedom = {tip: 0 if (own := limb_of(robot, tip)) is None else min(_rotations(own), POSE_JOINTS) for tip in found}
    return tuple(sorted(found, key=lambda tip: -freedom[tip]))


def _rotations(limb: MovedLimb) -> int:
    """Return the number of rotational degrees of freedom of a limb, without floating joints."""
    kinds = [v.joint.kind for v in limb.chain.model.compiled.variables]
    return sum(kind.size for kind in kinds if kind not in (Kind.PRISMATIC, Kind.FLOATING))

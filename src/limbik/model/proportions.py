"""Longer legs, broader shoulders: segments of a mechanism made larger or smaller, each by its own factor.

A segment is a link with all that is fixed to it: the joints that it carries stand in its frame, and so do its centre of mass and
its shapes. Multiplying these by s (one number, or one along each axis of the link's frame) changes the segment and nothing
else; what hangs on it moves along. Masses stay as they are.

A capsule's radius is multiplied so that its volume grows as space does, det(s) = sx sy sz: of a segment in the direction u,
which grows by |s u|, the section grows by det(s) / |s u| and the radius by the root of that; for one number, by that number. A
sphere's radius is multiplied by the cube root of det(s).

A figure that stands on the ground goes on doing so: where no link lies below the ground, the joint that carries all (its floating
root) is raised until the lowest link is as high above the ground as its own factor makes it. Of two legs that then differ, the
longer one stands. It stands in the zero posture, but for balls with a cone, whose zero is the middle of the cone: where the cone
allows it, such a ball's link is turned as the one that carries it.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import LARGEST, Array, numbers
from limbik.geometry.so3 import vector_from_matrix
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism
from limbik.model.ranges import swing_twist
from limbik.model.shape import Box, Capsule, Shape, Sphere

# A link this part of the figure's height above the lowest one carries it as well.
SAME_HEIGHT = 1e-6
# Angles are inside a cone to this [rad].
ROUNDING = 1e-9
# Which coordinate is up.
_UP = {"y": 1, "z": 2}


def with_proportions(mechanism: Mechanism, factors: Mapping[str, Any], *, grounded: bool | None = None) -> Mechanism:
    """Return a mechanism with some segments larger or smaller.

    factors: {link: factor}, one number, or three along the axes of the link's frame. grounded: raise or lower the whole so that
    it stands on the ground as before; None does so where no link lies below the ground when it stands.
    Raises BadOption, UnknownFrame.
    """
    if not isinstance(factors, Mapping):
        raise BadOption(f"proportions must be {{link: factor}}; got {shown(factors)}")
    if grounded is not None and not isinstance(grounded, bool):
        raise BadOption(f"grounded={shown(grounded)} must be True, False or None")
    scales = {mechanism.check_link(link): _factor(link, given) for link, given in factors.items()}
    for muscle in mechanism.muscles:
        if touched := {point.link for point in muscle.path} & scales.keys():
            raise BadOption(
                f"muscle '{muscle.name}' runs over '{min(touched)}': its lengths cannot be derived from proportions; "
                "remove the muscles by with_muscles(()) and add new ones"
            )
    joints = tuple(_moved(joint, scales.get(joint.parent)) for joint in mechanism.joints)
    links = tuple(_scaled(link, scales.get(link.name)) for link in mechanism.links)
    changed = mechanism.replaced(joints, links)
    before, after = standing_heights(mechanism), standing_heights(changed)
    if grounded is None:
        grounded = min(before.values()) >= 0
    return _standing(changed, before, after, scales) if grounded else changed


def _factor(link: str, given: Any) -> Array:
    """Return the three factors of a link. Raises BadOption."""
    factor = numbers(given, f"the proportion of '{link}' must be one number or three")
    if factor.shape not in ((), (3,)):
        raise BadOption(f"the proportion of '{link}' must be one number or three; got shape {factor.shape}")
    if not ((factor > 0) & (factor <= LARGEST)).all():
        raise BadOption(f"the proportion of '{link}' is {shown(given)}; give a factor above 0 and up to {LARGEST:g}")
    return np.broadcast_to(factor, (3,))


def _moved(joint: Joint, scale: Array | None) -> Joint:
    """Return a joint where its parent's factor puts it."""
    if scale is None:
        return joint
    origin = np.array(joint.origin)
    origin[:3, 3] *= scale
    return joint.moved_to(origin=origin)


def _scaled(link: Link, scale: Array | None) -> Link:
    """Return a link with its centre of mass and its shapes multiplied."""
    if scale is None:
        return link
    x, y, z = (scale * link.centre_of_mass).tolist()
    return replace(link, centre_of_mass=(x, y, z), shapes=tuple(_shape(shape, scale) for shape in link.shapes))


def _shape(shape: Shape, scale: Array) -> Shape:
    volume = float(scale.prod())
    if isinstance(shape, Sphere):
        return Sphere(tuple(scale * shape.centre), shape.radius * math.cbrt(volume))
    if isinstance(shape, Box):
        longer = np.linalg.norm(scale[:, None] * np.array(shape.rotation), axis=0)
        sides = np.array(shape.sides) * longer * math.cbrt(volume / float(longer.prod()))
        return replace(shape, centre=tuple(scale * shape.centre), sides=tuple(sides))
    start, end = scale * shape.start, scale * shape.end
    longer = math.dist(start, end) / shape.length if shape.length > 0 else math.cbrt(volume)
    return Capsule(tuple(start), tuple(end), shape.radius * math.sqrt(volume / longer))


def standing_heights(mechanism: Mechanism) -> dict[str, float]:
    """Return how high every link is above the ground when the figure stands [m]."""
    poses: dict[str, Array] = {mechanism.root: np.eye(4)}
    for joint in mechanism.joints:
        poses[joint.child] = poses[joint.parent] @ _stance(joint)
    up = _UP[mechanism.up]
    return {link: float(T[up, 3]) for link, T in poses.items()}


def _stance(joint: Joint) -> Array:
    """Return where a joint has its child when the figure stands: at zero, or, of a ball with a cone, parallel to its parent."""
    if joint.kind is not Kind.BALL or not math.isfinite(joint.swing):
        return joint.origin
    back = vector_from_matrix(joint.origin[None, :3, :3].transpose(0, 2, 1))
    swing, twist = swing_twist(back, joint.axis)
    low, high = joint.twist
    if swing[0] > joint.swing + ROUNDING or not low - ROUNDING <= twist[0] <= high + ROUNDING:
        return joint.origin
    straight = np.eye(4)
    straight[:3, 3] = joint.origin[:3, 3]
    return straight


def _standing(
    changed: Mechanism, before: Mapping[str, float], after: Mapping[str, float], scales: Mapping[str, Array]
) -> Mechanism:
    """Return the mechanism with its root raised or lowered so that what stood on the ground still does."""
    first = changed.joints[0] if changed.joints else None
    if first is None or first.kind is not Kind.FLOATING:
        return changed
    up = _UP[changed.up]
    carried = {link: height for link, height in before.items() if link != changed.root}
    lowest, height = min(carried.values()), max(carried.values())
    feet = [link for link, h in carried.items() if h - lowest <= SAME_HEIGHT * height]
    wanted = {link: carried[link] * (scales[link][up] if link in scales else 1.0) for link in feet}
    origin = np.array(first.origin)
    origin[up, 3] += max(wanted[link] - after[link] for link in feet)
    return changed.replaced((first.moved_to(origin=origin), *changed.joints[1:]))

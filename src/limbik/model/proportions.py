"""Proportions: segments of a mechanism scaled by factors of their own, such as longer legs or broader shoulders.

The origins of a link's child joints, its centre of mass and its shapes are given in the link's frame. Multiplying them by s (one
number, or one for each axis of that frame) scales this segment only; segments further out move along. Masses stay the same.

The volume of a shape is multiplied by det(s) = sx sy sz. A capsule along the direction u becomes |s u| times as long, so its
cross section is multiplied by det(s) / |s u| and its radius by the square root of that; for a single number s, this is s. A
sphere's radius is multiplied by the cube root of det(s).

A figure that stands on the ground is kept there: if no link is below the ground, the floating root joint is raised or lowered
until the feet, the lowest links, are at their former heights times their own factors. If the legs then differ, the longer one
stands. The figure stands in its zero posture, except for balls with a cone, whose zero is the middle of the cone: if the cone
allows it, the link of such a ball is taken parallel to its parent.
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

# Links within this part of the figure's height above the lowest link are feet too.
SAME_HEIGHT = 1e-6
# The rounding error of angles compared with a cone's [rad].
ROUNDING = 1e-9
# The index of the upward coordinate.
_UP = {"y": 1, "z": 2}


def with_proportions(mechanism: Mechanism, factors: Mapping[str, Any], *, grounded: bool | None = None) -> Mechanism:
    """Return a mechanism with scaled segments.

    factors: {link: factor}, one number, or three along the axes of the link's frame. grounded: raise or lower the floating root
    so that the figure stands on the ground as before; None does so if no link is below the ground in the standing posture.
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
    joints = tuple(_scaled_joint(joint, scales.get(joint.parent)) for joint in mechanism.joints)
    links = tuple(_scaled_link(link, scales.get(link.name)) for link in mechanism.links)
    changed = mechanism.replaced(joints, links)
    before, after = standing_heights(mechanism), standing_heights(changed)
    if grounded is None:
        grounded = min(before.values()) >= 0
    return _grounded(changed, before, after, scales) if grounded else changed


def _factor(link: str, given: Any) -> Array:
    """Return the three factors of a link. Raises BadOption."""
    factor = numbers(given, f"the proportion of '{link}' must be one number or three")
    if factor.shape not in ((), (3,)):
        raise BadOption(f"the proportion of '{link}' must be one number or three; got shape {factor.shape}")
    if not ((factor > 0) & (factor <= LARGEST)).all():
        raise BadOption(f"the proportion of '{link}' is {shown(given)}; give a factor above 0 and up to {LARGEST:g}")
    return np.broadcast_to(factor, (3,))


def _scaled_joint(joint: Joint, scale: Array | None) -> Joint:
    """Return a joint with its origin multiplied by its parent's factor."""
    if scale is None:
        return joint
    origin = np.array(joint.origin)
    origin[:3, 3] *= scale
    return joint.moved_to(origin=origin)


def _scaled_link(link: Link, scale: Array | None) -> Link:
    """Return a link with its centre of mass and its shapes multiplied."""
    if scale is None:
        return link
    x, y, z = (scale * link.centre_of_mass).tolist()
    return replace(link, centre_of_mass=(x, y, z), shapes=tuple(_scaled_shape(shape, scale) for shape in link.shapes))


def _scaled_shape(shape: Shape, scale: Array) -> Shape:
    """Return a shape with its points multiplied, and its volume multiplied by the product of the factors."""
    volume = float(scale.prod())
    if isinstance(shape, Sphere):
        return Sphere(tuple(scale * shape.centre), shape.radius * math.cbrt(volume))
    if isinstance(shape, Box):
        stretch = np.linalg.norm(scale[:, None] * np.array(shape.rotation), axis=0)
        sides = np.array(shape.sides) * stretch * math.cbrt(volume / float(stretch.prod()))
        return replace(shape, centre=tuple(scale * shape.centre), sides=tuple(sides))
    start, end = scale * shape.start, scale * shape.end
    stretched = math.dist(start, end) / shape.length if shape.length > 0 else math.cbrt(volume)
    return Capsule(tuple(start), tuple(end), shape.radius * math.sqrt(volume / stretched))


def standing_heights(mechanism: Mechanism) -> dict[str, float]:
    """Return the height of every link above the ground in the standing posture [m]."""
    poses: dict[str, Array] = {mechanism.root: np.eye(4)}
    for joint in mechanism.joints:
        poses[joint.child] = poses[joint.parent] @ _standing_pose(joint)
    up = _UP[mechanism.up]
    return {link: float(T[up, 3]) for link, T in poses.items()}


def _standing_pose(joint: Joint) -> Array:
    """Return T_parent_child in the standing posture: the origin, or parallel to the parent for a ball whose cone allows it."""
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


def _grounded(
    changed: Mechanism, before: Mapping[str, float], after: Mapping[str, float], scales: Mapping[str, Array]
) -> Mechanism:
    """Return the mechanism with its floating root raised or lowered so that its feet are on the ground as before."""
    first = changed.joints[0] if changed.joints else None
    if first is None or first.kind is not Kind.FLOATING:
        return changed
    up = _UP[changed.up]
    heights = {link: height for link, height in before.items() if link != changed.root}
    lowest, highest = min(heights.values()), max(heights.values())
    feet = [link for link, h in heights.items() if h - lowest <= SAME_HEIGHT * highest]
    wanted = {link: heights[link] * (scales[link][up] if link in scales else 1.0) for link in feet}
    origin = np.array(first.origin)
    origin[up, 3] += max(wanted[link] - after[link] for link in feet)
    return changed.replaced((first.moved_to(origin=origin), *changed.joints[1:]))

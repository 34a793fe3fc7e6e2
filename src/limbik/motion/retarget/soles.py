"""Soles: the points on which a foot stands and rolls, from its capsules and boxes and from its child links."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.shape import Box, Capsule, Shape
from limbik.motion.retarget.anatomy import Anatomy


def sole(body: Anatomy, side: str, anatomical: Array) -> tuple[Array, Array]:
    """Return the heel and the tip of a foot's sole, (2, 3), and the pivot about which it rolls, (3,), in the foot's frame [m].

    anatomical: the foot's anatomical frame, (3, 3). The pivot is the toe joint, or without toes the tip.
    """
    foot, toes = f"{side}Foot", f"{side}Toes"
    up, ahead = anatomical[:, 1], anatomical[:, 0]
    name = body.names[foot]
    ends = [end for link in body.mechanism.links if link.name == name for shape in link.shapes for end in _ends(shape)]
    T = body.pose(foot)
    positions = [body.at_rest[j.child][:3, 3] for j in body.mechanism.joints if _is_beyond(body, j.child, name)]
    beyond = [T[:3, :3].T @ (p - T[:3, 3]) for p in positions]
    depth = min([float(p @ up) - r for p, r in ends] + [float(p @ up) for p in beyond], default=0.0)
    depth = min(depth, 0.0)
    lengths = [float(p @ ahead) for p, _ in ends] + [float(p @ ahead) for p in beyond] + [0.0]
    heel = min(lengths) * ahead + depth * up
    tip = max(lengths) * ahead + depth * up
    if body.has_direction(foot, toes):
        pivot = T[:3, :3].T @ (body.pose(toes)[:3, 3] - T[:3, 3])
        return np.stack([heel, (pivot @ ahead) * ahead + depth * up]), pivot
    return np.stack([heel, tip]), tip


def _ends(shape: Shape) -> list[tuple[Array, float]]:
    """Return the end points of a capsule with its radius, or the corners of a box with the radius 0."""
    if isinstance(shape, Box):
        return [(corner, 0.0) for corner in shape.corners]
    return [(np.asarray(end), shape.radius) for end in (shape.start, shape.end)] if isinstance(shape, Capsule) else []


def _is_beyond(body: Anatomy, link: str, on: str) -> bool:
    """Return whether a link is a descendant of another."""
    return link in body.at_rest and any(j.parent == on for j in body.mechanism.ancestry(link))

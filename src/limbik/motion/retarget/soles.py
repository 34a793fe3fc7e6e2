"""Soles: the points on which a foot stands and rolls, from its capsules and boxes, or else from its child links."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.shape import Box, Capsule, Shape
from limbik.motion.retarget.anatomy import Anatomy


def sole(body: Anatomy, side: str, turned: Array) -> tuple[Array, Array]:
    """Return points of a foot's sole in its frame, the heel first, the ball or tip on which it rolls last.

    turned: the foot's anatomical frame. The second result is the toe joint, or the same tip: (k, 3), (3,).
    """
    foot, toes = f"{side}Foot", f"{side}Toes"
    up, ahead = turned[:, 1], turned[:, 0]
    name = body.names[foot]
    ends = [end for link in body.mechanism.links if link.name == name for shape in link.shapes for end in _ends(shape)]
    T = body.pose(foot)
    below = [body.at_rest[j.child][:3, 3] for j in body.mechanism.joints if _hangs(body, j.child, name)]
    hanging = [T[:3, :3].T @ (p - T[:3, 3]) for p in below]
    depth = min([float(p @ up) - r for p, r in ends] + [float(p @ up) for p in hanging], default=0.0)
    depth = min(depth, 0.0)
    ways = [float(p @ ahead) for p, _ in ends] + [float(p @ ahead) for p in hanging] + [0.0]
    heel = min(ways) * ahead + depth * up
    tip = max(ways) * ahead + depth * up
    if body.leads(foot, toes):
        pivot = T[:3, :3].T @ (body.pose(toes)[:3, 3] - T[:3, 3])
        return np.stack([heel, (pivot @ ahead) * ahead + depth * up]), pivot
    return np.stack([heel, tip]), tip


def _ends(shape: Shape) -> list[tuple[Array, float]]:
    if isinstance(shape, Box):
        return [(corner, 0.0) for corner in shape.corners]
    return [(np.asarray(end), shape.radius) for end in (shape.start, shape.end)] if isinstance(shape, Capsule) else []


def _hangs(body: Anatomy, link: str, on: str) -> bool:
    return link in body.at_rest and any(j.parent == on for j in body.mechanism.ancestry(link))

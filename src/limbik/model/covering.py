"""Coverings of cylinders and ellipsoids by the capsule or box with the smallest volume.

Every point of the body lies inside its covering, so whatever does not touch the covering does not touch the body.
  cylinder: the box around it, or the capsule along its axis with the least volume. With the radius r and the half length H, a
    segment shortened by x at both ends needs the radius R = sqrt(r^2 + x^2). The volume is least where 2 x (H - x + R) = R^2;
    the left side minus the right side increases with x, so bisection finds the root. If the segment would vanish, the sphere
    through the rims is taken. The box is smaller for cylinders shorter than about twice their width.
  ellipsoid: the box around it, or, for half axes a >= b >= c, the capsule with the segment to +-(a - b) along a and the radius b.
"""

import math
from typing import Any

import numpy as np

from limbik.geometry.arrays import vector
from limbik.model.shape import Box, Capsule, Shape, Sphere, length, positive_radius

# Bisection steps after which the shortening of a covering capsule is exact to the last digit.
_HALVINGS = 60

_ORIGIN = (0.0, 0.0, 0.0)


def around_cylinder(radius: float, height: float) -> Shape:
    """Return the covering of a cylinder [m] along z, centred on the origin."""
    r, half = positive_radius(radius, "a cylinder"), length(height, "the length of a cylinder") / 2
    return _least(_capsule_around(r, half), Box(_ORIGIN, (2 * r, 2 * r, 2 * half)))


def around_ellipsoid(halves: Any) -> Shape:
    """Return the covering of an ellipsoid with these three half axes [m], centred on the origin; at most one may be 0."""
    sizes = [length(half, "a half axis of an ellipsoid") for half in vector(halves, "the half axes").tolist()]
    longest = int(np.argmax(sizes))
    across = max(size for k, size in enumerate(sizes) if k != longest)
    x, y, z = (2 * size for size in sizes)
    return _least(_along(longest, sizes[longest] - across, across), Box(_ORIGIN, (x, y, z)))


def _least(round_: Sphere | Capsule, box: Box) -> Shape:
    """Return the smaller of two coverings."""
    straight = round_.length if isinstance(round_, Capsule) else 0.0
    volume = math.pi * round_.radius**2 * (straight + 4 / 3 * round_.radius)
    return box if math.prod(box.sides) < volume else round_


def _capsule_around(radius: float, half: float) -> Sphere | Capsule:
    """Return the smallest capsule around a cylinder of this radius and half length along z."""

    def excess(x: float) -> float:
        R = math.hypot(radius, x)
        return 2 * x * (half - x + R) - R * R

    low, high = 0.0, half
    if excess(half) > 0:
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return _along(2, half - high, math.hypot(radius, high))


def _along(axis: int, half: float, radius: float) -> Sphere | Capsule:
    """Return a capsule along an axis of the frame; a sphere if its length is 0."""
    if half == 0:
        return Sphere(_ORIGIN, radius)
    x, y, z = (half if k == axis else 0.0 for k in range(3))
    return Capsule((-x, -y, -z), (x, y, z), radius)

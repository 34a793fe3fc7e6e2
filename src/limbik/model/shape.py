"""The room that a link takes up, as spheres and capsules in the link's frame: what may not overlap.

A capsule is every point within `radius` of the segment from `start` to `end`. Both shapes have the property that makes them
cheap: their distance is the distance of two segments (or points) less two radii. Other bodies are covered by one:
  cylinder, box: the capsule along the axis (the longest side) that contains it and has the least volume. With the radius r
    of the cylinder (half the diagonal across the box) and the half length H, shortening the segment by x at both ends asks
    for the radius R = sqrt(r^2 + x^2); the volume is least where 2 x (H - x + R) = R^2, and the left side less the right
    grows with x. Where the segment would vanish, the sphere through the corners is left.
  ellipsoid: with half axes a >= b >= c, the segment to +-(a - b) along a and the radius b.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from limbik.errors import BadModel, BadOption
from limbik.model.transform import LARGEST, Array, as_pose, number, vector

Point = tuple[float, float, float]

# Halvings after which the shortening of a covering capsule is known to the last digit.
_HALVINGS = 60


@dataclass(frozen=True)
class Sphere:
    """All points within `radius` [m] of `centre` [m].

    Raises BadModel for a radius that is not positive, NotNumeric, ShapeError or NotFinite for what are not numbers.
    """

    centre: Point
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", _point(self.centre, "the centre of a sphere"))
        object.__setattr__(self, "radius", _radius(self.radius, "a sphere"))

    def moved(self, T: Any) -> Self:
        """Return the sphere seen from another frame, in which this one stands at T (4, 4)."""
        T = as_pose(T, "the frame of a sphere")
        return type(self)(_through(T, self.centre), self.radius)

    def scaled(self, factor: float) -> Self:
        """Return the sphere with every length multiplied."""
        by = _factor(factor)
        return type(self)(_times(by, self.centre), by * self.radius)


@dataclass(frozen=True)
class Capsule:
    """All points within `radius` [m] of the segment from `start` to `end` [m]; the two may be one point.

    Raises BadModel for a radius that is not positive, NotNumeric, ShapeError or NotFinite for what are not numbers.
    """

    start: Point
    end: Point
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", _point(self.start, "the start of a capsule"))
        object.__setattr__(self, "end", _point(self.end, "the end of a capsule"))
        object.__setattr__(self, "radius", _radius(self.radius, "a capsule"))

    @property
    def length(self) -> float:
        """The length of the segment, without the round ends [m]."""
        return math.dist(self.start, self.end)

    def moved(self, T: Any) -> Self:
        """Return the capsule seen from another frame, in which this one stands at T (4, 4)."""
        T = as_pose(T, "the frame of a capsule")
        return type(self)(_through(T, self.start), _through(T, self.end), self.radius)

    def scaled(self, factor: float) -> Self:
        """Return the capsule with every length multiplied."""
        by = _factor(factor)
        return type(self)(_times(by, self.start), _times(by, self.end), by * self.radius)


Shape = Sphere | Capsule


def around_cylinder(radius: float, length: float) -> Shape:
    """Return the covering of a cylinder [m] along z, centred on the origin."""
    return _around(_radius(radius, "a cylinder"), _size(length, "the length of a cylinder") / 2, 2)


def around_box(sides: Any) -> Shape:
    """Return the covering of a box with these three sides [m], centred on the origin; one side at most may be 0."""
    sizes = [_size(side, "a side of a box") for side in vector(sides, "the sides of a box").tolist()]
    longest = int(np.argmax(sizes))
    across = math.hypot(*(size for k, size in enumerate(sizes) if k != longest)) / 2
    return _around(_radius(across, "a covered box"), sizes[longest] / 2, longest)


def around_ellipsoid(halves: Any) -> Shape:
    """Return the covering of an ellipsoid with these three half axes [m], centred on the origin."""
    sizes = [_size(half, "a half axis of an ellipsoid") for half in vector(halves, "the half axes").tolist()]
    longest = int(np.argmax(sizes))
    across = max(size for k, size in enumerate(sizes) if k != longest)
    return _along(longest, sizes[longest] - across, across)


def _around(radius: float, half: float, axis: int) -> Shape:
    """Return the least shape around a cylinder of this radius and half length along an axis of the frame."""

    def excess(x: float) -> float:
        R = math.hypot(radius, x)
        return 2 * x * (half - x + R) - R * R

    low, high = 0.0, half
    if excess(half) > 0:
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return _along(axis, half - high, math.hypot(radius, high))


def _along(axis: int, half: float, radius: float) -> Shape:
    """Return a capsule along an axis of the frame; a sphere where it has no length."""
    if half == 0:
        return Sphere((0.0, 0.0, 0.0), radius)
    x, y, z = (half if k == axis else 0.0 for k in range(3))
    return Capsule((-x, -y, -z), (x, y, z), radius)


# ---- checks ----------------------------------------------------------------------------------------------------------


def _point(given: Any, what: str) -> Point:
    x, y, z = vector(given, what).tolist()
    if max(abs(x), abs(y), abs(z)) > LARGEST:
        raise BadModel(f"{what} lies at {[x, y, z]}, too far to compute with; is the unit right?")
    return x, y, z


def _radius(given: Any, what: str) -> float:
    radius = number(given, f"the radius of {what}")
    if not 0 < radius <= LARGEST:
        raise BadModel(f"the radius of {what} is {radius:g}; a positive length in metres is needed")
    return radius


def _size(given: Any, what: str) -> float:
    size = number(given, what)
    if not 0 <= size <= LARGEST:
        raise BadModel(f"{what} is {size:g}; a length in metres that is not negative is needed")
    return size


def _factor(given: Any) -> float:
    factor = number(given, "a scale")
    if not 0 < factor <= LARGEST:
        raise BadOption(f"a scale of {factor!r} is not a positive number that can be computed with")
    return factor


def _through(T: Array, point: Sequence[float]) -> Point:
    x, y, z = (T[:3, :3] @ np.array(point) + T[:3, 3]).tolist()
    return x, y, z


def _times(factor: float, point: Point) -> Point:
    x, y, z = point
    return factor * x, factor * y, factor * z

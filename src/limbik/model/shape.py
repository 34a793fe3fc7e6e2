"""Collision shapes of links: spheres, capsules and boxes in the link's frame.

A sphere is the set of points within `radius` of its centre, a capsule that within `radius` of the segment from `start` to `end`;
a box has three sides and a rotation. Distances between any two shapes are exact (`core/goals/contact.hpp`). Other bodies are
enclosed by one of them (`limbik.model.covering`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from limbik.errors import BadModel, ShapeError
from limbik.geometry.arrays import LARGEST, Array, number, numbers, scale_factor, vector
from limbik.geometry.se3 import as_pose

Point = tuple[float, float, float]

Rotation = tuple[Point, Point, Point]

# The triangles of a box's surface by the numbers of their corners, anticlockwise seen from outside, (12, 3).
BOX_FACES = ((0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
             (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5))  # fmt: skip

UPRIGHT: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Sphere:
    """All points within `radius` [m] of `centre` [m].

    Raises BadModel for a radius that is not positive, NotNumeric, ShapeError or NotFinite for invalid numbers.
    """

    centre: Point
    radius: float

    if TYPE_CHECKING:  # any three numbers are accepted as a centre, which is stored as a tuple

        def __init__(self, centre: npt.ArrayLike, radius: float) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", _point(self.centre, "the centre of a sphere"))
        object.__setattr__(self, "radius", positive_radius(self.radius, "a sphere"))

    def moved(self, T: Any) -> Self:
        """Return the sphere in another frame; T (4, 4) is the pose of this frame in it."""
        T = as_pose(T, "the frame of a sphere")
        return type(self)(_through(T, self.centre), self.radius)

    def scaled(self, factor: float) -> Self:
        """Return the sphere with every length multiplied."""
        by = scale_factor(factor)
        return type(self)(_times(by, self.centre), by * self.radius)


@dataclass(frozen=True)
class Capsule:
    """All points within `radius` [m] of the segment from `start` to `end` [m]; the two may coincide.

    Raises BadModel for a radius that is not positive, NotNumeric, ShapeError or NotFinite for invalid numbers.
    """

    start: Point
    end: Point
    radius: float

    if TYPE_CHECKING:

        def __init__(self, start: npt.ArrayLike, end: npt.ArrayLike, radius: float) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", _point(self.start, "the start of a capsule"))
        object.__setattr__(self, "end", _point(self.end, "the end of a capsule"))
        object.__setattr__(self, "radius", positive_radius(self.radius, "a capsule"))

    @property
    def length(self) -> float:
        """The length of the segment, without the hemispheres at its ends [m]."""
        return math.dist(self.start, self.end)

    def moved(self, T: Any) -> Self:
        """Return the capsule in another frame; T (4, 4) is the pose of this frame in it."""
        T = as_pose(T, "the frame of a capsule")
        return type(self)(_through(T, self.start), _through(T, self.end), self.radius)

    def scaled(self, factor: float) -> Self:
        """Return the capsule with every length multiplied."""
        by = scale_factor(factor)
        return type(self)(_times(by, self.start), _times(by, self.end), by * self.radius)


@dataclass(frozen=True)
class Box:
    """A cuboid with `sides` [m] along the axes of `rotation`, and its middle at `centre` [m].

    rotation: (3, 3), whose columns are the directions of the sides; by default the axes of the frame. One side may be 0, for a
    plate. Raises BadModel for negative sides and if two sides are 0, NotRigid for a matrix that is not a rotation,
    NotNumeric, ShapeError or NotFinite for invalid numbers.
    """

    centre: Point
    sides: Point
    rotation: Rotation = UPRIGHT

    if TYPE_CHECKING:

        def __init__(self, centre: npt.ArrayLike, sides: npt.ArrayLike, rotation: npt.ArrayLike = UPRIGHT) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", _point(self.centre, "the centre of a box"))
        x, y, z = (length(side, "a side of a box") for side in vector(self.sides, "the sides of a box").tolist())
        if (x > 0) + (y > 0) + (z > 0) < 2:
            raise BadModel(f"the sides of a box are {[x, y, z]}; at most one of them may be 0")
        object.__setattr__(self, "sides", (x, y, z))
        if self.rotation is not UPRIGHT:
            object.__setattr__(self, "rotation", _rotation(self.rotation))

    @property
    def corners(self) -> Array:
        """The eight corners, (8, 3) [m]; corner k is at the upper end of x, y, z if bit 0, 1, 2 of k is set."""
        signs = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)]) - 0.5
        return np.asarray(np.array(self.centre) + signs * self.sides @ np.array(self.rotation).T)

    def moved(self, T: Any) -> Self:
        """Return the box in another frame; T (4, 4) is the pose of this frame in it."""
        T = as_pose(T, "the frame of a box")
        return type(self)(_through(T, self.centre), self.sides, rotation_rows(T[:3, :3] @ np.array(self.rotation)))

    def scaled(self, factor: float) -> Self:
        """Return the box with every length multiplied."""
        by = scale_factor(factor)
        return type(self)(_times(by, self.centre), _times(by, self.sides), self.rotation)


Shape = Sphere | Capsule | Box
SHAPES = (Sphere, Capsule, Box)


def solid(shape: Shape) -> tuple[float, ...]:
    """Return a shape in the form of the core, 13 numbers: start, end, radius, and the two half sides of a box as vectors."""
    if isinstance(shape, Box):
        R, half = np.array(shape.rotation), np.array(shape.sides) / 2
        first = int(np.argmax(half))
        along, *across = (half[k] * R[:, k] for k in (first, (first + 1) % 3, (first + 2) % 3))
        middle = np.array(shape.centre)
        return (*(middle - along).tolist(), *(middle + along).tolist(), 0.0, *across[0].tolist(), *across[1].tolist())
    start, end = (shape.centre,) * 2 if isinstance(shape, Sphere) else (shape.start, shape.end)
    return (*start, *end, shape.radius, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


# ---- checks ----------------------------------------------------------------------------------------------------------


def _point(given: Any, what: str) -> Point:
    """Return a point as a tuple [m]. Raises BadModel if it is too far away."""
    x, y, z = vector(given, what).tolist()
    if max(abs(x), abs(y), abs(z)) > LARGEST:
        raise BadModel(f"{what} lies at {[x, y, z]}, too far to compute with; is the unit right?")
    return x, y, z


def positive_radius(given: Any, what: str) -> float:
    """Return a radius above 0 [m]. Raises BadModel."""
    radius = number(given, f"the radius of {what}")
    if not 0 < radius <= LARGEST:
        raise BadModel(f"the radius of {what} is {radius:g}; a positive length in metres is needed")
    return radius


def _rotation(given: Any) -> Rotation:
    R = numbers(given, "the rotation of a box must be (3, 3)")
    if R.shape != (3, 3):
        raise ShapeError(f"the rotation of a box must be (3, 3); got shape {R.shape}")
    T = np.eye(4)
    T[:3, :3] = R
    return rotation_rows(as_pose(T, "the rotation of a box")[:3, :3])


def rotation_rows(R: Array) -> Rotation:
    """Return a rotation (3, 3) as a tuple of rows, with negative zeros made positive."""
    first, second, third = ((x, y, z) for x, y, z in (R + 0.0).tolist())
    return first, second, third


def length(given: Any, what: str) -> float:
    """Return a length of at least 0 [m]. Raises BadModel."""
    size = number(given, what)
    if not 0 <= size <= LARGEST:
        raise BadModel(f"{what} is {size:g}; a length of at least 0 m is needed")
    return size


def _through(T: Array, point: Sequence[float]) -> Point:
    """Return a point transformed by a pose."""
    x, y, z = (T[:3, :3] @ np.array(point) + T[:3, 3]).tolist()
    return x, y, z


def _times(factor: float, point: Point) -> Point:
    x, y, z = point
    return factor * x, factor * y, factor * z

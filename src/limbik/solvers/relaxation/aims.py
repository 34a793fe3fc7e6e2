"""Validation of targets and free regions of the point form."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import LARGEST, Array, numbers
from limbik.model.shape import Sphere


def read_targets(given: Any, n: int, dimension: int, leaves: tuple[int, ...]) -> tuple[tuple[int, ...], Array]:
    """Return the clamped points and their targets, (k,) and (k, dimension). Raises subclasses of LimbikError."""
    if not isinstance(given, Mapping):
        if len(leaves) != 1:
            raise BadOption(f"there are {len(leaves)} ends, {leaves}; give targets as {{point: position}}")
        given = {leaves[0]: given}
    if not given:
        raise BadOption("no targets: give at least one, {point: position}")
    ends, places = [], []
    for point, place in given.items():
        if isinstance(point, bool) or not isinstance(point, int | np.integer) or not 1 <= point <= n:
            raise BadOption(f"no point {shown(point)} to clamp; points are numbered 1 to {n}, 0 is the base")
        where = numbers(place, f"the target of point {point} must be {dimension} numbers")
        if where.shape != (dimension,):
            raise ShapeError(f"the target of point {point} must be {dimension} numbers; got shape {where.shape}")
        if not np.isfinite(where).all() or np.abs(where).max() > LARGEST:
            raise NotFinite(f"the target of point {point} holds NaN, infinity or a number too large to compute with")
        ends.append(int(point))
        places.append(where)
    return tuple(ends), np.array(places)


def read_regions(free: Any, base: Array) -> Array:
    """Return spheres in the base frame, (k, 4): centre and radius. Raises BadOption."""
    listed = isinstance(free, Iterable) and not isinstance(free, str)
    spheres = (free,) if isinstance(free, Sphere) else tuple(free) if listed else (None,)
    if not all(isinstance(s, Sphere) for s in spheres):
        raise BadOption(f"free={shown(free)}: give Spheres that no segment may enter")
    rows = []
    for sphere in spheres:
        x, y, z = sphere.centre
        radius = sphere.radius
        if len(base) == 2:  # the circle of intersection with the plane
            radius = math.sqrt(max(radius**2 - z**2, 0.0))
            z = 0.0
        if radius > 0.0:
            rows.append([*(np.array([x, y, z]) - [*base, *[0.0] * (3 - len(base))]), radius])
    return np.array(rows, np.float64).reshape(-1, 4)

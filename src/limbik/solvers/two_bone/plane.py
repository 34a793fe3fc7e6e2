"""Directions perpendicular to a line, and angles about it, for many lines at once."""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

Flags = npt.NDArray[np.bool_]

# Sine of the angle to the line below which a direction determines no perpendicular one; the core has the same number.
IN_LINE = 1e-9


def dots(a: Array, b: Array) -> Array:
    """Return a . b over the last axis."""
    return np.asarray(np.einsum("...i,...i->...", a, b))


def cross(a: Array, b: Array) -> Array:
    """Return a x b over the last axis; for few vectors this is several times as fast as np.cross."""
    ax, ay, az, bx, by, bz = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


def across(line: Array, direction: Array) -> tuple[Array, Flags]:
    """Return the normalised components of directions perpendicular to unit lines, (..., 3), and which are defined."""
    part = direction - dots(line, direction)[..., None] * line
    size = np.linalg.norm(part, axis=-1)
    defined = size > IN_LINE
    return part / np.where(defined, size, 1.0)[..., None], defined


def any_across(line: Array) -> Array:
    """Return unit vectors perpendicular to unit lines, from the coordinate axis least parallel to each, as the core does."""
    axis = np.eye(3)[np.argmin(np.abs(line), axis=-1)]
    return across(line, axis)[0]


def zero_across(line: Array, zero: Array, other: Array | None = None) -> Array:
    """Return the direction of swivel 0 for each line: the perpendicular part of `zero`, else of `other`, else any."""
    first, first_defined = across(line, zero)
    fallback = any_across(line)
    if other is not None:
        second, second_defined = across(line, other)
        fallback = np.where(second_defined[..., None], second, fallback)
    return np.where(first_defined[..., None], first, fallback)


def angle_about(line: Array, start: Array, end: Array) -> Array:
    """Return the angle between two directions perpendicular to a line, right-handed about it [rad]."""
    return np.arctan2(dots(line, cross(start, end)), dots(start, end))


def about(line: Array, direction: Array, angle: Array) -> Array:
    """Return directions perpendicular to lines, rotated about them by angles [rad]."""
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return c * direction + s * cross(line, direction)


def transported(before: Array, line: Array, side: Array) -> Array:
    """Return a direction perpendicular to a unit line, (3,), after the smallest rotation that takes the line to another."""
    both = 1.0 + dots(before, line)
    moved = side - (dots(side, line) / both if both > IN_LINE else 0.0) * (before + line)
    return zero_across(line, moved)

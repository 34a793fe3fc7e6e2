"""Directions across a line, and angles about it, for many lines at once."""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

Flags = npt.NDArray[np.bool_]

# Across the line by less, a direction says nothing about it [sine]; the core has the same number.
IN_LINE = 1e-9


def dots(a: Array, b: Array) -> Array:
    """Return a . b over the last axis."""
    return np.asarray(np.einsum("...i,...i->...", a, b))


def cross(a: Array, b: Array) -> Array:
    """Return a x b over the last axis; NumPy's own takes several times as long for a few."""
    ax, ay, az, bx, by, bz = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


def across(line: Array, direction: Array) -> tuple[Array, Flags]:
    """Return the unit vectors of a direction's part across unit lines, (..., 3), and where there is one."""
    part = direction - dots(line, direction)[..., None] * line
    size = np.linalg.norm(part, axis=-1)
    there = size > IN_LINE
    return part / np.where(there, size, 1.0)[..., None], there


def any_across(line: Array) -> Array:
    """Return unit vectors across unit lines: from the axis of space farthest from each, as the core takes it."""
    axis = np.eye(3)[np.argmin(np.abs(line), axis=-1)]
    return across(line, axis)[0]


def zero_across(line: Array, zero: Array, other: Array | None = None) -> Array:
    """Return where swivel 0 is for each line: the part of `zero` across it, else of `other`, else any direction."""
    part, there = across(line, zero)
    spare = any_across(line)
    if other is not None:
        second, there_too = across(line, other)
        spare = np.where(there_too[..., None], second, spare)
    return np.where(there[..., None], part, spare)


def angle_about(line: Array, start: Array, end: Array) -> Array:
    """Return the angle from one direction across a line to another, right-handed about it [rad]."""
    return np.arctan2(dots(line, cross(start, end)), dots(start, end))


def about(line: Array, direction: Array, angle: Array) -> Array:
    """Return directions across lines turned about them by angles [rad]."""
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return c * direction + s * cross(line, direction)


def carried_over(before: Array, line: Array, side: Array) -> Array:
    """Return a direction across one unit line as it stands across another, (3,), after the shortest turn between them."""
    both = 1.0 + dots(before, line)
    moved = side - (dots(side, line) / both if both > IN_LINE else 0.0) * (before + line)
    return zero_across(line, moved)

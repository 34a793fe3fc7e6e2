"""Validation of segments: parents, lengths, sockets, rest directions, radii."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown, suggest
from limbik.geometry.arrays import LARGEST, Array, number, numbers
from limbik.solvers.relaxation.sockets import Ball, Hinge, Socket

# Largest number of cycles.
MOST_CYCLES = 10_000_000


def read_parents(given: Any) -> tuple[int, ...]:
    """Return the start point of each segment. Raises subclasses of LimbikError."""
    try:
        parents = tuple(given)
    except TypeError:
        raise BadOption(
            f"parents={shown(given)}: give the start point of each segment, for example (0, 1, 1)"
        ) from None
    if not parents:
        raise BadOption("no segments: give at least one")
    for k, parent in enumerate(parents):
        if isinstance(parent, bool) or not isinstance(parent, int | np.integer) or not 0 <= parent <= k:
            raise BadOption(f"segment {k + 1} starts at point {shown(parent)}; it must be one from 0 (the base) to {k}")
    return tuple(int(parent) for parent in parents)


def read_lengths(given: Any, n: int) -> tuple[tuple[float, float], ...]:
    """Return the shortest and the longest length of each segment. Raises subclasses of LimbikError."""
    try:
        entries = list(given)
    except TypeError:
        raise BadOption(f"lengths={shown(given)}: give a length for each of {n} segments") from None
    if len(entries) != n:
        raise ShapeError(f"there are {n} segments and {len(entries)} lengths; give one for each")
    out = []
    for k, entry in enumerate(entries):
        pair = entry if isinstance(entry, tuple | list) else (entry, entry)
        if len(pair) != 2:
            raise ShapeError(f"the length of segment {k + 1} is a number or (shortest, longest); got {shown(entry)}")
        low, high = (number(x, f"the length of segment {k + 1}") for x in pair)
        if not (math.isfinite(low) and math.isfinite(high)) or high > LARGEST:
            raise NotFinite(f"the length of segment {k + 1} is {shown(entry)}; a finite number is needed")
        if not 0 <= low <= high or high <= 0:
            raise BadOption(f"the length of segment {k + 1} is {shown(entry)}; lengths are above 0, the shortest first")
        out.append((low, high))
    return tuple(out)


def read_sockets(given: Any, n: int) -> tuple[Socket, ...]:
    """Return a socket for each segment. Raises subclasses of LimbikError."""
    sockets = (given,) * n if isinstance(given, Ball | Hinge) else tuple(given) if isinstance(given, Sequence) else ()
    if len(sockets) != n or not all(isinstance(s, Ball | Hinge) for s in sockets):
        raise BadOption(f"sockets={shown(given)}: give a Ball or Hinge for each of {n} segments, or one for all")
    return sockets


def read_directions(given: Any, n: int, dimension: int, what: str) -> Array:
    """Return unit vectors, (n, dimension). Raises subclasses of LimbikError."""
    rows = numbers(given, f"{what} must be numbers")
    if rows.shape != (n, dimension):
        raise ShapeError(f"{what} must have shape {(n, dimension)}; got {rows.shape}")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all() or not (largest > 0).all():
        raise NotFinite(f"{what} must be finite, and none may have length 0")
    rows = rows / largest  # so that no square overflows
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def read_rest(given: Any, n: int, dimension: int) -> Array:
    """Return the directions of rest; along x where none are given. Raises subclasses of LimbikError."""
    rest = np.eye(dimension)[:1].repeat(n, 0) if given is None else read_directions(given, n, dimension, "rest")
    rest.setflags(write=False)
    return rest


def read_radius(given: Any, n: int) -> tuple[float, ...]:
    """Return the radius of each segment. Raises subclasses of LimbikError."""
    values = numbers(given, f"radius must be one number or {n} numbers")
    if values.shape not in ((), (n,)):
        raise ShapeError(f"radius must be one number or {n} numbers; got shape {values.shape}")
    if not np.isfinite(values).all() or not (values >= 0).all():
        raise BadOption(f"radius={shown(given)}: radii are finite and not below 0")
    return tuple(np.broadcast_to(values, (n,)).tolist())


def known_options(options: Mapping[str, Any], function: Callable[..., Any], reserved: Sequence[str]) -> None:
    """Raise BadOption for a keyword that a function does not take, or that is reserved."""
    known = [name for name in inspect.signature(function).parameters if name not in reserved]
    for name in options:
        if name not in known:
            raise BadOption(f"no option {shown(name)}; {suggest(name, known)}")


def above(given: Any, what: str) -> float:
    """Return a finite number above 0. Raises BadOption."""
    x = number(given, what)
    if not (math.isfinite(x) and x > 0):
        raise BadOption(f"{what}={shown(given)}: give a number above 0")
    return x


def from_zero(given: Any, what: str) -> float:
    """Return a finite number from 0. Raises BadOption."""
    x = number(given, what)
    if not (math.isfinite(x) and x >= 0):
        raise BadOption(f"{what}={shown(given)}: give a number from 0")
    return x


def whole_number(given: Any, what: str, least: int) -> int:
    """Return a whole number from the least to MOST_CYCLES. Raises BadOption."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not least <= given <= MOST_CYCLES:
        raise BadOption(f"{what}={shown(given)}: give a whole number from {least} to {MOST_CYCLES}")
    return int(given)

"""Validation of the arguments of the muscle verbs: a seed, lengths by name or in order, numbers for joints."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown, suggest
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.model import Model


def seed_posture(model: Model, seed: Any) -> Array:
    """Return the start posture, (n,), a copy; home if none is given. Raises ShapeError, NotFinite, NotNumeric."""
    start = np.array(model.ranges.home) if seed is None else np.array(model.kernel.checked(seed))
    if start.shape != (model.n,):
        raise ShapeError(f"seed must have shape ({model.n},); got {start.shape}")
    return start


def one_posture(model: Model, q: Any) -> Array:
    """Return a copy of a posture, (n,). Raises ShapeError, NotFinite, NotNumeric."""
    posture = np.array(model.kernel.checked(q))
    if posture.shape != (model.n,):
        raise ShapeError(f"q must have shape ({model.n},); got {posture.shape}")
    return posture


def joint_numbers(model: Model, given: Any, what: str) -> Array:
    """Return one finite number for each joint, (n,), from one for all or n. Raises ShapeError, NotFinite, NotNumeric."""
    values = numbers(given, f"{what} must be one number or {model.n}")
    if values.shape not in ((), (model.n,)):
        raise ShapeError(f"{what} must be one number or {model.n}; got shape {values.shape}")
    if not np.isfinite(values).all():
        raise NotFinite(f"{what} holds NaN or infinity")
    return np.array(np.broadcast_to(values, (model.n,)))


def muscle_index(model: Model, name: object) -> int:
    """Return the index of a muscle in the order of lengths. Raises BadOption."""
    names = tuple(muscle.name for muscle in model.compiled.muscles)
    if name not in names:
        raise BadOption(f"no muscle {shown(name)} on '{model.name}'; {suggest(str(name), names)}")
    return names.index(str(name))


def given_lengths(model: Model, given: Any) -> Array:
    """Return the lengths of all muscles, (m,), NaN if not given; from a mapping, m numbers, or one for each independent muscle.

    Raises ShapeError, NotFinite, NotNumeric or BadOption.
    """
    muscles = model.compiled.muscles
    out = np.full(len(muscles), np.nan)
    if isinstance(given, Mapping):
        for name, value in given.items():
            length = number(value, f"the length of '{name}'")
            if not np.isfinite(length):
                raise NotFinite(f"the length of '{name}' is {length}; leave out a muscle whose length is not known")
            out[muscle_index(model, name)] = length
    else:
        few, what = model.derived(_independent), model.derived(_what_lengths)
        values = numbers(given, what)
        if values.shape == out.shape:
            out = values
        elif few and values.shape == (len(few),):
            out[few] = values
        else:
            raise ShapeError(f"{what}; got shape {values.shape}")
        if not np.isfinite(values).all():
            raise NotFinite("lengths hold NaN or infinity; give {name: length} to leave some out")
    if np.isnan(out).all():
        raise BadOption("no length is given")
    return out


def _independent(model: Model) -> list[int]:
    """Return the indices of the independent muscles."""
    return [k for k, muscle in enumerate(model.compiled.muscles) if muscle.independent]


def _what_lengths(model: Model) -> str:
    """Return the start of an error message about the shape of lengths."""
    muscles = model.compiled.muscles
    few = [muscle.name for muscle in muscles if muscle.independent]
    return f"lengths must be {len(muscles)} numbers" + (f", or {len(few)} for {', '.join(few)}" if few else "")

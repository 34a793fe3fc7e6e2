"""Attach muscles to a mechanism, from objects or a file, and McKibben actuators to muscles."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.errors import BadOption
from limbik.formats.toml_muscles import read_muscle_file
from limbik.model.joint import Kind
from limbik.model.mckibben import McKibben
from limbik.model.mechanism import Mechanism
from limbik.model.muscle import Muscle

# Turns of the thread of a McKibben muscle if only its thread length is given.
TURNS = 3.0
_SETTINGS = ("thread", "turns", "highest", "hysteresis", "tendon")


def with_muscles(mechanism: Mechanism, muscles: Any) -> Mechanism:
    """Return a mechanism with other muscles: Muscle objects, or a TOML file with [[muscle]] tables; () for none.

    Raises BadModel if a muscle refers to a link or joint that does not exist, or has an empty range.
    """
    if isinstance(muscles, str | PathLike):
        prismatic = frozenset(joint.name for joint in mechanism.joints if joint.kind is Kind.PRISMATIC)
        given: Iterable[Muscle] = read_muscle_file(Path(muscles), prismatic)
    elif isinstance(muscles, Muscle):
        given = (muscles,)
    else:
        given = muscles
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping):
        given = _without_removed(mechanism, tuple(given))
    return mechanism.with_muscles(given)


def _without_removed(mechanism: Mechanism, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return muscles with removed muscles of the mechanism deleted from their lists of antagonists."""
    kept = {m.name for m in given if isinstance(m, Muscle)}
    removed = {m.name for m in mechanism.muscles} - kept
    return tuple(
        replace(m, opposes=tuple(o for o in m.opposes if o not in removed)) if isinstance(m, Muscle) else m
        for m in given
    )


def as_mckibben(muscles: tuple[Muscle, ...], settings: dict[str, Any]) -> tuple[Muscle, ...]:
    """Return muscles with a McKibben actuator each: its own with these settings, or one that fits its range. Raises BadOption."""
    for name in settings:
        if name not in _SETTINGS:
            raise BadOption(f"a McKibben muscle has no {name!r}; it has {', '.join(_SETTINGS)}")
    return tuple(replace(muscle, actuator=_actuator(muscle, settings)) for muscle in muscles)


def _actuator(muscle: Muscle, settings: dict[str, Any]) -> McKibben:
    if muscle.actuator is not None:
        return replace(muscle.actuator, **settings)
    if "thread" in settings:
        return McKibben(**{"turns": TURNS, **settings})
    return McKibben.for_range(muscle.lower, muscle.upper, **settings)

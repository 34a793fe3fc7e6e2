"""Read values of a TOML file. Errors name the table and the key.

An angle may be given in degrees under its key with `_deg`.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from limbik.errors import BadModel, shown, suggest
from limbik.geometry.arrays import LARGEST, Array
from limbik.geometry.se3 import from_rpy, translation

# The keys of angles; each may also end in _deg.
ANGLES = {"alpha", "theta", "lower", "upper", "speed", "swing", "twist", "rpy"}


def tables(data: Mapping[str, Any], key: str, what: str) -> list[Mapping[str, Any]]:
    """Return the entries that are written under [[key]]."""
    entries = data[key]
    if not isinstance(entries, list) or not entries or not all(isinstance(t, dict) for t in entries):
        raise BadModel(f"{what}: write each entry of '{key}' under its own [[{key}]]")
    return entries


def check_keys(table: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    """Raise BadModel for an unknown key, or an angle given twice."""
    allowed = set(known) | {f"{key}_deg" for key in set(known) & ANGLES}
    for key in table:
        if key not in allowed:
            raise BadModel(f"{what} has the unknown key {shown(key)}; {suggest(key, sorted(allowed))}")
        if key.endswith("_deg") and key[:-4] in table:
            raise BadModel(f"{what} gives both '{key[:-4]}' and '{key}'; leave one out")


def word(table: Mapping[str, Any], key: str, what: str, default: str) -> str:
    """Return a text."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise BadModel(f"{what}: {key} is {shown(value)}; give a text")
    return value


def real(value: Any, key: str, what: str) -> float:
    """Return a number, which may be NaN or infinite. Raises BadModel."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadModel(f"{what}: {key} is {shown(value)}, not a number")
    if LARGEST < abs(value) < math.inf:
        raise BadModel(f"{what}: {key} is {shown(value)}, too large to compute with")
    return float(value)


def angle(table: Mapping[str, Any], key: str, what: str, default: Any) -> Any:
    """Return an angle or a list of them in radians."""
    value, by = (table[f"{key}_deg"], math.pi / 180) if f"{key}_deg" in table else (table.get(key, default), 1.0)
    if not isinstance(default, list):
        if isinstance(value, list):
            raise BadModel(f"{what}: {key} is {shown(value)}; give one number")
        return real(value, key, what) * by
    if not isinstance(value, list) or len(value) != len(default):
        raise BadModel(f"{what}: {key} is {shown(value)}; give {len(default)} numbers")
    return [real(x, key, what) * by for x in value]


def number(table: Mapping[str, Any], key: str, what: str) -> float:
    """Return a number, 0 if the key is missing."""
    return float(angle(table, key, what, 0.0))


def limit(table: Mapping[str, Any], key: str, what: str, sign: int, prismatic: bool, length: float) -> float:
    """Return a limit [rad or m], infinite with this sign if the key is missing."""
    if prismatic and f"{key}_deg" in table:
        raise BadModel(f"{what}: '{key}_deg' on a prismatic joint; give '{key}' as a length")
    return float(angle(table, key, what, sign * math.inf)) * (length if prismatic else 1.0)


def triple(table: Mapping[str, Any], key: str, what: str, default: list[float]) -> list[float]:
    """Return three finite numbers."""
    values: list[float] = angle(table, key, what, default)
    if not all(map(math.isfinite, values)):
        raise BadModel(f"{what}: {key} is {shown(values)}, which contains NaN or infinity")
    return values


def pose(table: Any, what: str, length: float, extra: bool = False) -> Array:
    """Return the transform of xyz and rpy; extra: allow other keys."""
    if not isinstance(table, Mapping):
        raise BadModel(f"{what} must be a table with xyz and rpy_deg")
    if not extra:
        check_keys(table, ("xyz", "rpy"), what)
    xyz = np.array(triple(table, "xyz", what, [0, 0, 0])) * length
    if not ("rpy" in table or "rpy_deg" in table):
        return translation(xyz)
    return from_rpy(xyz, triple(table, "rpy", what, [0, 0, 0]))

"""limbik's own files: TOML, either Denavit-Hartenberg rows (`[[dh]]`) or a tree (`[[joint]]`).

Angles are radians, or degrees under a name that ends in `_deg`; lengths are in `unit` (metres by default). Every
key is known: a misspelt one is an error, not a default. `docs/catalogue.md` shows a file of each sort.
"""

import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadModel, one_line, shown, suggest
from limbik.formats.dh import read_dh
from limbik.formats.source import read_text, unit_factor
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism
from limbik.model.transform import LARGEST, Array, from_rpy, translation

# Characters in one line: far above what people write, far below where a key of many parts takes minutes to read.
LONGEST_LINE = 10_000

_HEAD = {"name", "title", "source", "licence", "notes", "unit", "up", "convention", "dh", "joint", "base", "tool"}
_ANGLES = {"alpha", "theta", "lower", "upper", "speed", "swing", "twist", "rpy"}
_ROW = {"joint", "kind", "a", "alpha", "d", "theta", "lower", "upper", "speed"}
_JOINT = {"name", "kind", "parent", "child", "xyz", "rpy", "axis", "lower", "upper", "speed", "swing", "twist", "mimic"}


def read_toml(path: Path) -> Mechanism:
    """Return the mechanism of a TOML file. Raises BadFile or BadModel."""
    text = read_text(path)
    for k, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise BadFile(f"'{path}' is not TOML of a robot: line {k} has {len(line)} characters; break it up")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # what is not TOML, and whole numbers of thousands of digits
        raise BadFile(f"'{path}' is not TOML: {one_line(error)}") from None
    return from_table(data, f"'{path.name}'", path.stem)


def from_table(data: Mapping[str, Any], what: str, name: str) -> Mechanism:
    """Return the mechanism of a parsed file."""
    _check_keys(data, _HEAD, what)
    length = unit_factor(data.get("unit", "m"))
    if ("dh" in data) == ("joint" in data):
        raise BadModel(f"{what} needs either [[dh]] rows or [[joint]] tables")
    called = _word(data, "name", what, name)
    mechanism = _from_rows(data, what, called, length) if "dh" in data else _from_joints(data, what, called, length)
    details = {key: _word(data, key, what, "") for key in ("title", "source", "licence")}
    notes = data.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise BadModel(f"{what}: notes is {shown(notes)}; a list of texts is needed")
    up = _word(data, "up", what, "z")
    return Mechanism(called, mechanism.links, mechanism.joints, up=up, notes=tuple(notes), **details)


def _tables(data: Mapping[str, Any], key: str, what: str) -> list[Mapping[str, Any]]:
    tables = data[key]
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        raise BadModel(f"{what}: write each entry of '{key}' under its own [[{key}]]")
    return tables


def _from_rows(data: Mapping[str, Any], what: str, name: str, length: float) -> Mechanism:
    """Denavit-Hartenberg rows, with an optional [base] before and [tool] after."""
    rows, names, speeds = [], [], []
    for k, row in enumerate(_tables(data, "dh", what), start=1):
        here = f"{what}, row {k}"
        _check_keys(row, _ROW, here)
        kind = _word(row, "kind", here, "revolute")
        slides = kind == "prismatic"
        lower, upper = (_limit(row, key, here, sign, slides, length) for key, sign in (("lower", -1), ("upper", 1)))
        a, d = (_number(row, key, here) * length for key in ("a", "d"))
        rows.append((a, _number(row, "alpha", here), d, _number(row, "theta", here), kind, lower, upper))
        names.append(_word(row, "joint", here, f"joint{k}"))
        speeds.append(_limit(row, "speed", here, 1, slides, length))
    convention = data.get("convention")
    if convention not in ("standard", "modified"):
        raise BadModel(f"{what} must say convention = 'standard' or 'modified'")
    mechanism = read_dh(rows, convention, name=name, joint_names=names)
    speed_of = dict(zip(names, speeds, strict=True))
    joints = [j.moved_to(velocity=speed_of.get(j.name, math.inf)) for j in mechanism.joints]
    if "base" in data:
        joints[0] = joints[0].moved_to(origin=_pose(data["base"], f"{what}, base", length) @ joints[0].origin)
    mechanism = mechanism.replaced(joints)
    if "tool" in data:
        last = mechanism.leaves[-1]
        mechanism, _ = mechanism.with_link("tool", last, _pose(data["tool"], f"{what}, tool", length))
    return mechanism


def _from_joints(data: Mapping[str, Any], what: str, name: str, length: float) -> Mechanism:
    """A tree: every joint says its parent and child link."""
    if "base" in data or "tool" in data or "convention" in data:
        raise BadModel(f"{what}: base, tool and convention go with [[dh]] rows; write a fixed joint instead")
    joints: list[Joint] = []
    links: dict[str, Link] = {}
    for k, table in enumerate(_tables(data, "joint", what), start=1):
        here = f"{what}, joint {shown(table.get('name', k))}"
        _check_keys(table, _JOINT, here)
        if not all(isinstance(table.get(key), str) for key in ("name", "parent", "child")):
            raise BadModel(f"{here} needs a name, a parent and a child")
        try:
            kind = Kind(table.get("kind", "revolute"))
        except ValueError:
            raise BadModel(f"{here} has the kind {shown(table['kind'])}; use one of {', '.join(Kind)}") from None
        slides = kind is Kind.PRISMATIC
        lower, upper = (_limit(table, key, here, sign, slides, length) for key, sign in (("lower", -1), ("upper", 1)))
        twist = _angle(table, "twist", here, [-math.inf, math.inf])
        joint = Joint(
            table["name"], kind, table["parent"], table["child"], _pose(table, here, length, extra=True),
            np.array(_triple(table, "axis", here, [0, 0, 1])), lower, upper, _limit(table, "speed", here, 1, slides, length),
            float(_angle(table, "swing", here, math.inf)), (float(twist[0]), float(twist[1])), _mimic(table, here),
        )  # fmt: skip
        joints.append(joint)
        links.setdefault(joint.parent, Link(joint.parent))
        links.setdefault(joint.child, Link(joint.child))
    return Mechanism(name, tuple(links.values()), tuple(joints))


# ---- values ----------------------------------------------------------------------------------------------------------


def _check_keys(table: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    allowed = set(known) | {f"{key}_deg" for key in set(known) & _ANGLES}
    for key in table:
        if key not in allowed:
            raise BadModel(f"{what} has the key {shown(key)}, which is not known; {suggest(key, sorted(allowed))}")
        if key.endswith("_deg") and key[:-4] in table:
            raise BadModel(f"{what} gives both '{key[:-4]}' and '{key}'; leave one out")


def _word(table: Mapping[str, Any], key: str, what: str, default: str) -> str:
    """Return a text."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise BadModel(f"{what}: {key} is {shown(value)}; a text is needed")
    return value


def _float(value: Any, key: str, what: str) -> float:
    """Return a number that is written as one. It may be NaN or infinite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadModel(f"{what}: {key} is {shown(value)}, not a number")
    if LARGEST < abs(value) < math.inf:
        raise BadModel(f"{what}: {key} is {shown(value)}, too large to compute with")
    return float(value)


def _angle(table: Mapping[str, Any], key: str, what: str, default: Any) -> Any:
    """Return an angle or a list of them in radians."""
    value, by = (table[f"{key}_deg"], math.pi / 180) if f"{key}_deg" in table else (table.get(key, default), 1.0)
    if not isinstance(default, list):
        if isinstance(value, list):
            raise BadModel(f"{what}: {key} is {shown(value)}; one number is needed")
        return _float(value, key, what) * by
    if not isinstance(value, list) or len(value) != len(default):
        raise BadModel(f"{what}: {key} is {shown(value)}; {len(default)} numbers are needed")
    return [_float(x, key, what) * by for x in value]


def _number(table: Mapping[str, Any], key: str, what: str) -> float:
    return float(_angle(table, key, what, 0.0))


def _limit(table: Mapping[str, Any], key: str, what: str, sign: int, slides: bool, length: float) -> float:
    if slides and f"{key}_deg" in table:
        raise BadModel(f"{what}: '{key}_deg' on a joint that slides; write '{key}' as a length")
    return float(_angle(table, key, what, sign * math.inf)) * (length if slides else 1.0)


def _triple(table: Mapping[str, Any], key: str, what: str, default: list[float]) -> list[float]:
    values: list[float] = _angle(table, key, what, default)
    if not all(map(math.isfinite, values)):
        raise BadModel(f"{what}: {key} is {shown(values)}, which holds NaN or infinity")
    return values


def _pose(table: Any, what: str, length: float, extra: bool = False) -> Array:
    if not isinstance(table, Mapping):
        raise BadModel(f"{what} must be a table with xyz and rpy_deg")
    if not extra:
        _check_keys(table, ("xyz", "rpy"), what)
    xyz = np.array(_triple(table, "xyz", what, [0, 0, 0])) * length
    if not ("rpy" in table or "rpy_deg" in table):
        return translation(xyz)
    return from_rpy(xyz, _triple(table, "rpy", what, [0, 0, 0]))


def _mimic(table: Mapping[str, Any], what: str) -> Mimic | None:
    given = table.get("mimic")
    if given is None:
        return None
    if not isinstance(given, Mapping) or not isinstance(given.get("joint"), str):
        raise BadModel(f"{what}: write mimic = {{ joint = 'name', multiplier = 1.0, offset = 0.0 }}")
    _check_keys(given, ("joint", "multiplier", "offset"), what)
    multiplier, offset = (
        _float(given.get(key, value), key, what) for key, value in (("multiplier", 1.0), ("offset", 0.0))
    )
    return Mimic(given["joint"], multiplier, offset)

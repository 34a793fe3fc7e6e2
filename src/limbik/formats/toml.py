"""Read limbik's own format, TOML: Denavit-Hartenberg rows (`[[dh]]`) or a tree (`[[joint]]`), with masses, shapes and muscles.

A third kind of file, with `balls_of`, refers to another file of its folder and replaces some of its hinges by ball
joints (`[[ball]]`). Angles are in radians, or in degrees under a key that ends in `_deg`. Lengths are in `unit`, metres
by default. An unknown key is an error. `docs/catalogue.md` shows a file of each kind.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadModel, one_line, shown
from limbik.formats.dh import read_dh
from limbik.formats.source import read_text
from limbik.formats.toml_balls import read_balls
from limbik.formats.toml_links import with_details
from limbik.formats.toml_muscles import read_muscles
from limbik.formats.toml_values import angle, check_keys, limit, number, pose, real, tables, triple, word
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism
from limbik.model.units import unit_factor

# The longest line [characters]: far above what people write, far below where parsing a dotted key takes minutes.
LONGEST_LINE = 10_000

_HEAD = {"name", "title", "source", "licence", "notes", "unit", "up", "convention", "dh", "joint", "base", "tool", "link",
         "shape", "muscle", "independent", "balls_of", "ball"}  # fmt: skip
_BALLS_FILE = {"name", "title", "source", "licence", "notes", "balls_of", "ball"}
_ROW = {"joint", "kind", "a", "alpha", "d", "theta", "lower", "upper", "speed"}
_JOINT = {"name", "kind", "parent", "child", "xyz", "rpy", "axis", "lower", "upper", "speed", "swing", "twist", "mimic"}


def read_toml(path: Path) -> Mechanism:
    """Return the mechanism of a TOML file. Raises BadFile or BadModel."""
    data = parsed(path)
    if "balls_of" not in data:
        return from_table(data, f"'{path.name}'", path.stem)
    return _with_balls(data, path)


def _with_balls(data: Mapping[str, Any], path: Path) -> Mechanism:
    """Return the mechanism of another file of the same folder, with ball joints in place of hinges."""
    what = f"'{path.name}'"
    check_keys(data, _BALLS_FILE, what)
    beside = path.with_name(f"{word(data, 'balls_of', what, '')}.toml".rpartition("/")[2])
    other = parsed(beside)
    if "balls_of" in other:
        raise BadModel(
            f"{what} has balls_of = '{beside.stem}', which has balls_of itself; name the file with the hinges"
        )
    with_balls = read_balls(from_table(other, f"'{beside.name}'", beside.stem), data, what)
    title, source, licence = (word(data, key, what, "") for key in ("title", "source", "licence"))
    name, notes = word(data, "name", what, path.stem), _notes(data, what)
    return replace(with_balls, name=name, title=title, source=source, licence=licence, notes=notes)


def parsed(path: Path) -> dict[str, Any]:
    """Return the parsed content of a TOML file. Raises BadFile."""
    text = read_text(path)
    for k, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise BadFile(
                f"'{path}' is not TOML of a robot: line {k} has {len(line)} characters; limbik reads at most {LONGEST_LINE}"
            )
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # invalid TOML, or integers with thousands of digits
        raise BadFile(f"'{path}' is not TOML: {one_line(error)}") from None


def from_table(data: Mapping[str, Any], what: str, name: str) -> Mechanism:
    """Return the mechanism of a parsed file."""
    check_keys(data, _HEAD, what)
    length = unit_factor(data.get("unit", "m"))
    if ("dh" in data) == ("joint" in data):
        raise BadModel(f"{what} needs either [[dh]] rows or [[joint]] tables")
    own_name = word(data, "name", what, name)
    mechanism = _from_rows(data, what, own_name, length) if "dh" in data else _from_joints(data, what, own_name, length)
    details = {key: word(data, key, what, "") for key in ("title", "source", "licence")}
    notes = _notes(data, what)
    up = word(data, "up", what, "z")
    links = with_details(mechanism.links, data, what, length)
    prismatic = frozenset(joint.name for joint in mechanism.joints if joint.kind is Kind.PRISMATIC)
    muscles = read_muscles(data, what, length, prismatic)
    return Mechanism(own_name, links, mechanism.joints, up=up, notes=notes, muscles=muscles, **details)


def _notes(data: Mapping[str, Any], what: str) -> tuple[str, ...]:
    notes = data.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise BadModel(f"{what}: notes is {shown(notes)}; give a list of texts")
    return tuple(notes)


def _from_rows(data: Mapping[str, Any], what: str, name: str, length: float) -> Mechanism:
    """Return the mechanism of Denavit-Hartenberg rows, with an optional [base] before and [tool] after them."""
    rows, names, speeds = [], [], []
    for k, row in enumerate(tables(data, "dh", what), start=1):
        here = f"{what}, row {k}"
        check_keys(row, _ROW, here)
        kind = word(row, "kind", here, "revolute")
        prismatic = kind == "prismatic"
        lower, upper = (limit(row, key, here, sign, prismatic, length) for key, sign in (("lower", -1), ("upper", 1)))
        a, d = (number(row, key, here) * length for key in ("a", "d"))
        rows.append((a, number(row, "alpha", here), d, number(row, "theta", here), kind, lower, upper))
        names.append(word(row, "joint", here, f"joint{k}"))
        speeds.append(limit(row, "speed", here, 1, prismatic, length))
    convention = data.get("convention")
    if convention not in ("standard", "modified"):
        raise BadModel(f"{what} needs convention = 'standard' or 'modified'")
    mechanism = read_dh(rows, convention, name=name, joint_names=names)
    speed_of = dict(zip(names, speeds, strict=True))
    joints = [j.moved_to(velocity=speed_of.get(j.name, math.inf)) for j in mechanism.joints]
    if "base" in data:
        joints[0] = joints[0].moved_to(origin=pose(data["base"], f"{what}, base", length) @ joints[0].origin)
    mechanism = mechanism.replaced(joints)
    if "tool" in data:
        last = mechanism.leaves[-1]
        mechanism, _ = mechanism.with_link("tool", last, pose(data["tool"], f"{what}, tool", length))
    return mechanism


def _from_joints(data: Mapping[str, Any], what: str, name: str, length: float) -> Mechanism:
    """Return the mechanism of a tree, in which every joint names its parent and child link."""
    if "base" in data or "tool" in data or "convention" in data:
        raise BadModel(f"{what}: base, tool and convention are for [[dh]] rows; use a fixed joint instead")
    joints: list[Joint] = []
    links: dict[str, Link] = {}
    for k, table in enumerate(tables(data, "joint", what), start=1):
        here = f"{what}, joint {shown(table.get('name', k))}"
        check_keys(table, _JOINT, here)
        if not all(isinstance(table.get(key), str) for key in ("name", "parent", "child")):
            raise BadModel(f"{here} needs a name, a parent and a child")
        try:
            kind = Kind(table.get("kind", "revolute"))
        except ValueError:
            raise BadModel(f"{here} has the kind {shown(table['kind'])}; use one of {', '.join(Kind)}") from None
        prismatic = kind is Kind.PRISMATIC
        lower, upper = (limit(table, key, here, sign, prismatic, length) for key, sign in (("lower", -1), ("upper", 1)))
        twist = angle(table, "twist", here, [-math.inf, math.inf])
        joint = Joint(
            table["name"], kind, table["parent"], table["child"], pose(table, here, length, extra=True),
            np.array(triple(table, "axis", here, [0, 0, 1])), lower, upper, limit(table, "speed", here, 1, prismatic, length),
            float(angle(table, "swing", here, math.inf)), (float(twist[0]), float(twist[1])), _mimic(table, here),
        )  # fmt: skip
        joints.append(joint)
        links.setdefault(joint.parent, Link(joint.parent))
        links.setdefault(joint.child, Link(joint.child))
    return Mechanism(name, tuple(links.values()), tuple(joints))


def _mimic(table: Mapping[str, Any], what: str) -> Mimic | None:
    given = table.get("mimic")
    if given is None:
        return None
    if not isinstance(given, Mapping) or not isinstance(given.get("joint"), str):
        raise BadModel(f"{what}: write mimic = {{ joint = 'name', multiplier = 1.0, offset = 0.0 }}")
    check_keys(given, ("joint", "multiplier", "offset"), what)
    multiplier, offset = (
        real(given.get(key, value), key, what) for key, value in (("multiplier", 1.0), ("offset", 0.0))
    )
    return Mimic(given["joint"], multiplier, offset)

"""The links of a TOML file: masses (`[[link]]`) and collision shapes (`[[shape]]`)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from limbik.errors import BadModel, shown, suggest
from limbik.formats.toml_values import check_keys, number, tables, triple
from limbik.geometry.se3 import from_rpy
from limbik.model.joint import Link
from limbik.model.shape import Box, Capsule, Shape, Sphere

_LINK = {"name", "mass", "centre_of_mass"}
_SPHERE = {"link", "centre", "radius"}
_CAPSULE = {"link", "start", "end", "radius"}
_BOX = {"link", "centre", "sides", "rpy"}


def with_details(links: tuple[Link, ...], data: Mapping[str, Any], what: str, length: float) -> tuple[Link, ...]:
    """Return the links with the masses and shapes of a file. Raises BadModel."""
    known = {link.name: link for link in links}
    with_mass: set[str] = set()
    for k, table in enumerate(tables(data, "link", what) if "link" in data else (), start=1):
        here = f"{what}, link {shown(table.get('name', k))}"
        check_keys(table, _LINK, here)
        name = _named(table, "name", known, here)
        if name in with_mass:
            raise BadModel(f"{here} occurs twice; write one")
        with_mass.add(name)
        x, y, z = (length * c for c in triple(table, "centre_of_mass", here, [0.0, 0.0, 0.0]))
        if (mass := number(table, "mass", here)) < 0:
            raise BadModel(f"{here} has the mass {mass:g}; it must not be negative")
        known[name] = replace(known[name], mass=mass, centre_of_mass=(x, y, z))
    shapes: dict[str, list[Shape]] = {}
    for k, table in enumerate(tables(data, "shape", what) if "shape" in data else (), start=1):
        here = f"{what}, shape {k}"
        shapes.setdefault(_named(table, "link", known, here), []).append(_shape(table, here).scaled(length))
    return tuple(replace(link, shapes=tuple(shapes.get(name, ()))) for name, link in known.items())


def _named(table: Mapping[str, Any], key: str, known: Mapping[str, Link], what: str) -> str:
    name = table.get(key)
    if not isinstance(name, str):
        raise BadModel(f"{what} does not name its link; write {key} = 'the name of a link'")
    if name not in known:
        raise BadModel(f"{what} names the link {shown(name)}, which does not exist; {suggest(name, known)}")
    return name


def _shape(table: Mapping[str, Any], what: str) -> Shape:
    """Return the shape of a table: a box if it has sides, a sphere if it has a centre, else a capsule. Raises BadModel."""
    if "sides" in table:
        return _box(table, what)
    is_sphere = "centre" in table
    check_keys(table, _SPHERE if is_sphere else _CAPSULE, what)
    for key in ("centre", "radius") if is_sphere else ("start", "end", "radius"):
        if key not in table:
            raise BadModel(
                f"{what} has no {key}; a sphere needs centre and radius, a capsule start, end and radius, a box sides"
            )
    if not (radius := number(table, "radius", what)) > 0:
        raise BadModel(f"{what} has the radius {radius:g}; it must be positive")
    start, end = (
        triple(table, key, what, [0.0, 0.0, 0.0]) for key in (("centre",) * 2 if is_sphere else ("start", "end"))
    )
    return Sphere(_point(start), radius) if is_sphere else Capsule(_point(start), _point(end), radius)


def _box(table: Mapping[str, Any], what: str) -> Box:
    check_keys(table, _BOX, what)
    centre, rpy = (triple(table, key, what, [0.0, 0.0, 0.0]) for key in ("centre", "rpy"))
    sides = triple(table, "sides", what, [0.0, 0.0, 0.0])
    if min(sides) < 0 or sum(side > 0 for side in sides) < 2:
        raise BadModel(f"{what} has the sides {sides}; give lengths, at most one of them 0")
    return Box((0.0, 0.0, 0.0), _point(sides)).moved(from_rpy(centre, rpy))


def _point(values: list[float]) -> tuple[float, float, float]:
    x, y, z = values
    return x, y, z

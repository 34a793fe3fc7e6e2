"""URDF's <collision> elements as shapes. Spheres, capsules and boxes are exact, a cylinder becomes a covering capsule.

Meshes are not read; a link lists them as unread.

URDF has no capsule of its own. Two notations are common, and both are read: a <capsule> with a radius and the length of its
straight part, along z; and a cylinder followed by the two spheres of its ends, which every parser accepts and which limbik
writes. `limbik.model.covering` derives the covering shapes.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from limbik.errors import BadModel
from limbik.formats.xml_values import number, numbers_text, pose, triple
from limbik.geometry.arrays import LARGEST, Array
from limbik.geometry.se3 import onto_z, rpy_of
from limbik.model.covering import around_cylinder
from limbik.model.shape import Box, Capsule, Shape, Sphere

# The largest error, relative to a cylinder's size, of the position and radius of a sphere that counts as its end.
END_ROUNDING = 1e-6


class Collisions(NamedTuple):
    """The collision geometry of a <link>.

    shapes: in the link's frame. unread: descriptions of geometry that is not read. covers: for each shape the kind of
    geometry that it covers, "" if it is exact.
    """

    shapes: tuple[Shape, ...]
    unread: tuple[str, ...]
    covers: tuple[str, ...]


def read_collisions(link: Element, name: str, notes: list[str]) -> Collisions:
    """Return the collision geometry of a <link>. Raises BadModel. A shape of size zero is left out, with a note."""
    unread: list[str] = []
    placed = list(_placed(link, name, notes, unread))
    shapes: list[Shape] = []
    covers: list[str] = []
    k = 0
    while k < len(placed):
        tag, shape, T = placed[k]
        ends = [other.moved(T_other) for _, other, T_other in placed[k + 1 : k + 3]]
        if tag == "cylinder" and isinstance(shape, Capsule) and _are_ends(ends, capsule := shape.moved(T)):
            shapes.append(capsule)
            covers.append("")
            k += 3
            continue
        if tag == "cylinder" and isinstance(shape, Capsule):
            shapes.append(around_cylinder(shape.radius, shape.length).moved(T))
            covers.append(tag)
        else:
            shapes.append(shape.moved(T))
            covers.append("")
        k += 1
    if link.find("collision") is None and link.find("visual/geometry/*") is not None:
        unread.append("a body that is drawn but has no collision geometry")
    return Collisions(tuple(shapes), tuple(unread), tuple(covers))


def _placed(link: Element, name: str, notes: list[str], unread: list[str]) -> Iterator[tuple[str, Shape, Array]]:
    """Yield the kind, shape and pose of each collision geometry; a cylinder as the capsule of the same length."""
    for collision in link.findall("collision"):
        geometry = collision.find("geometry")
        for element in () if geometry is None else geometry:
            if element.tag not in _READERS:
                unread.append(f"{element.tag} {element.get('filename', '')}".strip())
            else:
                what = f"a collision {element.tag} of link '{name}'"
                shape = _READERS[element.tag](element, what)
                if shape is None:
                    notes.append(f"link '{name}' has a collision {element.tag} of size zero: left out")
                else:
                    yield element.tag, shape, pose(collision.find("origin"), what)


def _are_ends(shapes: list[Shape], capsule: Capsule) -> bool:
    """Return whether two shapes are the end spheres of a capsule."""
    if len(shapes) != 2 or not all(isinstance(shape, Sphere) for shape in shapes):
        return False
    allowed = END_ROUNDING * (capsule.radius + capsule.length)
    found = [(shape.centre, shape.radius) for shape in shapes if isinstance(shape, Sphere)]
    return any(
        all(
            math.dist(centre, end) <= allowed and abs(radius - capsule.radius) <= allowed
            for (centre, radius), end in zip(found, ends, strict=True)
        )
        for ends in ((capsule.start, capsule.end), (capsule.end, capsule.start))
    )


def _sizes(element: Element, what: str, *keys: str) -> list[float]:
    sizes = [number(element.get(key), f"the {key} of {what}") for key in keys]
    for key, size in zip(keys, sizes, strict=True):
        _check_size(size, f"the {key} of {what}")
    return sizes


def _check_size(size: float, what: str) -> None:
    if not 0 <= size <= LARGEST:
        fault = "it must not be negative" if size < 0 else "too large to compute with: is the unit right?"
        raise BadModel(f"{what} is {size:g}; {fault}")


def _sphere(element: Element, what: str) -> Shape | None:
    (radius,) = _sizes(element, what, "radius")
    return Sphere((0.0, 0.0, 0.0), radius) if radius else None


def _capsule(element: Element, what: str) -> Shape | None:
    radius, length = _sizes(element, what, "radius", "length")
    return Capsule((0.0, 0.0, -length / 2), (0.0, 0.0, length / 2), radius) if radius else None


def _box(element: Element, what: str) -> Shape | None:
    sides = triple(element.get("size"), f"the size of {what}", "")
    for side in sides:
        _check_size(float(side), f"a side of {what}")
    x, y, z = (float(side) for side in sides)
    return Box((0.0, 0.0, 0.0), (x, y, z)) if np.count_nonzero(sides) > 1 else None


_READERS = {"sphere": _sphere, "capsule": _capsule, "cylinder": _capsule, "box": _box}


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_collisions(link: Element, shapes: tuple[Shape, ...]) -> None:
    """Add the shapes to a <link>: a sphere or box as one <collision>, a capsule as a cylinder and two spheres."""
    for shape in shapes:
        if isinstance(shape, Box):
            T = np.eye(4)
            T[:3, :3] = shape.rotation
            _write(link, np.array(shape.centre), rpy_of(T), "box", size=numbers_text(shape.sides))
            continue
        ends = [np.array(shape.centre)] if isinstance(shape, Sphere) else [np.array(shape.start), np.array(shape.end)]
        radius = repr(shape.radius)
        if isinstance(shape, Capsule):
            T = onto_z((ends[1] - ends[0]) / shape.length) if shape.length else np.eye(4)
            _write(link, (ends[0] + ends[1]) / 2, rpy_of(T), "cylinder", radius=radius, length=repr(shape.length))
        for end in ends:
            _write(link, end, (0.0, 0.0, 0.0), "sphere", radius=radius)


def _write(link: Element, xyz: Array, rpy: tuple[float, float, float], tag: str, **sizes: str) -> None:
    collision = SubElement(link, "collision")
    SubElement(collision, "origin", xyz=numbers_text(xyz), rpy=numbers_text(rpy))
    SubElement(SubElement(collision, "geometry"), tag, sizes)

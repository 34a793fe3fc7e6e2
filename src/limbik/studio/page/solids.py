"""Solids as triangle meshes: capsules, also tapered, short cylinders and boxes. Vertices (v, 3) and faces (f, 3)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.model.shape import BOX_FACES, Box

# The resolution of a solid: sides around, rings per round end; low, for pages without a graphics card.
SIDES, RINGS = 14, 3


class Solid(NamedTuple):
    """A closed surface: vertices (v, 3) [m] and the corners of its triangles (f, 3)."""

    vertices: Array
    faces: npt.NDArray[np.uint32]


def capsule(
    start: Array, end: Array, radius: float, end_radius: float | None = None, *, sides: int = SIDES, rings: int = RINGS
) -> Solid:
    """Return a capsule, tapered if two radii are given. A capsule without length is a sphere."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    other = radius if end_radius is None else end_radius
    across, along = frame_of(end - start)
    bend = np.linspace(0, np.pi / 2, rings + 1)[1:]
    around = [(start, radius * np.sin(b), -radius * np.cos(b)) for b in bend]
    around += [(end, other * np.sin(b), other * np.cos(b)) for b in bend[::-1]]
    return _turned(around, across, along, start - radius * along, end + other * along, sides)


def cylinder(centre: Array, axis: Array, radius: float, half: float) -> Solid:
    """Return a cylinder about an axis, with bevelled edges."""
    centre = np.asarray(centre, float)
    across, along = frame_of(np.asarray(axis, float))
    soft = 0.25 * min(radius, half)
    profile = ((radius - soft, -half), (radius, soft - half), (radius, half - soft), (radius - soft, half))
    rings = [(centre, r, h) for r, h in profile]
    return _turned(rings, across, along, centre - half * along, centre + half * along)


def cube(side: float) -> Solid:
    """Return a cube about the origin; corner k is at the high end of x, y, z where bits 0, 1, 2 of k are set."""
    return box(Box((0.0, 0.0, 0.0), (side, side, side)).corners)


def box(corners: Array) -> Solid:
    """Return a box by its corners, in the order of `Box.corners`."""
    return Solid(corners, np.array(BOX_FACES, np.uint32))


def joined(solids: list[Solid]) -> Solid:
    """Return several solids as one."""
    counts = np.cumsum([0, *(len(s.vertices) for s in solids)])
    faces = [s.faces + first for s, first in zip(solids, counts, strict=False)]
    return Solid(np.concatenate([s.vertices for s in solids]), np.concatenate(faces).astype(np.uint32))


def frame_of(direction: Array) -> tuple[Array, Array]:
    """Return two unit vectors perpendicular to a direction, (2, 3), and the unit direction; z for a zero vector."""
    length = float(np.linalg.norm(direction))
    along = direction / length if length > 0 else np.array([0.0, 0.0, 1.0])
    first = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(along, first)]), along


def _turned(
    rings: list[tuple[Array, float, float]], across: Array, along: Array, first: Array, last: Array, sides: int = SIDES
) -> Solid:
    """Return the surface through rings (centre, radius, height along), closed by a point at each end."""
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.cos(turn)[:, None] * across[0] + np.sin(turn)[:, None] * across[1]
    body = [centre + radius * circle + height * along for centre, radius, height in rings]
    vertices = np.concatenate([*body, first[None], last[None]])
    k = np.arange(sides)
    after = (k + 1) % sides
    faces = []
    for ring in range(len(rings) - 1):
        low, high = ring * sides, (ring + 1) * sides
        faces += [np.stack([low + k, low + after, high + after], 1), np.stack([low + k, high + after, high + k], 1)]
    bottom, top = len(vertices) - 2, len(vertices) - 1
    end = (len(rings) - 1) * sides
    faces += [
        np.stack([np.full(sides, bottom), after, k], 1),
        np.stack([np.full(sides, top), end + k, end + after], 1),
    ]
    return Solid(vertices, np.concatenate(faces).astype(np.uint32))

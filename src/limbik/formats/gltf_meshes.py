"""The body of a figure as triangles: the shapes of each link, or, without shapes, a bone towards each child link.

A bone is an octahedron, thickest near its start; a capsule is a prism with pyramids at its ends. Shading is flat:
triangles share no vertices.
"""

import numpy as np

from limbik.formats.bones import Bone
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import onto_z
from limbik.model.joint import Link
from limbik.model.shape import BOX_FACES, Box, Shape, Sphere

# The largest half width of a bone and its distance from the start, relative to the bone's length. Bones shorter than
# SHORTEST,
# relative to the figure's size, are not drawn.
WIDTH, WHERE, SHORTEST = 0.08, 0.15, 1e-3
# Sides of a capsule.
SIDES = 8


def triangles_of(bones: tuple[Bone, ...], rest: Array, links: dict[str, Link]) -> list[Array]:
    """Return the triangles (k, 3, 3) of each bone, in the bone's frame [m]. rest: poses of the bones, (bones, 4, 4)."""
    size = float(np.ptp(rest[:, :3, 3], axis=0).max()) if len(rest) else 0.0
    found: list[list[Array]] = [[shape_triangles(s) for s in links[b.link].shapes] for b in bones]
    for k, bone in enumerate(bones):
        if bone.parent < 0 or links[bones[bone.parent].link].shapes:
            continue
        parent = rest[bone.parent]
        along = parent[:3, :3].T @ (rest[k, :3, 3] - parent[:3, 3])
        free_root = bones[bone.parent].joint is None and bone.translates
        if np.linalg.norm(along) > max(SHORTEST * size, 1e-9) and not free_root:
            found[bone.parent].append(bone_triangles(along))
    return [np.concatenate(parts) if parts else np.zeros((0, 3, 3)) for parts in found]


def bone_triangles(along: Array) -> Array:
    """Return an octahedron from the origin to a point, (8, 3, 3)."""
    length = float(np.linalg.norm(along))
    frame = onto_z(along / length)[:3, :3]
    around = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]) * WIDTH * length
    ring = np.column_stack([around, np.full(4, WHERE * length)])
    return _spindle(np.zeros(3), ring, np.array([0.0, 0.0, length])) @ frame.T


def shape_triangles(shape: Shape) -> Array:
    """Return an exact box, or a coarse sphere or capsule, (k, 3, 3)."""
    if isinstance(shape, Box):
        solid: Array = shape.corners[np.array(BOX_FACES)]
        return solid if min(shape.sides) > 0 else solid[_has_area(solid)]
    start = np.array(shape.centre if isinstance(shape, Sphere) else shape.start)
    end = start if isinstance(shape, Sphere) else np.array(shape.end)
    along = end - start
    length = float(np.linalg.norm(along))
    frame = onto_z(along / length)[:3, :3] if length > 0 else np.eye(3)
    angles = np.arange(SIDES) * 2 * np.pi / SIDES
    ring = shape.radius * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(SIDES)])
    low, high = ring, ring + [0, 0, length]
    bottom, top = np.array([0, 0, -shape.radius]), np.array([0, 0, length + shape.radius])
    faces = []
    for k in range(SIDES):
        j = (k + 1) % SIDES
        faces += [(bottom, low[j], low[k]), (top, high[k], high[j])]
        if length > 0:
            faces += [(low[k], low[j], high[j]), (low[k], high[j], high[k])]
    found: Array = np.array(faces) @ frame.T + start
    return found


def _has_area(triangles: Array) -> Array:
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(np.linalg.norm(across, axis=1) > 0)


def _spindle(bottom: Array, ring: Array, top: Array) -> Array:
    faces = []
    for k in range(len(ring)):
        j = (k + 1) % len(ring)
        faces += [(bottom, ring[j], ring[k]), (top, ring[k], ring[j])]
    return np.array(faces)


def normals_of(triangles: Array) -> Array:
    """Return the unit normal of each triangle, (k, 3)."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    found: Array = across / np.linalg.norm(across, axis=1, keepdims=True)
    return found

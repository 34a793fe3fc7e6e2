"""The geoms of a compiled MuJoCo model as shapes of its bodies.

Only geoms that take part in contacts are read, by contype and conaffinity or by a <pair>. A mesh becomes its bounding
box, in MuJoCo's frame of the mesh. Planes, height fields and signed distance fields are not read. Geoms of the world
body are surroundings and are not read either: they are listed as unread, and the caller passes them as obstacles.
"""

from typing import Any, NamedTuple

from limbik.geometry.se3 import from_quaternion, translation
from limbik.geometry.so3 import real_part_last
from limbik.model.covering import around_cylinder, around_ellipsoid
from limbik.model.shape import Box, Capsule, Shape, Sphere

_ORIGIN = (0.0, 0.0, 0.0)
# Kinds of geoms that are covered by a larger shape.
COVERED = ("cylinder", "ellipsoid", "mesh")


class BodyShapes(NamedTuple):
    """For each body: its shapes, the kinds of geoms that were not read, and the kind that each shape covers ("" if exact)."""

    shapes: list[list[Shape]]
    unread: list[list[str]]
    covers: list[list[str]]


def body_shapes(model: Any) -> BodyShapes:
    """Return the collision shapes of each body of a `mujoco.MjModel`."""
    bodies = range(model.nbody)
    found = BodyShapes([[] for _ in bodies], [[] for _ in bodies], [[] for _ in bodies])
    paired = {int(geom) for pair in (model.pair_geom1, model.pair_geom2) for geom in pair}
    for geom in range(model.ngeom):
        if not (model.geom_contype[geom] or model.geom_conaffinity[geom] or geom in paired):
            continue
        body = int(model.geom_bodyid[geom])
        shape = _shape(model, geom) if body > 0 else None
        if shape is None:
            found.unread[body].append(_word(model, geom))
        else:
            found.shapes[body].append(
                shape.moved(from_quaternion(model.geom_pos[geom], real_part_last(model.geom_quat[geom])))
            )
            found.covers[body].append(_word(model, geom) if _word(model, geom) in COVERED else "")
    return found


def _kind(model: Any, geom: int) -> Any:
    import mujoco

    return mujoco.mjtGeom(int(model.geom_type[geom]))


def _word(model: Any, geom: int) -> str:
    return str(_kind(model, geom).name.removeprefix("mjGEOM_").lower())


def _shape(model: Any, geom: int) -> Shape | None:
    """Return the shape of a geom in its own frame, or None for a kind that is not read."""
    import mujoco

    kinds, kind = mujoco.mjtGeom, _kind(model, geom)
    first, second, third = (float(x) for x in model.geom_size[geom])
    if kind == kinds.mjGEOM_SPHERE:
        return Sphere(_ORIGIN, first)
    if kind == kinds.mjGEOM_CAPSULE:
        return Capsule((0.0, 0.0, -second), (0.0, 0.0, second), first)
    if kind == kinds.mjGEOM_CYLINDER:
        return around_cylinder(first, 2 * second)
    if kind == kinds.mjGEOM_BOX:
        return Box(_ORIGIN, (2 * first, 2 * second, 2 * third))
    if kind == kinds.mjGEOM_ELLIPSOID:
        return around_ellipsoid((first, second, third))
    if kind == kinds.mjGEOM_MESH:
        x, y, z, *half = (float(value) for value in model.geom_aabb[geom])
        a, b, c = (2 * side for side in half)
        return Box(_ORIGIN, (a, b, c)).moved(translation((x, y, z)))
    return None

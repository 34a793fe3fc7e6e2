"""The visual meshes of a URDF file, read from the files that it names.

Meshes are read only for a file that the person who starts the studio names; an uploaded file cannot make the server open other
files. A mesh must be inside the URDF's package: the folder of `package://NAME/`, else the folder of the URDF.
"""

from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, LimbikError
from limbik.formats.packages import find_package
from limbik.formats.source import read_text
from limbik.formats.xml import read_xml
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import rotation_about
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.page.solids import Solid, capsule, joined

# A robot with more triangles is drawn by its capsules instead.
MOST_FACES = 400_000
# The file formats of meshes.
SUFFIXES = (".stl", ".obj", ".ply", ".dae", ".glb")


def visuals(path: Path, robot: Chain | Skeleton) -> dict[str, Solid]:
    """Return a solid for each link with visual meshes, by frame; empty if any of them cannot be read."""
    try:
        root = read_xml(read_text(path), str(path))
    except LimbikError:
        return {}
    found: dict[str, list[Solid]] = {}
    for link in root.findall("link"):
        name = link.get("name")
        for visual in link.findall("visual"):
            solid = _solid(visual, path)
            if solid is None:
                return {}
            if name in robot.frames:
                found.setdefault(str(name), []).append(solid)
    parts = {name: joined(solids) for name, solids in found.items()}
    return parts if 0 < sum(len(s.faces) for s in parts.values()) <= MOST_FACES else {}


def _solid(visual: Any, urdf: Path) -> Solid | None:
    geometry = visual.find("geometry")
    mesh = None if geometry is None else geometry.find("mesh")
    T = _origin(visual.find("origin"))
    if mesh is not None:
        file = _file(str(mesh.get("filename")), urdf)
        solid = None if file is None else _read(file)
        if solid is None:
            return None
        scale = _numbers(mesh.get("scale"), (1, 1, 1))
        return Solid((solid.vertices * scale) @ T[:3, :3].T + T[:3, 3], solid.faces)
    try:
        simple = None if geometry is None else _simple(geometry)
    except (TypeError, ValueError):  # a size is missing or not a number
        simple = None
    return None if simple is None else Solid(simple.vertices @ T[:3, :3].T + T[:3, 3], simple.faces)


def _simple(geometry: Any) -> Solid | None:
    import trimesh

    box, ball, can = (geometry.find(kind) for kind in ("box", "sphere", "cylinder"))
    if box is not None:
        made = trimesh.creation.box(extents=_numbers(box.get("size"), (1, 1, 1)))
    elif can is not None:
        made = trimesh.creation.cylinder(radius=float(can.get("radius")), height=float(can.get("length")), sections=24)
    elif ball is not None:
        return capsule(np.zeros(3), np.zeros(3), float(ball.get("radius")))
    else:
        return None
    return Solid(np.asarray(made.vertices, float), np.asarray(made.faces, np.uint32))


def _file(named: str, urdf: Path) -> Path | None:
    """Return the path of a mesh, None if it is not inside the package or not a mesh."""
    folder = urdf.resolve().parent
    if named.startswith("package://"):
        package, _, rest = named[len("package://") :].partition("/")
        try:
            top = find_package(package, urdf)
        except BadFile:
            return None
        path = top / rest
    else:
        top, path = folder, folder / named.removeprefix("file://")
    path = path.resolve()
    inside = path.is_relative_to(top.resolve())
    return path if inside and path.is_file() and path.suffix.lower() in SUFFIXES else None


def _read(path: Path) -> Solid | None:
    import trimesh

    try:
        made = trimesh.load(path, force="mesh")
        return Solid(np.asarray(made.vertices, float), np.asarray(made.faces, np.uint32))
    except Exception:  # the mesh reader raises many kinds of exceptions
        return None


def _origin(element: Any) -> Array:
    T = np.eye(4)
    if element is not None:
        roll, pitch, yaw = _numbers(element.get("rpy"), (0, 0, 0))
        x, y, z = np.eye(3)
        T = rotation_about(z, yaw) @ rotation_about(y, pitch) @ rotation_about(x, roll)
        T[:3, 3] = _numbers(element.get("xyz"), (0, 0, 0))
    return T


def _numbers(text: str | None, otherwise: tuple[float, ...]) -> Array:
    try:
        values = np.array([float(word) for word in (text or "").split()])
    except ValueError:
        return np.array(otherwise, float)
    return values if values.shape == (len(otherwise),) else np.array(otherwise, float)

"""Read MJCF, the format of MuJoCo. MuJoCo (an extra) compiles the file, which resolves defaults, includes and degrees.

Several joints on one body become a chain of joints with links between them; a joint's anchor inside its body becomes a
translation before and after it; `ref` is the joint's value in the modelled posture (configuration). Linear couplings of
two joints (`equality joint`) become mimics; other equality constraints are not part of the tree and are noted. Missing
mesh files do not affect the kinematics: the meshes are left out and noted. Geoms that take part in contacts become
shapes (`limbik.formats.mjcf_shapes`), spatial tendons through sites become muscles (`limbik.formats.mjcf_tendons`).
"""

import contextlib
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.mjcf_assets import Assets
from limbik.formats.mjcf_shapes import body_shapes
from limbik.formats.mjcf_tendons import tendon_muscles
from limbik.formats.names import Names
from limbik.formats.source import exists, need, read_bytes
from limbik.formats.xml import read_xml
from limbik.geometry.se3 import from_quaternion, rotation_about, translation
from limbik.geometry.so3 import real_part_last
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism

# The mass of bodies whose meshes, and with them their volumes, are missing. Kinematics do not depend on it.
STAND_IN_MASS = 1e-6

# The most files of a model, and the most elements after replication: far above any robot, far below what would take minutes
# or exhaust the memory.
MOST_FILES = 1000
MOST_COPIES = 100_000

# Part of MuJoCo's message about a missing file.
NOT_THERE = "rror opening file"

# MuJoCo has one warning handler per process.
_ONE_AT_A_TIME = threading.Lock()


def read_mjcf(path: Path) -> Mechanism:
    """Return the mechanism of an MJCF file. Raises BadFile, BadModel or MissingExtra."""
    need("mujoco", "mjcf", "reading MJCF")
    _check_files(path)
    notes: list[str] = []
    model, missing = _compiled(path, notes)
    return from_mujoco(model, path.stem, notes, missing)


def _check_files(path: Path) -> None:
    """Check a model's files before MuJoCo reads them: bound depth, size and counts; refuse entities, pipes and devices.

    Raises BadFile. MuJoCo reports missing files.
    """
    waiting, seen = [(path, 1.0)], set()
    assets = Assets()
    while waiting:
        here, times = waiting.pop()
        if here.resolve() in seen:
            continue
        seen.add(here.resolve())
        if len(seen) > MOST_FILES:
            raise BadFile(f"'{path}' includes more than {MOST_FILES} files")
        copies = 0.0
        stack = [(read_xml(read_bytes(here).decode("utf-8", "replace"), f"'{here}'"), times)]
        while stack:
            element, times = stack.pop()
            times *= _count(element)
            copies += times if times > 1 else 0.0
            if copies > MOST_COPIES:
                raise BadFile(f"'{here}' has more than {MOST_COPIES} elements after replication by count=")
            stack.extend((child, times) for child in element)
            assets.add(element, here, path)
            if (name := element.get("file")) and element.tag in ("include", "model"):
                # Which of the two folders MuJoCo uses depends on its version.
                named = {folder / name for folder in (path.parent, here.parent)}
                waiting.extend((file, times) for file in named if exists(file))
    assets.check()


def _count(element: Element) -> float:
    """Return how many copies of its content an element asks for (replicate, composite, flexcomp)."""
    try:
        return max(1.0, math.prod(float(word) for word in element.get("count", "1").split()))
    except ValueError:
        return 1.0  # MuJoCo reports the error


def _compiled(path: Path, notes: list[str]) -> tuple[Any, dict[int, list[str]]]:
    """Return the compiled model, and the geoms that were left out, by body."""
    import mujoco

    try:
        with _warnings_collected(notes):
            return mujoco.MjModel.from_xml_path(str(path)), {}
    except Exception as first:
        reason = one_line((str(first).strip().splitlines() or [type(first).__name__])[0])
        try:
            with _warnings_collected(notes):
                model, missing = _without_meshes(path)
        except Exception:
            raise BadFile(f"MuJoCo cannot load '{path}': {reason}") from None
        if NOT_THERE in reason:
            notes.append("mesh, texture or height field files are missing: read without them")
        else:
            notes.append(
                f"read without meshes, textures and height fields, because MuJoCo cannot load it with them: {reason}"
            )
        return model, missing


@contextlib.contextmanager
def _warnings_collected(notes: list[str]) -> Iterator[None]:
    """Collect MuJoCo's warnings as notes. By default it prints them and writes a log file to the current folder."""
    import mujoco

    def collect(message: object) -> None:
        text = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
        if (note := f"MuJoCo warns: {text.strip()}") not in notes:
            notes.append(note)

    with _ONE_AT_A_TIME:
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(collect)
        try:
            yield
        finally:
            mujoco.set_mju_user_warning(before)


def _without_meshes(path: Path) -> tuple[Any, dict[int, list[str]]]:
    """Compile the file without elements that need other files; return the model and the geoms left out, by body."""
    import mujoco

    spec = mujoco.MjSpec.from_file(str(path))
    asset_types = (mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_HFIELD, mujoco.mjtGeom.mjGEOM_SDF)
    removed: list[tuple[Any, str]] = []
    paired = {name for pair in spec.pairs for name in (pair.geomname1, pair.geomname2)}
    for geom in list(spec.geoms):
        if geom.type in asset_types:
            if geom.contype or geom.conaffinity or geom.name in paired:
                removed.append((geom.parent, f"mesh {geom.meshname}".strip()))
            for pair in [pair for pair in spec.pairs if geom.name in (pair.geomname1, pair.geomname2)]:
                spec.delete(pair)
            spec.delete(geom)
    for group in ("skins", "flexes", "meshes", "hfields", "materials", "textures"):
        for item in list(getattr(spec, group, [])):
            if group == "materials":
                item.textures = [""] * len(item.textures)
            else:
                spec.delete(item)
    spec.compiler.boundmass = STAND_IN_MASS
    spec.compiler.boundinertia = STAND_IN_MASS
    model = spec.compile()
    missing: dict[int, list[str]] = {}
    for body, geom_name in removed:
        missing.setdefault(int(body.id), []).append(geom_name)
    return model, missing


def from_mujoco(
    model: Any, name: str, notes: list[str] | None = None, missing: dict[int, list[str]] | None = None
) -> Mechanism:
    """Return the mechanism of a compiled `mujoco.MjModel`. missing: geoms that were left out, by body."""
    import mujoco

    notes = [] if notes is None else notes
    body_names = _names(model, mujoco.mjtObj.mjOBJ_BODY, model.nbody, "body")
    joint_names = _names(model, mujoco.mjtObj.mjOBJ_JOINT, model.njnt, "joint")
    link_names = Names(body_names)
    body_names[0] = "world"
    collisions = body_shapes(model)
    for body, geoms in (missing or {}).items():
        collisions.unread[body] += geoms
    links = [
        Link(name, float(mass), tuple(centre.tolist()), *map(tuple, geometry))
        for name, mass, centre, *geometry in zip(body_names, model.body_mass, model.body_ipos, *collisions, strict=True)
    ]
    joints: list[Joint] = []
    fixed_names = Names(joint_names)
    mimics = _couplings(model, joint_names, notes)
    for body in range(1, model.nbody):
        parent = body_names[model.body_parentid[body]]
        T = from_quaternion(model.body_pos[body], real_part_last(model.body_quat[body]))
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        here = parent
        for k in range(first, first + count):
            link = link_names.take(f"{body_names[body]}_{joint_names[k]}")
            joint, T = _joint(model, k, joint_names[k], here, link, T, mimics.get(joint_names[k]))
            joints.append(joint)
            links.append(Link(link))
            here = link
        joints.append(Joint(fixed_names.take(f"{body_names[body]}_fixed"), Kind.FIXED, here, body_names[body], T))
    for site in range(model.nsite):
        site_name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SITE, site)
        if site_name and site_name not in link_names and f"{site_name}_site" not in joint_names:
            link_names.take(site_name)
            T = from_quaternion(model.site_pos[site], real_part_last(model.site_quat[site]))
            joints.append(Joint(f"{site_name}_site", Kind.FIXED, body_names[model.site_bodyid[site]], site_name, T))
            links.append(Link(site_name))
    muscles = tendon_muscles(model, body_names, notes)
    return Mechanism(name, tuple(links), tuple(joints), notes=tuple(notes), muscles=muscles)


def _names(model: Any, kind: Any, count: int, word: str) -> list[str]:
    """Return the names of elements; one without a name gets its kind and number."""
    import mujoco

    given = [mujoco.mj_id2name(model, kind, k) for k in range(count)]
    names = Names(name for name in given if name)
    return [name or names.take(f"{word}{k}") for k, name in enumerate(given)]


def _joint(model: Any, k: int, name: str, parent: str, child: str, T: Any, mimic: Mimic | None) -> tuple[Joint, Any]:
    """Return the joint at pose T in its parent link, and the pose of the next joint in its child link."""
    import mujoco

    kind = mujoco.mjtJoint(int(model.jnt_type[k]))
    address = int(model.jnt_qposadr[k])
    limited = bool(model.jnt_limited[k])
    low, high = (float(x) for x in model.jnt_range[k]) if limited else (-math.inf, math.inf)
    if kind == mujoco.mjtJoint.mjJNT_FREE:
        # MuJoCo measures a free joint from the world's origin; here q = 0 is the modelled posture.
        return Joint(name, Kind.FLOATING, parent, child, T), np.eye(4)
    anchor, axis = model.jnt_pos[k], model.jnt_axis[k]
    here, back = T @ translation(anchor), translation(-anchor)
    if kind == mujoco.mjtJoint.mjJNT_BALL:
        swing = high if limited else math.inf
        return Joint(name, Kind.BALL, parent, child, here, swing=swing), back
    ref = float(model.qpos0[address])
    if kind == mujoco.mjtJoint.mjJNT_SLIDE:
        origin = here @ translation(-ref * axis)
        return Joint(name, Kind.PRISMATIC, parent, child, origin, axis, low, high, mimic=mimic), back
    origin = here @ rotation_about(axis, -ref)
    revolute = Kind.REVOLUTE if limited else Kind.CONTINUOUS
    return Joint(name, revolute, parent, child, origin, axis, low, high, mimic=mimic), back


def _couplings(model: Any, joint_names: list[str], notes: list[str]) -> dict[str, Mimic]:
    """Return the linear couplings by name of the follower; other constraints are noted."""
    import mujoco

    mimics: dict[str, Mimic] = {}
    others = 0
    for k in range(model.neq):
        if model.eq_type[k] != mujoco.mjtEq.mjEQ_JOINT or not model.eq_active0[k]:
            others += 1
            continue
        follower, driver = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
        c = [float(x) for x in model.eq_data[k][:5]]
        if driver < 0 or any(c[2:]) or joint_names[follower] in mimics:
            others += 1
            continue
        ref = [float(model.qpos0[model.jnt_qposadr[j]]) for j in (follower, driver)]
        # y - y0 = c0 + c1 (x - x0)
        mimics[joint_names[follower]] = Mimic(joint_names[driver], c[1], ref[0] + c[0] - c[1] * ref[1])
    for name in list(_circular(mimics)):
        del mimics[name]
        others += 1
    if others:
        notes.append(
            f"{others} equality constraint(s) close loops or are nonlinear: they are not part of the tree and are left out"
        )
    return mimics


def _circular(mimics: dict[str, Mimic]) -> Iterator[str]:
    """Yield the joints of circular couplings."""
    seen: set[str] = set()
    for name in mimics:
        path: list[str] = []
        here = name
        while here in mimics and here not in seen:
            seen.add(here)
            path.append(here)
            here = mimics[here].joint
        if here in path:
            yield from path[path.index(here) :]

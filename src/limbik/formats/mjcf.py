"""MJCF, MuJoCo's own description: compiled by MuJoCo (an extra), so defaults, includes and degrees are its business.

Several joints on one body become a chain of joints with links between them; a joint's anchor inside its body becomes a
translation before and after it; `ref` is the value at the modelled posture (configuration). Linear couplings of two joints
(`equality joint`) become mimics; other equality constraints are not part of the tree and are noted. Missing mesh files do not
affect the kinematics: the meshes are left out and noted. Geoms that take part in contacts become shapes
(`limbik.formats.mjcf_shapes`).
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
from limbik.formats.source import exists, need, read_bytes
from limbik.formats.xml import read_xml
from limbik.geometry.se3 import from_quaternion, rotation_about, translation
from limbik.geometry.so3 import real_part_last
from limbik.model.joint import Joint, Kind, Link, Mimic
from limbik.model.mechanism import Mechanism

# Masses given to bodies whose meshes, and with them their volume, are missing: kinematics do not depend on them.
STAND_IN_MASS = 1e-6

# Files that one model may be written in, and elements that counts may multiply to: far above any robot, far below what
# would take minutes or all memory.
MOST_FILES = 1000
MOST_COPIES = 100_000

# What MuJoCo says of a file that is not there.
NOT_THERE = "rror opening file"

# MuJoCo's warning handler is one for the whole process.
_ONE_AT_A_TIME = threading.Lock()


def read_mjcf(path: Path) -> Mechanism:
    """Return the mechanism of an MJCF file. Raises BadFile, BadModel or MissingExtra."""
    need("mujoco", "mjcf", "reading MJCF")
    _check_files(path)
    notes: list[str] = []
    model, missing = _compiled(path, notes)
    return from_mujoco(model, path.stem, notes, missing)


def _check_files(path: Path) -> None:
    """Read a model's files before MuJoCo does: entities, depth, size and counts are bounded, pipes and devices refused.

    Raises BadFile in our words. A file that is not there is left for MuJoCo to name.
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
                raise BadFile(f"'{here}' multiplies its elements by count= to more than {MOST_COPIES}")
            stack.extend((child, times) for child in element)
            assets.take(element, here, path)
            if (name := element.get("file")) and element.tag in ("include", "model"):
                # Which of the two MuJoCo means depends on its version.
                named = {folder / name for folder in (path.parent, here.parent)}
                waiting.extend((file, times) for file in named if exists(file))
    assets.check()


def _count(element: Element) -> float:
    """Return how many copies of its content an element asks for (replicate, composite, flexcomp)."""
    try:
        return max(1.0, math.prod(float(word) for word in element.get("count", "1").split()))
    except ValueError:
        return 1.0  # MuJoCo says what is wrong with it


def _compiled(path: Path, notes: list[str]) -> tuple[Any, dict[int, list[str]]]:
    """Return the compiled model, and the geoms of each body that had to be left out."""
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
            notes.append("mesh, texture or height files are missing: read without them")
        else:
            notes.append(
                f"read without meshes, textures and height fields, because MuJoCo cannot load it with them: {reason}"
            )
        return model, missing


@contextlib.contextmanager
def _warnings_collected(notes: list[str]) -> Iterator[None]:
    """Take MuJoCo's warnings as notes; left alone it prints them and writes a log file where the user stands."""
    import mujoco

    def take(message: object) -> None:
        text = message.decode(errors="replace") if isinstance(message, bytes) else str(message)
        if (note := f"MuJoCo warns: {text.strip()}") not in notes:
            notes.append(note)

    with _ONE_AT_A_TIME:
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(take)
        try:
            yield
        finally:
            mujoco.set_mju_user_warning(before)


def _without_meshes(path: Path) -> tuple[Any, dict[int, list[str]]]:
    """Compile the file with everything that needs other files taken out; say what that leaves unknown of each body."""
    import mujoco

    spec = mujoco.MjSpec.from_file(str(path))
    asset_types = (mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_HFIELD, mujoco.mjtGeom.mjGEOM_SDF)
    gone: list[tuple[Any, str]] = []
    paired = {name for pair in spec.pairs for name in (pair.geomname1, pair.geomname2)}
    for geom in list(spec.geoms):
        if geom.type in asset_types:
            if geom.contype or geom.conaffinity or geom.name in paired:
                gone.append((geom.parent, f"mesh {geom.meshname}".strip()))
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
    for body, words in gone:
        missing.setdefault(int(body.id), []).append(words)
    return model, missing


def from_mujoco(
    model: Any, name: str, notes: list[str] | None = None, missing: dict[int, list[str]] | None = None
) -> Mechanism:
    """Return the mechanism of a compiled `mujoco.MjModel`. missing: geoms of bodies that were taken out of it."""
    import mujoco

    notes = [] if notes is None else notes
    body_names = _names(model, mujoco.mjtObj.mjOBJ_BODY, model.nbody, "body")
    joint_names = _names(model, mujoco.mjtObj.mjOBJ_JOINT, model.njnt, "joint")
    taken = set(body_names)
    body_names[0] = "world"
    rooms = body_shapes(model)
    for body, words in (missing or {}).items():
        rooms.unread[body] += words
    links = [
        Link(name, float(mass), tuple(at.tolist()), *map(tuple, room))
        for name, mass, at, *room in zip(body_names, model.body_mass, model.body_ipos, *rooms, strict=True)
    ]
    joints: list[Joint] = []
    named = set(joint_names)
    mimics = _couplings(model, joint_names, notes)
    for body in range(1, model.nbody):
        parent = body_names[model.body_parentid[body]]
        T = from_quaternion(model.body_pos[body], real_part_last(model.body_quat[body]))
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        here = parent
        for k in range(first, first + count):
            link = _unique(f"{body_names[body]}_{joint_names[k]}", taken)
            joint, T = _joint(model, k, joint_names[k], here, link, T, mimics.get(joint_names[k]))
            joints.append(joint)
            links.append(Link(link))
            here = link
        joints.append(Joint(_unique(f"{body_names[body]}_fixed", named), Kind.FIXED, here, body_names[body], T))
    for site in range(model.nsite):
        site_name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SITE, site)
        if site_name and site_name not in taken and f"{site_name}_site" not in joint_names:
            taken.add(site_name)
            T = from_quaternion(model.site_pos[site], real_part_last(model.site_quat[site]))
            joints.append(Joint(f"{site_name}_site", Kind.FIXED, body_names[model.site_bodyid[site]], site_name, T))
            links.append(Link(site_name))
    return Mechanism(name, tuple(links), tuple(joints), notes=tuple(notes))


def _names(model: Any, kind: Any, count: int, word: str) -> list[str]:
    """Return the names, made up where the file gives none."""
    import mujoco

    given = [mujoco.mj_id2name(model, kind, k) for k in range(count)]
    taken = {name for name in given if name}
    return [name or _unique(f"{word}{k}", taken) for k, name in enumerate(given)]


def _unique(name: str, taken: set[str]) -> str:
    unique, k = name, 2
    while unique in taken:
        unique, k = f"{name}_{k}", k + 1
    taken.add(unique)
    return unique


def _joint(model: Any, k: int, name: str, parent: str, child: str, T: Any, mimic: Mimic | None) -> tuple[Joint, Any]:
    """Return one joint, standing at T on its parent link, and where the next part stands on its child link."""
    import mujoco

    kind = mujoco.mjtJoint(int(model.jnt_type[k]))
    address = int(model.jnt_qposadr[k])
    limited = bool(model.jnt_limited[k])
    low, high = (float(x) for x in model.jnt_range[k]) if limited else (-math.inf, math.inf)
    if kind == mujoco.mjtJoint.mjJNT_FREE:
        # MuJoCo counts a free joint from the world's origin; here q = 0 is the drawn posture.
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
    turns = Kind.REVOLUTE if limited else Kind.CONTINUOUS
    return Joint(name, turns, parent, child, origin, axis, low, high, mimic=mimic), back


def _couplings(model: Any, joint_names: list[str], notes: list[str]) -> dict[str, Mimic]:
    """Return the joints that follow another along a straight line; note the constraints that are something else."""
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
    """Yield the joints whose mimicry runs in a circle."""
    seen: set[str] = set()
    for name in mimics:
        way: list[str] = []
        here = name
        while here in mimics and here not in seen:
            seen.add(here)
            way.append(here)
            here = mimics[here].joint
        if here in way:
            yield from way[way.index(here) :]

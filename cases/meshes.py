"""Meshes of catalogue arms from installed packages, in the frames of limbik's links: the shapes must cover them."""

import math
from pathlib import Path

import numpy as np

import limbik as lk
from cases.other_models import MODELS, NotInstalled, installed, shift
from limbik.geometry.se3 import from_rpy, inverse, rotation_about

# Triangles (N, 3, 3) [m] by the name of limbik's link.
Meshes = dict[str, np.ndarray]

NAMES = (*sorted(MODELS), "jaco2", "puma560")


def meshes_of(name: str) -> Meshes:
    """Return the triangles of each link of a catalogue arm, in the link's frame. Raises NotInstalled."""
    if name == "jaco2":
        return _of_jaco2()
    return _of_puma560() if name == "puma560" else _of_urdf(name)


def read_stl(path: Path) -> np.ndarray:
    """Return the triangles of an STL file, binary or text."""
    data = path.read_bytes()
    row = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    if len(data) >= 84 and len(data) >= 84 + (count := int(np.frombuffer(data, "<u4", 1, 80)[0])) * row.itemsize:
        return np.frombuffer(data, row, count, 84)["corners"].astype(np.float64)
    words = data.decode("ascii", "replace").split()
    corners = [words[k + 1 : k + 4] for k, word in enumerate(words) if word == "vertex"]
    return np.array(corners, dtype=np.float64).reshape(-1, 3, 3)


def _moved(T: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    return triangles @ T[:3, :3].T + T[:3, 3]


def _moved_links(arm: lk.Chain) -> tuple[str, ...]:
    """Return the child link of each joint of q."""
    return tuple(arm.model.mechanism.joint_of[name].child for name in arm.joint_names)


def _collected(arm: lk.Chain, q: np.ndarray, placed: dict[str, list[np.ndarray]]) -> Meshes:
    """Return triangles, given in the base frame at q, in the frame of their link."""
    return {
        link: _moved(inverse(arm.forward(q, link)), np.concatenate(parts)) for link, parts in placed.items() if parts
    }


def _of_urdf(name: str) -> Meshes:
    arm, model = lk.load(name), MODELS[name]
    xml, theirs = model.xml(), lk.Skeleton(lk.load(model.joints_only()).model.mechanism)
    joints = {joint.get("name"): joint for joint in xml.iter("joint") if joint.get("type")}
    links = {link.get("name"): link for link in xml.iter("link")}
    children = [joints[joint].find("child").get("link") for joint in model.joints]
    before = {joints[model.joints[0]].find("parent").get("link"), model.base}
    ours = dict(zip(children, _moved_links(arm), strict=True)) | dict.fromkeys(before, arm.base)
    placed: dict[str, list[np.ndarray]] = {}
    T_base = theirs.forward(np.zeros(theirs.n), model.base)
    for link, our in ours.items():
        for collision in links[link].iter("collision") if link in links else ():
            mesh = collision.find("geometry/mesh")
            if mesh is None:
                continue
            file = mesh.get("filename").removeprefix("package://").split("/", 1)[-1]
            origin = collision.find("origin")
            xyz, rpy = (
                [float(x) for x in (origin.get(k) if origin is not None else "0 0 0").split()] for k in ("xyz", "rpy")
            )
            T = inverse(T_base) @ theirs.forward(np.zeros(theirs.n), link) @ from_rpy(xyz, rpy)
            placed.setdefault(our, []).append(_moved(T, read_stl(installed(model.package, file))))
    return _collected(arm, np.zeros(arm.n), placed)


def _of_jaco2() -> Meshes:
    try:
        import mujoco
    except ImportError:
        raise NotInstalled("the package 'mujoco' is not installed") from None
    arm, model = (
        lk.load("jaco2"),
        mujoco.MjModel.from_xml_path(str(installed("dm_control", "third_party/kinova/jaco_arm.xml"))),
    )
    q = arm.home
    data = mujoco.MjData(model)
    for k in range(6):
        data.qpos[model.joint(f"joint_{k + 1}").qposadr[0]] = q[k]
    mujoco.mj_kinematics(model, data)
    ours = {"b_base": arm.base} | {f"b_{k + 1}": link for k, link in enumerate(_moved_links(arm))}
    placed: dict[str, list[np.ndarray]] = {}
    for geom in range(model.ngeom):
        if model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
            continue
        mesh = model.geom_dataid[geom]
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        faces = model.mesh_face[model.mesh_faceadr[mesh] :][: model.mesh_facenum[mesh]]
        triangles = model.mesh_vert[first : first + count].astype(np.float64)[faces]
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
        body = model.body(model.geom_bodyid[geom]).name
        placed.setdefault(ours[body], []).append(_moved(T, triangles))
    return _collected(arm, q, placed)


# The standard Denavit-Hartenberg rows (d, a, alpha) of the Puma's meshes, from the floor; and the configuration of limbik's
# Puma, whose base is at the shoulder, at which theirs is at zero.
PUMA_ROWS = ((0.67183, 0, 90), (0, 0.4318, 0), (0.15005, 0.0203, -90), (0.4318, 0, 90), (0, 0, -90), (0, 0, 0))
PUMA_ZERO = np.radians([180, 180, 0, 0, 0, 0])


def _of_puma560() -> Meshes:
    """Return the Puma's meshes without that of the last link, which is a gripper."""
    arm = lk.load("puma560")
    T = shift(0, 0, -PUMA_ROWS[0][0])
    frames = [T]
    for d, a, alpha in PUMA_ROWS:
        T = T @ shift(a, 0, d) @ rotation_about((1, 0, 0), math.radians(alpha))
        frames.append(T)
    placed = {
        link: [_moved(T, read_stl(installed("rtb-data", f"meshes/UNIMATE/puma560/link{k}.stl")))]
        for k, (link, T) in enumerate(zip((arm.base, *_moved_links(arm)[:-1]), frames, strict=False))
    }
    return _collected(arm, PUMA_ZERO, placed)

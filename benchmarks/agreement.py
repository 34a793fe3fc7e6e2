"""Does limbik agree with Pinocchio and MuJoCo on every model that the packages ship? One row per model.

The pose and the Jacobian of every frame that both have are compared. Pinocchio treats mimic joints as independent here; they
get the values that limbik derives, so that limbik's mimic joints are checked too.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import limbik as lk
from limbik.formats.xacro import expand

# Largest difference allowed: pose entries relative to the size of the pose, Jacobian entries likewise.
PINOCCHIO_TOLERANCE = 1e-12
MUJOCO_TOLERANCE = 1e-10


# Contradictory files: Pinocchio ignores the contradiction, limbik refuses the file and gives the reason. Any other refusal fails.
CONTRADICTORY = {
    "example-robot-data/robots/alex_description/urdf/alex_psyonic_hands.urdf": "mimics a joint that does not exist",
    "pybullet_data/cube_no_rotation.urdf": "has a lower limit above the upper one",
}


@dataclass(frozen=True)
class Row:
    """One model: the size of q, the number of frames compared, the largest differences, or why it was skipped."""

    model: str
    n: int = 0
    frames: int = 0
    pose: float = 0.0
    jacobian: float = 0.0
    skipped: str = ""
    ok: bool = True


# ---- where models are ------------------------------------------------------------------------------------------------


def package_folder(name: str) -> Path | None:
    """Return where a package is installed, without importing it."""
    spec = find_spec(name)
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ([] if spec.origin is None else [str(Path(spec.origin).parent)]))
    return Path(places[0]) if places else None


def urdf_files() -> Iterator[tuple[str, Path]]:
    """Yield (name, file) of every URDF and xacro that example-robot-data, rtb-data and pybullet_data ship."""
    try:
        data = Path(str(distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data")))
    except PackageNotFoundError:
        data = None
    if data is not None and data.is_dir():
        yield from _named("example-robot-data", data, ("*.urdf", "*.xacro"))
    for package in ("rtbdata", "pybullet_data"):
        folder = package_folder(package)
        if folder is not None:
            yield from _named(package, folder, ("*.urdf", "*.xacro"))


def _named(package: str, folder: Path, patterns: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    for pattern in patterns:
        for path in sorted(folder.rglob(pattern)):
            yield f"{package}/{path.relative_to(folder).as_posix()}", path


def mjcf_files() -> Iterator[tuple[str, Path]]:
    """Yield (name, file) of every MJCF file that dm_control, gymnasium and pybullet_data ship."""
    for package in ("dm_control", "gymnasium", "pybullet_data"):
        folder = package_folder(package)
        if folder is not None:
            for path in sorted(folder.rglob("*.xml")):
                if "<mujoco" in path.read_text(errors="replace"):
                    yield f"{package}/{path.relative_to(folder).as_posix()}", path


# ---- Pinocchio -------------------------------------------------------------------------------------------------------


def compare_with_pinocchio(name: str, path: Path, rng: np.random.Generator, postures: int) -> Row:
    """Compare one URDF or xacro file."""
    import pinocchio as pin

    try:
        text = expand(path) if path.suffix == ".xacro" else path.read_text(errors="replace")
    except lk.LimbikError as error:
        return Row(name, skipped=f"not a description by itself: {str(error).replace(str(path), path.name)}")
    try:
        model = _pinocchio_model(pin, text)
    except Exception as error:
        return Row(name, skipped=f"Pinocchio does not load it: {str(error).strip().splitlines()[0][:100]}")
    try:
        figure = lk.Skeleton(lk.load(text).model.mechanism)
    except lk.LimbikError as error:
        return Row(name, skipped=f"limbik refuses it: {error}", ok=name in CONTRADICTORY)
    return _compare(pin, model, figure, name, rng, postures)


def _pinocchio_model(pin: Any, text: str) -> Any:
    """Build the model with its console output suppressed."""
    with Quiet():
        return pin.buildModelFromXML(text)


class Quiet:
    """Discard what C++ libraries print to stderr."""

    def __enter__(self) -> None:
        import os

        sys.stderr.flush()
        self.kept = os.dup(2)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)

    def __exit__(self, *_: object) -> None:
        import os

        os.dup2(self.kept, 2)
        os.close(self.kept)


def pinocchio_posture(pin: Any, model: Any, figure: lk.Skeleton, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Pinocchio's q for limbik's, and the matrix V with velocity_pinocchio = V velocity_limbik."""
    names = figure.joint_names
    qp, V = pin.neutral(model), np.zeros((model.nv, figure.n))
    for k in range(1, model.njoints):
        joint, mechanism = model.joints[k], figure.model.mechanism
        name, short = str(model.names[k]), joint.shortname()
        if short == "JointModelFreeFlyer":
            i = names.index(f"{name}.px")
            R = pin.exp3(q[i + 3 : i + 6])
            qp[joint.idx_q : joint.idx_q + 3] = q[i : i + 3]
            qp[joint.idx_q + 3 : joint.idx_q + 7] = pin.Quaternion(R).coeffs()
            V[joint.idx_v : joint.idx_v + 3, i : i + 3] = R.T
            V[joint.idx_v + 3 : joint.idx_v + 6, i + 3 : i + 6] = np.eye(3)
            continue
        if short == "JointModelPlanar":
            i = names.index(f"{name}_x")
            c, s = np.cos(q[i + 2]), np.sin(q[i + 2])
            qp[joint.idx_q : joint.idx_q + 4] = q[i], q[i + 1], c, s
            V[joint.idx_v : joint.idx_v + 3, i : i + 3] = [[c, s, 0], [-s, c, 0], [0, 0, 1]]
            continue
        driver, multiplier, offset = mechanism.driver(mechanism.joint_of[name])
        if driver.kind is lk.model.Kind.FIXED:  # it mimics a fixed joint
            continue
        i = names.index(driver.name)
        value = multiplier * q[i] + offset
        if joint.nq == 2:
            qp[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
        else:
            qp[joint.idx_q] = value
        V[joint.idx_v, i] = multiplier
    return qp, V


def _compare(pin: Any, model: Any, figure: lk.Skeleton, name: str, rng: np.random.Generator, postures: int) -> Row:
    data = model.createData()
    bodies = [
        (str(f.name), k) for k, f in enumerate(model.frames) if f.type == pin.FrameType.BODY and f.name in figure.frames
    ]
    pose = jacobian = 0.0
    for q in figure.sample(rng, postures):
        qp, V = pinocchio_posture(pin, model, figure, q)
        pin.framesForwardKinematics(model, data, qp)
        if model.nv:
            pin.computeJointJacobians(model, data, qp)
        for frame, k in bodies:
            T, J = figure.forward_jacobian(q, frame)
            size = max(1.0, float(np.abs(T).max()))
            pose = max(pose, float(np.abs(T - data.oMf[k].homogeneous).max()) / size)
            if model.nv:
                theirs = np.reshape(pin.getFrameJacobian(model, data, k, pin.LOCAL_WORLD_ALIGNED), (6, model.nv)) @ V
                jacobian = max(jacobian, float(np.abs(J - theirs).max()) / max(size, float(np.abs(theirs).max())))
    ok = max(pose, jacobian) <= PINOCCHIO_TOLERANCE and len(bodies) > 0
    return Row(name, figure.n, len(bodies), pose, jacobian, ok=ok)


# ---- MuJoCo ----------------------------------------------------------------------------------------------------------


def compare_with_mujoco(name: str, path: Path, rng: np.random.Generator, postures: int) -> Row:
    """Compare one MJCF file."""
    import mujoco

    try:
        with Quiet():
            mujoco.set_mju_user_warning(lambda message: None)  # otherwise it writes a log file into the current folder
            model = mujoco.MjModel.from_xml_path(str(path))
    except Exception as error:
        return Row(name, skipped=f"MuJoCo does not load it: {str(error).strip().splitlines()[0][:100]}")
    try:
        figure = lk.Skeleton(lk.load(path).model.mechanism)
    except lk.LimbikError as error:
        return Row(name, skipped=f"limbik refuses it: {error}", ok=False)
    data = mujoco.MjData(model)
    bodies = [(model.body(b).name or f"body{b}", b) for b in range(1, model.nbody)]
    pose = jacobian = 0.0
    for q in figure.sample(rng, postures):
        V = mujoco_posture(model, data, figure, q)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        for frame, b in bodies:
            T, J = figure.forward_jacobian(q, frame)
            size = max(1.0, float(np.abs(T).max()))
            theirs = np.eye(4)
            theirs[:3, :3], theirs[:3, 3] = data.xmat[b].reshape(3, 3), data.xpos[b]
            pose = max(pose, float(np.abs(T - theirs).max()) / size)
            linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jacBody(model, data, linear, angular, b)
            expected = np.vstack([linear, angular]) @ V
            jacobian = max(
                jacobian, float(np.abs(J - expected).max(initial=0)) / max(size, float(np.abs(expected).max(initial=0)))
            )
    if not bodies:
        return Row(name, figure.n, skipped="it has no bodies")
    return Row(name, figure.n, len(bodies), pose, jacobian, ok=max(pose, jacobian) <= MUJOCO_TOLERANCE)


def mujoco_posture(model: Any, data: Any, figure: lk.Skeleton, q: np.ndarray) -> np.ndarray:
    """Set MuJoCo's qpos to limbik's q; return V with velocity_mujoco = V velocity_limbik."""
    import mujoco
    from scipy.spatial.transform import Rotation

    names, mechanism = figure.joint_names, figure.model.mechanism
    V = np.zeros((model.nv, figure.n))
    data.qpos[:] = model.qpos0
    moving = [j for j in mechanism.joints if j.kind is not lk.model.Kind.FIXED]
    by_name = {mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, k): k for k in range(model.njnt)}
    unnamed = iter([k for k in range(model.njnt) if not model.joint(k).name])
    for joint in moving:
        k = by_name.get(joint.name)
        k = next(unnamed) if k is None else k
        at, dof = int(model.jnt_qposadr[k]), int(model.jnt_dofadr[k])
        if joint.kind is lk.model.Kind.FLOATING:
            i = names.index(f"{joint.name}.px")
            T = np.array(joint.origin)
            data.qpos[at : at + 3] = T[:3, 3] + T[:3, :3] @ q[i : i + 3]
            turned = T[:3, :3] @ Rotation.from_rotvec(q[i + 3 : i + 6]).as_matrix()
            data.qpos[at + 3 : at + 7] = Rotation.from_matrix(turned).as_quat()[[3, 0, 1, 2]]
            V[dof : dof + 3, i : i + 3] = T[:3, :3]
            V[dof + 3 : dof + 6, i + 3 : i + 6] = np.eye(3)
        elif joint.kind is lk.model.Kind.BALL:
            i = names.index(f"{joint.name}.rx")
            data.qpos[at : at + 4] = Rotation.from_rotvec(q[i : i + 3]).as_quat()[[3, 0, 1, 2]]
            V[dof : dof + 3, i : i + 3] = np.eye(3)
        else:
            driver, multiplier, offset = mechanism.driver(joint)
            i = names.index(driver.name)
            data.qpos[at] = multiplier * q[i] + offset
            V[dof, i] = multiplier
    return V


# ---- the tables ------------------------------------------------------------------------------------------------------


def agreement(seed: int, postures: int, every: int = 1) -> dict[str, list[Row]]:
    """Return the rows of both oracles. every: take only each k-th model."""
    from rich.progress import track

    rng = np.random.default_rng(seed)
    urdf, mjcf = list(urdf_files())[::every], list(mjcf_files())[::every]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "pinocchio": [
                compare_with_pinocchio(n, p, rng, postures) for n, p in track(urdf, "Pinocchio", disable=None)
            ],
            "mujoco": [compare_with_mujoco(n, p, rng, postures) for n, p in track(mjcf, "MuJoCo", disable=None)],
        }


def main() -> int:
    """Print the tables; with --out also write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postures", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    tables = agreement(options.seed, options.postures)
    failed = 0
    for oracle, rows in tables.items():
        compared = [r for r in rows if not r.skipped]
        print(f"\n{oracle}: {len(compared)} models compared, {len(rows) - len(compared)} skipped")
        for r in rows:
            what = (
                f"skipped: {r.skipped}"
                if r.skipped
                else f"n {r.n:3d}  frames {r.frames:3d}  pose {r.pose:.1e}  J {r.jacobian:.1e}"
            )
            print(f"  {'ok ' if r.ok else 'BAD'} {r.model:70s} {what}")
        failed += sum(not r.ok for r in rows)
        worst = max((max(r.pose, r.jacobian) for r in compared), default=0.0)
        print(f"{oracle}: largest difference {worst:.2e}, {sum(not r.ok for r in rows)} not within the bound")
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps({k: [asdict(r) for r in v] for k, v in tables.items()}, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

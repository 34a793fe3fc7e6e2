"""Peers that find all solutions of a target, each by the fastest of its public interfaces.

EAIK: the compiled Robot from axes and offsets. ik-geo: the factory for the arm's class. ssik: the native module that `ssik
build` writes, each posture once. py-opw-kinematics: the seven lengths of the arm. Conversions of targets and results are not
timed.
"""

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from limbik.cli.contest import apart, numpy_forward
from limbik.cli.opw import meeting_point, opw_model
from limbik.formats.urdf import write_urdf
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.robot.chain import Chain

# {name of the import: name of the package for `pip install`}.
PACKAGES = {"EAIK": "eaik", "ik-geo": "ik_geo", "ssik": "ssik", "py-opw-kinematics": "py_opw_kinematics"}
# A factory of ik-geo is used if it finds the generating posture of this many trial targets, within this tolerance [rad].
TRIALS, TRIAL_TOLERANCE = 20, 1e-6
# The most joints that EAIK takes, and the angle below which it treats axes as parallel [rad].
EAIK_JOINTS, PARALLEL = 6, 1e-9
# The time limit of `ssik build` [s].
BUILD_SECONDS = 120


@dataclass(frozen=True)
class Contestant:
    """A solver that finds all solutions of one target.

    prepare: converts a target and its generating posture into the arguments of work; not timed. The posture supplies the
    redundancy parameter of a redundant arm. work: the timed call. read: returns the postures (k, n) of a result. limits:
    whether the timed call enforces joint limits.
    """

    who: str
    how: str
    limits: bool
    work: Callable[..., Any]
    read: Callable[[Any], Array]
    prepare: Callable[[Array, Array], tuple[Any, ...]] = lambda T, q: (T,)


@dataclass(frozen=True)
class BatchContestant:
    """A solver that finds all solutions of many targets. work takes the result of prepare; read returns postures (k, n)."""

    who: str
    how: str
    limits: bool
    work: Callable[..., Any]
    read: Callable[[Any], list[Array]]
    prepare: Callable[[Array], tuple[Any, ...]] = lambda T: (T,)


def absent() -> list[str]:
    """Return the names of the peers that are not installed."""
    return [name for name, package in PACKAGES.items() if find_spec(package) is None]


def axes_and_offsets(arm: Chain) -> tuple[Array, Array, Array] | None:
    """Return the axes (n, 3), the offsets (n + 1, 3) and the tip's rotation at q = 0; None with prismatic joints."""
    T, last = np.eye(4), np.zeros(3)
    axes, offsets = [], []
    for joint in arm.model.mechanism.path(arm.base, arm.tip):
        T = T @ joint.origin
        if joint.kind is Kind.FIXED:
            continue
        if not joint.kind.is_revolute or joint.kind.size != 1:
            return None
        axes.append(T[:3, :3] @ np.asarray(joint.axis))
        offsets.append(T[:3, 3] - last)
        last = T[:3, 3]
    return np.array(axes), np.array([*offsets, T[:3, 3] - last]), T[:3, :3]


def closed_form_peers(arm: Chain) -> list[Contestant]:
    """Return the peers that solve one target of this arm per call."""
    return [found for build in (eaik, ik_geo, ssik, opw) if (found := build(arm)) is not None]


def batch_peers(arm: Chain, threads: int) -> list[BatchContestant]:
    """Return the peers that solve many targets of this arm per call."""
    return [found for build in (_eaik_batch, _opw_batch) if (found := build(arm, threads)) is not None]


def with_meeting_points(axes: Array, offsets: Array) -> Array:
    """Return offsets with the joint origins of intersecting neighbours at the intersection, so that they become zero."""
    points, tip = np.cumsum(offsets[:-1], axis=0), offsets.sum(axis=0)
    for k in range(len(axes) - 1):
        meeting = meeting_point(axes[k : k + 2], points[k : k + 2])
        if meeting is not None:
            points[k] = points[k + 1] = meeting
    return np.diff([np.zeros(3), *points, tip], axis=0)


# ---- EAIK ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EaikRobot:
    """EAIK's compiled robot. signs (n,): -1 for joints with reversed axes, so that parallel axes have the same direction."""

    robot: Any
    signs: Array

    def rows(self, found: Any, *, least_squares: bool = False) -> Array:
        """Return the postures (k, n) of a result. least_squares: include approximate solutions."""
        q = np.asarray(found.Q, float).reshape(-1, len(self.signs)) * self.signs
        return q if least_squares else np.asarray(q[~np.asarray(found.is_LS, bool)])


def eaik_robot(arm: Chain) -> EaikRobot | None:
    """Return EAIK's robot of an arm; None if EAIK is not installed or has no closed form for the arm."""
    screws = axes_and_offsets(arm)
    if find_spec("eaik") is None or screws is None or arm.n > EAIK_JOINTS:
        return None
    from eaik.pybindings.EAIK import Robot

    H, P, R = screws
    signs = np.ones(arm.n)
    for k in range(1, arm.n):
        before = [j for j in range(k) if np.linalg.norm(np.cross(H[j], H[k])) < PARALLEL]
        if before and signs[before[0]] * (H[before[0]] @ H[k]) < 0:
            signs[k] = -1.0
    robot = Robot((H * signs[:, None]).T, P.T, R, [], True)
    return EaikRobot(robot, signs) if robot.has_known_decomposition() else None


def eaik(arm: Chain) -> Contestant | None:
    """Return EAIK with its compiled Robot, or None."""
    known = eaik_robot(arm)
    if known is None:
        return None
    robot = known.robot

    def work(T: Array) -> Any:
        found = robot.calculate_IK(T)
        return found, found.Q

    return Contestant("EAIK", "pybindings Robot(H, P), double", False, work, lambda r: known.rows(r[0]))


def _eaik_batch(arm: Chain, threads: int) -> BatchContestant | None:
    known = eaik_robot(arm)
    if known is None:
        return None

    def work(T: list[Array]) -> Any:
        return known.robot.calculate_IK_batched(T, threads)

    def read(found: Any) -> list[Array]:
        return [known.rows(one) for one in found]

    return BatchContestant("EAIK", f"calculate_IK_batched, {threads} threads", False, work, read, lambda T: (list(T),))


# ---- ik-geo ----------------------------------------------------------------------------------------------------------


def ik_geo(arm: Chain) -> Contestant | None:
    """Return ik-geo with the most specific factory that solves trial targets of this arm, or None."""
    screws = axes_and_offsets(arm)
    if find_spec("ik_geo") is None or screws is None or arm.n != 6:
        return None
    from ik_geo import Robot

    H, P, R_tip = screws
    P = with_meeting_points(H, P)

    def prepare(T: Array, q: Array) -> tuple[Any, ...]:
        return np.ascontiguousarray(R_tip @ T[:3, :3].T), np.ascontiguousarray(
            T[:3, 3]
        )  # ik-geo expects column-major matrices

    def read(found: Any) -> Array:
        return np.array([q for q, least_squares in found if not least_squares]).reshape(-1, 6)

    truth = arm.sample(np.random.default_rng(0), TRIALS)
    for name in ("spherical_two_parallel", "spherical_two_intersecting", "three_parallel_two_intersecting",
                 "three_parallel", "spherical"):  # fmt: skip
        robot = getattr(Robot, name)(H.tolist(), P.tolist())
        found = [read(robot.get_ik(*prepare(T, q))) for T, q in zip(numpy_forward(arm, truth), truth, strict=True)]
        if all((apart(arm, rows, q) < TRIAL_TOLERANCE).any() for rows, q in zip(found, truth, strict=True)):
            return Contestant("ik-geo", f"Robot.{name}", False, robot.get_ik, read, prepare)
    return None


# ---- ssik ------------------------------------------------------------------------------------------------------------


def ssik(arm: Chain) -> Contestant | None:
    """Return ssik with the module that `ssik build` writes for this arm, or None."""
    module = _ssik_module(arm) if find_spec("ssik") is not None and axes_and_offsets(arm) is not None else None
    if module is None:
        return None
    solve = module.solve

    def work(T: Array) -> Any:
        return solve(T, enumerate_windings=False)

    def read(found: Any) -> Array:
        return np.array([one.q for one in found]).reshape(-1, arm.n)

    return Contestant("ssik", "module by `ssik build`, native", True, work, read)


def _ssik_module(arm: Chain) -> Any:
    """Build and import ssik's module of an arm; None if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        urdf, file = Path(folder) / "arm.urdf", Path(folder) / f"{arm.name}_ik.py"
        urdf.write_text(write_urdf(arm.model.mechanism))
        command = [sys.executable, "-m", "ssik.cli", "build", str(urdf), "--base", arm.base, "--ee", arm.tip,
                   "--out", str(file), "--no-validate"]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=BUILD_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode or not file.exists():
            return None
        spec = importlib.util.spec_from_file_location(file.stem, file)
        if spec is None or spec.loader is None:
            return None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


# ---- py-opw-kinematics -----------------------------------------------------------------------------------------------


def opw(arm: Chain) -> Contestant | None:
    """Return py-opw-kinematics for arms with an ortho-parallel base and a spherical wrist, else None."""
    model = _opw_robot(arm)
    if model is None:
        return None
    robot, base, tool = model
    return Contestant(
        "py-opw-kinematics",
        "compiled Robot.inverse",
        False,
        robot.inverse,
        lambda found: np.array(found, float).reshape(-1, 6),
        lambda T, q: (np.ascontiguousarray(base @ T @ tool),),
    )


def _opw_batch(arm: Chain, threads: int) -> BatchContestant | None:
    model = _opw_robot(arm)
    if model is None:
        return None
    robot, base, tool = model

    def work(poses: Array) -> Any:
        return robot.reach(poses, threads=threads)[0]

    def read(joints: Array) -> list[Array]:
        return [rows[np.isfinite(rows).all(axis=1)] for rows in joints]

    return BatchContestant("py-opw-kinematics", f"Robot.reach, {threads} threads", False, work, read,
                           lambda T: (np.ascontiguousarray((base @ T @ tool).reshape(-1, 16)),))  # fmt: skip


def _opw_robot(arm: Chain) -> tuple[Any, Array, Array] | None:
    """Return the robot of py-opw-kinematics and the left and right factors of a target."""
    screws = axes_and_offsets(arm)
    if find_spec("py_opw_kinematics") is None or screws is None or arm.n != 6:
        return None
    from py_opw_kinematics._internal import KinematicModel, Robot  # takes matrices; the outer one wraps them

    model = opw_model(*screws[:2])
    if model is None:
        return None
    parts: dict[str, Any] = {**model.lengths, "offsets": model.offsets, "flip_axes": model.flips}
    robot = Robot(KinematicModel(**parts), degrees=False)
    tool = np.linalg.inv(model.base @ numpy_forward(arm, np.zeros((1, 6)))[0]) @ np.asarray(robot.forward((0.0,) * 6))
    q = arm.sample(np.random.default_rng(0))
    pose = np.asarray(robot.forward(tuple(q)))
    same = np.abs(model.base @ numpy_forward(arm, q[None])[0] @ tool - pose).max() < TRIAL_TOLERANCE
    return (robot, model.base, tool) if same else None

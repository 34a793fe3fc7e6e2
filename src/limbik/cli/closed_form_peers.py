"""Peers that find all postures at once, each by the fastest of its public interfaces.

EAIK: its compiled Robot from axes and offsets. ik-geo: the factory for the arm's class. ssik: the module that `ssik build`
writes, native, each posture once. py-opw-kinematics: the seven lengths read off the arm. Targets are brought into a peer's
own form before the clock starts, and its postures are read into arrays after it has stopped.
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

# The package that each peer is imported as; what `pip install` calls it.
PACKAGES = {"EAIK": "eaik", "ik-geo": "ik_geo", "ssik": "ssik", "py-opw-kinematics": "py_opw_kinematics"}
# A factory of ik-geo is taken when it finds the generating posture of as many trial targets, to within [rad].
TRIALS, TRIAL_TOLERANCE = 20, 1e-6
# EAIK takes no more joints, and axes nearer than this are parallel to it [rad].
EAIK_JOINTS, PARALLEL = 6, 1e-9
# How long `ssik build` may take [s].
BUILD_SECONDS = 120


@dataclass(frozen=True)
class Contestant:
    """Who finds all postures of a target, and how.

    prepare: what a target and the posture it was made by are turned into before the clock starts; the posture is for those
    who must be told where a redundant arm stands. work: what is timed. read: postures (k, n) of a result. limits: whether it
    keeps joint limits within that time.
    """

    who: str
    how: str
    limits: bool
    work: Callable[..., Any]
    read: Callable[[Any], Array]
    prepare: Callable[[Array, Array], tuple[Any, ...]] = lambda T, q: (T,)


@dataclass(frozen=True)
class BatchContestant:
    """Who finds all postures of many targets. work takes what prepare returns; read gives a list of postures (k, n)."""

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
    """Return axes (n, 3), offsets between them (n + 1, 3) and the tip's turn, all with the arm at 0; None with slides."""
    T, last = np.eye(4), np.zeros(3)
    axes, offsets = [], []
    for joint in arm.mechanism.path(arm.base, arm.tip):
        T = T @ joint.origin
        if joint.kind is Kind.FIXED:
            continue
        if not joint.kind.turns or joint.kind.size != 1:
            return None
        axes.append(T[:3, :3] @ np.asarray(joint.axis))
        offsets.append(T[:3, 3] - last)
        last = T[:3, 3]
    return np.array(axes), np.array([*offsets, T[:3, 3] - last]), T[:3, :3]


def closed_form_peers(arm: Chain) -> list[Contestant]:
    """Return the peers that solve this arm, one target a call."""
    return [found for build in (eaik, ik_geo, ssik, opw) if (found := build(arm)) is not None]


def batch_peers(arm: Chain, threads: int) -> list[BatchContestant]:
    """Return the peers that solve this arm, many targets a call."""
    return [found for build in (_eaik_batch, _opw_batch) if (found := build(arm, threads)) is not None]


def with_meeting_points(axes: Array, offsets: Array) -> Array:
    """Return offsets that begin and end where neighbouring axes meet, so that an offset between such axes is zero."""
    points, tip = np.cumsum(offsets[:-1], axis=0), offsets.sum(axis=0)
    for k in range(len(axes) - 1):
        meeting = meeting_point(axes[k : k + 2], points[k : k + 2])
        if meeting is not None:
            points[k] = points[k + 1] = meeting
    return np.diff([np.zeros(3), *points, tip], axis=0)


# ---- EAIK ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EaikRobot:
    """EAIK's compiled robot. signs (n,): joints it is told of the other way round, so that parallel axes also point alike."""

    robot: Any
    signs: Array

    def rows(self, found: Any, *, least_squares: bool = False) -> Array:
        """Return the postures (k, n) of a result; those it calls least-squares ones only when asked for."""
        q = np.asarray(found.Q, float).reshape(-1, len(self.signs)) * self.signs
        return q if least_squares else np.asarray(q[~np.asarray(found.is_LS, bool)])


def eaik_robot(arm: Chain) -> EaikRobot | None:
    """Return EAIK's robot of an arm; None where it is not installed or has no closed form for it."""
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
    """EAIK, by its compiled Robot."""
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
    """ik-geo, by the most special of its factories that solves trial targets of this arm."""
    screws = axes_and_offsets(arm)
    if find_spec("ik_geo") is None or screws is None or arm.n != 6:
        return None
    from ik_geo import Robot

    H, P, R_tip = screws
    P = with_meeting_points(H, P)

    def prepare(T: Array, q: Array) -> tuple[Any, ...]:
        return np.ascontiguousarray(R_tip @ T[:3, :3].T), np.ascontiguousarray(T[:3, 3])  # it reads a matrix by columns

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
    """ssik, by the module that `ssik build` writes for this arm."""
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
    """Build and import ssik's module of an arm; None where ssik cannot."""
    with tempfile.TemporaryDirectory() as folder:
        urdf, file = Path(folder) / "arm.urdf", Path(folder) / f"{arm.name}_ik.py"
        urdf.write_text(write_urdf(arm.mechanism))
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
    """py-opw-kinematics, for arms with a parallel base and a spherical wrist."""
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
    """Return its robot, and what a target is multiplied by from the left and from the right."""
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

"""`limbik bench solve`: reaching poses with limbik and its peers in one run; every answer is verified independently.

Targets are poses of random postures inside the limits. An answer succeeds if it is within 1e-4 m and 1e-3 rad of the target
and, modulo 2 pi, inside the limits, by forward kinematics in NumPy that shares no code with the core. Cold start: home, or a
random posture for a peer that needs one. Warm start: the true posture with 0.1 rad of noise.
"""

import json
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik._core import build_info
from limbik.cli.console import plain_console, print_whole, watched
from limbik.cli.contest import inside_limits, numpy_forward, pose_errors, timed_calls
from limbik.cli.options import AsJson
from limbik.errors import BadOption
from limbik.formats.urdf import write_urdf
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The tolerances of a success, the same for every contestant [m, rad].
POSITION, ROTATION = 1e-4, 1e-3
WARM_NOISE = 0.1

Solver = Callable[[Array, Array], Array | None]


def successes(arm: Chain, q: Array, T: Array) -> tuple[Any, Any]:
    """Return which postures reach their targets, and which of them are inside the limits modulo 2 pi."""
    found = np.asarray(np.isfinite(q).all(axis=1))
    x = np.where(found[:, None], q, 0.0)
    position, angle = pose_errors(arm, x, T)
    pose = found & (position < POSITION) & (angle < ROTATION)
    return pose, pose & inside_limits(arm, x)


def solve(
    robot: Annotated[
        list[str] | None, typer.Option(help="Robots of the catalogue, or files; repeat for several.")
    ] = None,
    targets: Annotated[int, typer.Option(help="Targets per robot.")] = 2000,
    peers: Annotated[bool, typer.Option(help="Also run the installed peers.")] = True,
    as_json: AsJson = False,
) -> None:
    """Reach random poses: limbik, roboticstoolbox, a Pinocchio loop, TRAC-IK, ikpy.

    Example: limbik bench solve --robot ur5 --targets 1000
    """
    if targets < 10:
        raise BadOption("at least 10 targets are needed")
    rows: list[dict[str, Any]] = []
    for name in robot or ["puma560", "ur5", "iiwa7", "panda"]:
        arm = load(name)
        if not isinstance(arm, Chain):
            raise BadOption(f"'{name}' has several tips; bench solve takes a chain")
        rows += measure(arm, targets, peers)
    if as_json:
        print(json.dumps({"core": build_info(), "targets": targets, "rows": rows}))
        return
    table = Table(
        "robot",
        "start",
        "solver",
        "median [us]",
        "p99 [us]",
        "solved [%]",
        "pose only [%]",
        "speed-up of limbik",
        box=None,
        header_style="bold",
    )
    for r in rows:
        ratio = "" if r["ratio"] is None else f"{r['ratio']:.1f} x"
        numbers = (f"{r['median']:.2f}", f"{r['p99']:.1f}", f"{r['solved']:.2f}", f"{r['pose']:.2f}")
        table.add_row(r["robot"], r["start"], r["who"], *numbers, ratio)
    console = plain_console()
    print_whole(console, table)
    console.print("solved: pose reached inside the joint limits; pose only: pose reached, limits ignored")


def measure(arm: Chain, count: int, with_peers: bool = True) -> list[dict[str, Any]]:
    """Return one row per start and contestant."""
    rng = np.random.default_rng(0)
    truth = arm.sample(rng, count)
    T = numpy_forward(arm, truth)
    starts = {
        "cold": np.broadcast_to(arm.home, truth.shape),
        "warm": np.clip(truth + rng.normal(0, WARM_NOISE, truth.shape), arm.lower, arm.upper),
    }
    random = arm.sample(rng, count)
    contestants: list[tuple[str, Solver, bool]] = [("limbik", lambda t, s: arm.solve(t, s, "lm").q, False)]
    if with_peers:
        for build in (_toolbox, _pinocchio, _tracik, _ikpy):
            contestants += build(arm)
    rows: list[dict[str, Any]] = []
    for start, seeds in starts.items():
        ours = 0.0
        for who, work, wants_random in watched(contestants, f"{arm.name} {start}"):
            given = random if wants_random and start == "cold" else seeds
            results, times = timed_calls(work, [(t.copy(), np.array(s)) for t, s in zip(T, given, strict=True)])
            q = _postures(results, arm.n)
            pose, solved = successes(arm, q, T[: len(q)])
            median = float(np.median(times) * 1e6)
            ours = median if who == "limbik" else ours
            rows.append({"robot": arm.name, "start": start, "who": who, "n": len(q), "median": median,
                         "p99": float(np.percentile(times, 99) * 1e6), "solved": 100 * float(solved.mean()),
                         "pose": 100 * float(pose.mean()), "ratio": None if who == "limbik" else median / ours})  # fmt: skip
    return rows


def _postures(results: list[Array | None], n: int) -> Array:
    """Return (N, n), NaN where a contestant found nothing."""
    return np.array([np.full(n, np.nan) if q is None else q for q in results])


# ---- peers -----------------------------------------------------------------------------------------------------------


def _toolbox(arm: Chain) -> list[tuple[str, Solver, bool]]:
    if find_spec("roboticstoolbox") is None or not all(e.joint.kind.size == 1 for e in arm.model.compiled.elements):
        return []
    import roboticstoolbox as rtb

    parts = []
    for k, e in enumerate(arm.model.compiled.elements):
        limits = np.array([arm.lower[k], arm.upper[k]])
        limits = np.where(np.isfinite(limits), limits, [-np.pi, np.pi])
        parts.append(rtb.ET.SE3(np.array(e.placement)))
        parts.append(rtb.ET.tz(qlim=limits) if e.joint.kind is Kind.PRISMATIC else rtb.ET.Rz(qlim=limits))
    parts.append(rtb.ET.SE3(np.array(arm.model.compiled.frames[arm.tip][1])))
    ets = rtb.ETS(parts)

    def work(T: Array, seed: Array) -> Array | None:
        found = ets.ik_LM(T, q0=seed, method="chan", k=0.1, tol=1e-10)  # its default, 1e-6, stops 1 mm from the target
        return np.asarray(found.q).reshape(-1) if found.success else None

    return [("roboticstoolbox LM", work, True)]


def _pinocchio(arm: Chain) -> list[tuple[str, Solver, bool]]:
    """Damped least squares on Pinocchio's primitives, with steps clipped to the limits; one attempt."""
    if find_spec("pinocchio") is None:
        return []
    import pinocchio as pin

    model = pin.buildModelFromXML(write_urdf(arm.model.mechanism))
    if [str(name) for name in list(model.names)[1:]] != list(arm.joint_names) or model.nq != arm.n:
        return []
    data, frame = model.createData(), model.getFrameId(arm.tip)

    def work(T: Array, seed: Array) -> Array | None:
        target, q = pin.SE3(T), seed
        for _ in range(100):
            pin.framesForwardKinematics(model, data, q)
            error = pin.log6(data.oMf[frame].actInv(target)).vector
            if np.linalg.norm(error) < 1e-6:
                return np.asarray(q)
            J = pin.computeFrameJacobian(model, data, q, frame)
            q = np.clip(q + J.T @ np.linalg.solve(J @ J.T + 1e-6 * np.eye(6), error), arm.lower, arm.upper)
        return None

    return [("pinocchio loop", work, True)]


def _tracik(arm: Chain) -> list[tuple[str, Solver, bool]]:
    if find_spec("trac_ik") is None or not np.isfinite([arm.lower, arm.upper]).all():
        return []
    from trac_ik import TracIK

    folder = tempfile.mkdtemp()
    path = Path(folder) / "arm.urdf"
    path.write_text(write_urdf(arm.model.mechanism))
    solver = TracIK(arm.base, arm.tip, str(path), timeout=0.05, epsilon=1e-5)

    def work(T: Array, seed: Array) -> Array | None:
        found = solver.ik(T[:3, 3], T[:3, :3], seed_jnt_values=seed)
        return None if found is None else np.asarray(found)

    return [("TRAC-IK", work, True)]


def _ikpy(arm: Chain) -> list[tuple[str, Solver, bool]]:
    if find_spec("ikpy") is None or any(e.joint.kind is Kind.PRISMATIC for e in arm.model.compiled.elements):
        return []
    import ikpy.chain
    import ikpy.link

    from limbik.geometry.se3 import rpy_of

    links: list[Any] = [ikpy.link.OriginLink()]
    for joint in arm.model.mechanism.path(arm.base, arm.tip):
        axis = None if joint.kind is Kind.FIXED else np.asarray(joint.axis)
        kind = "fixed" if axis is None else "revolute"
        position, rpy = np.asarray(joint.origin)[:3, 3], np.array(rpy_of(np.asarray(joint.origin)))
        bounds = (joint.lower, joint.upper)
        links.append(ikpy.link.URDFLink(joint.name, position, rpy, rotation=axis, bounds=bounds, joint_type=kind))
    active = [isinstance(link, ikpy.link.URDFLink) and link.joint_type != "fixed" for link in links]
    chain = ikpy.chain.Chain(links, active_links_mask=active)

    def work(T: Array, seed: Array) -> Array | None:
        full = np.zeros(len(links))
        full[active] = np.clip(seed, arm.lower + 1e-9, arm.upper - 1e-9)
        return np.asarray(chain.inverse_kinematics_frame(T, initial_position=full, orientation_mode="all"))[active]

    return [("ikpy", work, True)]

"""`limbik bench`: limbik and its peers on the same robot in one run; results are compared before timing."""

import json
import platform
from collections.abc import Callable
from importlib.util import find_spec
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik._core import build_info
from limbik.cli.bench_all import all_postures
from limbik.cli.bench_solve import solve
from limbik.cli.console import plain_console, print_whole
from limbik.cli.options import AsJson
from limbik.errors import BadOption, LimbikError
from limbik.formats.urdf import write_urdf
from limbik.model.joint import Kind
from limbik.robot.chain import Chain
from limbik.robot.load import load

bench = typer.Typer(
    help="Measure limbik and its peers.", no_args_is_help=True, epilog="Example: limbik bench fk --robot panda"
)

# A peer whose poses or Jacobians differ from limbik's by more than this is not timed [m, rad, m/rad].
AGREEMENT = 1e-9
# Calls per measurement of a single call.
CALLS = 2000
# Rounds over all contestants; the median is printed.
ROUNDS = 15
# Configurations of a batch.
ROWS = 1000


bench.command("solve")(solve)
bench.command("all")(all_postures)


@bench.callback()
def _group() -> None:
    pass


@bench.command("fk")
def fk(
    robot: Annotated[str, typer.Option(help="A name of the catalogue or a file.")] = "panda",
    rounds: Annotated[int, typer.Option(help="Rounds of measurements; the median is printed.")] = ROUNDS,
    as_json: AsJson = False,
) -> None:
    """Forward kinematics and Jacobians: limbik, Pinocchio, roboticstoolbox.

    Example: limbik bench fk --robot panda --json
    """
    arm = load(robot)
    if not isinstance(arm, Chain):
        raise BadOption(f"'{robot}' has several tips; bench fk takes a chain")
    if rounds < 1:
        raise BadOption("at least one round is needed")
    rows = measure(arm, rounds)
    if as_json:
        print(
            json.dumps(
                {
                    "robot": arm.name,
                    "n": arm.n,
                    "core": build_info(),
                    "machine": platform.processor() or platform.machine(),
                    "rows": rows,
                }
            )
        )
        return
    table = Table("task", "library", "time per pose [us]", "speed-up of limbik", box=None, header_style="bold")
    for row in rows:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f} x"
        table.add_row(row["work"], row["who"], f"{row['us']:.3f}" if row["us"] is not None else row["why"], ratio)
    console = plain_console()
    console.print(
        f"{arm.model.mechanism.title or arm.name}, {arm.n} joints; core {build_info()['level']}; "
        f"median of {rounds} round{'s' * (rounds != 1)}, one thread"
    )
    print_whole(console, table)


def measure(arm: Chain, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """Return one row per task and contestant: the median time per pose [us] and its ratio to limbik's."""
    rng = np.random.default_rng(0)
    q, Q = arm.sample(rng), arm.sample(rng, ROWS)
    contestants: list[tuple[str, str, Callable[[], Any], int]] = [
        ("FK, one call", "limbik", lambda: arm.forward(q), 1),
        ("Jacobian, one call", "limbik", lambda: arm.jacobian(q), 1),
        ("FK + Jacobian, one call", "limbik", lambda: arm.forward_jacobian(q), 1),
        (f"FK, batch of {ROWS}, per pose", "limbik", lambda: arm.forward(Q, threads=1), ROWS),
        (f"FK + Jacobian, batch of {ROWS}, per pose", "limbik", lambda: arm.forward_jacobian(Q, threads=1), ROWS),
    ]
    absent: list[dict[str, Any]] = []
    for name, package, build in (
        ("pinocchio", "pinocchio", _pinocchio),
        ("roboticstoolbox", "roboticstoolbox", _toolbox),
    ):
        if find_spec(package) is None:
            absent.append(
                {
                    "work": "all",
                    "who": name,
                    "us": None,
                    "ratio": None,
                    "why": "not installed: pip install 'limbik[bench]'",
                }
            )
            continue
        contestants += build(arm, q, Q)
    times: dict[int, list[float]] = {k: [] for k in range(len(contestants))}
    for _ in range(rounds):
        for k, (_, _, work, poses) in enumerate(contestants):
            calls = CALLS if poses == 1 else max(1, CALLS // 50)
            work()
            start = perf_counter()
            for _ in range(calls):
                work()
            times[k].append((perf_counter() - start) / calls / poses * 1e6)
    ours = {what: float(np.median(times[k])) for k, (what, who, _, _) in enumerate(contestants) if who == "limbik"}
    rows: list[dict[str, Any]] = []
    for k, (what, who, _, _) in enumerate(contestants):
        us = float(np.median(times[k]))
        rows.append({"work": what, "who": who, "us": us, "ratio": None if who == "limbik" else us / ours[what]})
    return sorted(rows, key=lambda row: list(ours).index(row["work"])) + absent


def _check(who: str, ours: Any, theirs: Any) -> None:
    worst = float(np.abs(np.asarray(ours) - np.asarray(theirs)).max())
    if not worst <= AGREEMENT:
        raise LimbikError(f"{who} differs from limbik by {worst:.1e} on this robot: not timed")


def _pinocchio(arm: Chain, q: Any, Q: Any) -> list[tuple[str, str, Callable[[], Any], int]]:
    import pinocchio as pin

    model = pin.buildModelFromXML(write_urdf(arm.model.mechanism))
    data = model.createData()
    frame = model.getFrameId(arm.tip)
    wide = any(model.joints[k].nq != 1 for k in range(1, model.njoints))
    if wide or [str(name) for name in list(model.names)[1:]] != list(arm.joint_names):
        return []
    world = pin.LOCAL_WORLD_ALIGNED

    def forward() -> Any:
        pin.framesForwardKinematics(model, data, q)
        return data.oMf[frame].homogeneous

    def jacobian() -> Any:
        return pin.computeFrameJacobian(model, data, q, frame, world)

    def both() -> Any:
        J = pin.computeFrameJacobian(model, data, q, frame, world)
        pin.updateFramePlacement(model, data, frame)
        return data.oMf[frame].homogeneous, J

    _check("pinocchio", arm.forward(q), forward())
    _check("pinocchio", arm.jacobian(q), jacobian())
    return [("FK, one call", "pinocchio", forward, 1), ("Jacobian, one call", "pinocchio", jacobian, 1),
            ("FK + Jacobian, one call", "pinocchio", both, 1)]  # fmt: skip


def _toolbox(arm: Chain, q: Any, Q: Any) -> list[tuple[str, str, Callable[[], Any], int]]:
    import roboticstoolbox as rtb

    parts = []
    for e in arm.model.compiled.elements:
        parts.append(rtb.ET.SE3(np.array(e.placement)))
        parts.append(rtb.ET.tz() if e.joint.kind is Kind.PRISMATIC else rtb.ET.Rz())
    parts.append(rtb.ET.SE3(np.array(arm.model.compiled.frames[arm.tip][1])))
    ets = rtb.ETS(parts)
    _check("roboticstoolbox", arm.forward(q), ets.eval(q))
    _check("roboticstoolbox", arm.jacobian(q), ets.jacob0(q))

    def both() -> Any:
        return ets.eval(q), ets.jacob0(q)

    return [
        ("FK, one call", "roboticstoolbox", lambda: ets.eval(q), 1),
        ("Jacobian, one call", "roboticstoolbox", lambda: ets.jacob0(q), 1),
        ("FK + Jacobian, one call", "roboticstoolbox", both, 1),
        (f"FK, batch of {ROWS}, per pose", "roboticstoolbox", lambda: ets.eval(Q), ROWS),
    ]

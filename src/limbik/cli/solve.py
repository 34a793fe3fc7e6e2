"""`limbik solve`: postures that reach a target, or all targets of a file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik._core import Answer, Status
from limbik.cli.console import plain_console
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Snap, Tip, Unit, ZeroLimits
from limbik.cli.portions import Portion, solve_file
from limbik.cli.postures import Wanted
from limbik.cli.solve_all import many_targets, one_target, swivel_from_text
from limbik.cli.solve_many import solve_many
from limbik.cli.targets import numbers_from_text, pose_from_numbers
from limbik.cli.units import readable, seed_from_text, unit_names
from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.preference import NEAREST

EXAMPLES = """Files of targets and results may be larger than the memory. Results have a row for each target, in radians and
metres, with the fields q, status, position_error and rotation_error. A .npy file holds records that can be memory-mapped, as in
np.load("answers.npy", mmap_mode="r")["q"]; .npz holds one array per field; .csv one line per target.

The result file is written when all targets are done. Partial results are kept in answers.npy.parts/; the same command resumes an
interrupted run.

Examples:

  limbik solve panda --pose 0.4,0.1,0.5,180,0,30

  limbik solve ur5 --pose 0.3,0.2,0.4,180,0,0 --seed 0,-90,90,0,90,0 --json

  limbik solve cell.urdf --tip tool0 --targets poses.csv --out answers.csv

  limbik solve panda --targets poses.npy --prefer limits --out answers.npz

  limbik solve panda --targets huge.npy --out answers.npy --workers 4

  limbik solve puma560 --pose 0.5,0.1,0.3,180,0,30 --all

  limbik solve iiwa7 --pose 0.4,0.1,0.5,180,0,0 --all --swivel 30

  limbik solve ur5 --pose 0.4,0.1,0.5,180,0,0 --network ur5.network --method neural

  limbik solve ur5 --pose 0.4,0.1,0.5,180,0,0 --method dls:damping=0.05,steps=300
"""


def solve(
    robot: Robot,
    pose: Annotated[
        str | None, typer.Option(help="x,y,z,roll,pitch,yaw (m, degrees), x,y,z,qw,qx,qy,qz, or a 4x4 matrix.")
    ] = None,
    position: Annotated[str | None, typer.Option(help="x,y,z (m), with the orientation of the home posture.")] = None,
    targets: Annotated[
        Path | None, typer.Option(help="Many targets: .csv (one pose per row) or .npy (N, 4, 4).")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Results of --targets: .npy, .npz or .csv; default: the screen."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="With --out: number of processes; default: one, on all cores.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="With --out: the address of a dask scheduler, or 'local' to start one here.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="With --out: discard partial results of an earlier run.")
    ] = False,
    seed: Annotated[
        str | None,
        typer.Option(help="Joint values to start from (degrees; metres for prismatic joints)."),
    ] = None,
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    snap: Snap = False,
    zero_limits: ZeroLimits = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="Method, with optional settings: dls:damping=0.05. Default: closed_form if there is one, else lm."
        ),
    ] = None,
    table: Annotated[Path | None, typer.Option(help="A table of the robot, made by limbik table build.")] = None,
    network: Annotated[
        Path | None, typer.Option(help="A network of the robot, made by limbik train, for --method neural.")
    ] = None,
    limits: Annotated[bool, typer.Option(help="Keep joint limits.")] = True,
    prefer: Annotated[
        str, typer.Option(help="Preferred posture: nearest (to the seed), limits (far from the limits) or manipulable.")
    ] = NEAREST,
    every: Annotated[bool, typer.Option("--all", help="List all postures, by branch.")] = False,
    swivel: Annotated[
        str | None,
        typer.Option(
            help="With --all, redundant arms: the swivel in degrees (or the value of the free joint), limits, manipulable, or a "
            "point x,y,z for the elbow."
        ),
    ] = None,
    turns: Annotated[
        str, typer.Option(help="With --all: nearest lists the 2-pi copy nearest to the seed; all lists every copy.")
    ] = NEAREST,
    as_json: AsJson = False,
) -> None:
    """Find verified joint values for a pose of the tip. Exit code 1 if a target is not reached."""
    if sum(x is not None for x in (pose, position, targets)) != 1:
        raise BadOption("give one of --pose, --position or --targets")
    if (workers is not None or cluster is not None or fresh) and (targets is None or out is None or every):
        raise BadOption("--workers, --cluster and --fresh require --targets and --out, and exclude --all")
    if targets is not None and out is not None and targets.resolve() == out.resolve():
        raise BadOption(f"--targets and --out are both '{out}': the results would overwrite the targets")
    arm = one_arm(robot, base, tip, unit, table, network, snap=snap, zero_limits=zero_limits)
    start = None if seed is None else seed_from_text(arm, seed)
    if every:
        if method is not None or prefer != NEAREST:
            raise BadOption(
                "--method and --prefer choose one posture; --all lists all of them (--swivel chooses among them)"
            )
        wanted = Wanted(arm, start, limits, swivel_from_text(arm, swivel), turns)
        if targets is not None:
            raise typer.Exit(0 if many_targets(wanted, targets, out, as_json) else 1)
    elif swivel is not None or turns != NEAREST:
        raise BadOption("--swivel and --turns require --all")
    how: dict[str, Any] = {"method": method, "limits": limits, "prefer": prefer}
    if targets is not None and out is not None:
        run: dict[str, Any] = {"workers": workers, "cluster": cluster, "fresh": fresh, "as_json": as_json}
        raise typer.Exit(0 if solve_many(arm, targets, out, {"seeds": start, **how}, **run) else 1)
    if targets is not None:
        raise typer.Exit(0 if _many(arm, targets, as_json, seeds=start, **how) else 1)
    if out is not None:
        raise BadOption("--out requires --targets")
    if every:
        raise typer.Exit(0 if one_target(wanted, _target(arm, pose, position), as_json) else 1)
    answer = arm.solve(_target(arm, pose, position), seed=start, **how)
    if as_json:
        print(json.dumps(_facts(arm, answer)))
    else:
        _print(arm, answer)
    raise typer.Exit(0 if answer.ok else 1)


solve.__doc__ = f"{solve.__doc__}\n\n{EXAMPLES}"


def _target(arm: Chain, pose: str | None, position: str | None) -> Any:
    if pose is not None:
        return pose_from_numbers(numbers_from_text(pose, "--pose"), "--pose")
    xyz = numbers_from_text(position or "", "--position")
    if len(xyz) != 3:
        raise BadOption(f"--position has {len(xyz)} numbers; give x,y,z")
    T = np.array(arm.forward(arm.home))
    T[:3, 3] = xyz
    return T


def _facts(arm: Chain, answer: Answer) -> dict[str, Any]:
    return {
        "robot": arm.name,
        "ok": answer.ok,
        "status": Status(answer.code).name,
        "why": answer.why,
        "q": dict(zip(arm.joint_names, answer.q.tolist(), strict=True)),
        "position_error": answer.position_error,
        "rotation_error": answer.rotation_error,
        "target": answer.target.tolist(),
    }


def _print(arm: Chain, answer: Answer) -> None:
    table = Table("joint", "value", "lower", "upper", box=None, header_style="bold")
    factor, units = readable(arm), unit_names(arm)
    columns = (answer.q * factor, arm.lower * factor, arm.upper * factor)
    for name, unit, q, low, high in zip(arm.joint_names, units, *columns, strict=True):
        ends = [f"{x:.6g} {unit}" if np.isfinite(x) else "none" for x in (low, high)]
        table.add_row(name, f"{q:.6f} {unit}", *ends)
    console = plain_console()
    console.print(f"{Status(answer.code).name}: {answer.why}", soft_wrap=True)
    console.print(table)
    console.print(f"position error {answer.position_error:.2e} m, rotation error {answer.rotation_error:.2e} rad")


def _many(arm: Chain, targets: Path, as_json: bool, **how: Any) -> bool:
    """Solve a file of targets and print one posture each. Return whether all are solved."""
    header = ["row", "status", "position_error", "rotation_error", *arm.joint_names]

    def portion(poses: Array, first: int) -> Portion:
        batch = arm.solve_batch(poses, invalid="mark", **how)
        arrays = {f: getattr(batch, f) for f in ("q", "status", "position_error", "rotation_error")}
        return Portion(header, _rows(batch, first), arrays, len(batch), int(batch.ok.sum()))

    return solve_file(portion, targets, None, as_json)


def _rows(batch: BatchAnswer, first: int) -> Iterator[list[Any]]:
    for k in range(len(batch)):
        errors = [float(batch.position_error[k]), float(batch.rotation_error[k])]
        yield [first + k, Status(int(batch.status[k])).name, *errors, *batch.q[k].tolist()]

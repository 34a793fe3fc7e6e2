"""`limbik solve`: postures that reach a target, or a file of targets."""

import csv
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, TextIO

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from limbik._core import Answer
from limbik.cli.console import plain_console
from limbik.cli.targets import numbers_from_text, pose_from_numbers, read_targets
from limbik.errors import BadFile, BadOption
from limbik.model.joint import Kind
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.solving import NEAREST
from limbik.solvers.answer import Status
from limbik.solvers.batch_answer import BatchAnswer

EXAMPLES = """Examples:

  limbik solve panda --pose 0.4,0.1,0.5,180,0,30          x,y,z in metres, roll,pitch,yaw in degrees

  limbik solve ur5 --pose 0.3,0.2,0.4,180,0,0 --seed 0,-90,90,0,90,0 --json

  limbik solve cell.urdf --tip tool0 --targets poses.csv --out answers.csv

  limbik solve panda --targets poses.npy --prefer limits --out answers.npz
"""


def solve(
    robot: Annotated[str, typer.Argument(help="A name of the catalogue or a file.")],
    pose: Annotated[
        str | None, typer.Option(help="x,y,z,roll,pitch,yaw (m, degrees), x,y,z,qw,qx,qy,qz, or a 4x4 matrix.")
    ] = None,
    position: Annotated[str | None, typer.Option(help="x,y,z (m), turned as at home.")] = None,
    targets: Annotated[Path | None, typer.Option(help="Many targets: .csv (one pose a row) or .npy (N, 4, 4).")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where results of --targets go: .csv or .npz (radians, metres); default: the screen."),
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Joint values to start from (degrees, metres for slides).")] = None,
    base: Annotated[str | None, typer.Option(help="Frame to start from.")] = None,
    tip: Annotated[str | None, typer.Option(help="Frame to bring to the target.")] = None,
    unit: Annotated[str, typer.Option(help="What lengths in the robot's file are written in.")] = "m",
    method: Annotated[str | None, typer.Option(help="How to solve; the best there is by default.")] = None,
    limits: Annotated[bool, typer.Option(help="Keep joint limits.")] = True,
    prefer: Annotated[
        str, typer.Option(help="Which posture: nearest (the seed), limits (far from them) or manipulable.")
    ] = NEAREST,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find joint values that bring the tip to a pose, verified. Exit code 1 when a target is not reached."""
    if sum(x is not None for x in (pose, position, targets)) != 1:
        raise BadOption("give one of --pose, --position or --targets")
    arm = load(robot, base, tip, unit)
    if not isinstance(arm, Chain):
        raise BadOption(f"'{arm.name}' has several tips; name one: --tip {arm.tips[0]}")
    start = None if seed is None else _seed(arm, seed)
    how: dict[str, Any] = {"method": method, "limits": limits, "prefer": prefer}
    if targets is not None:
        raise typer.Exit(0 if _many(arm, targets, out, as_json, seeds=start, **how) else 1)
    if out is not None:
        raise BadOption("--out goes with --targets")
    answer = arm.solve(_target(arm, pose, position), seed=start, **how)
    if as_json:
        print(json.dumps(_facts(arm, answer)))
    else:
        _print(arm, answer)
    raise typer.Exit(0 if answer.ok else 1)


solve.__doc__ = f"{solve.__doc__}\n\n{EXAMPLES}"


def _turning(arm: Chain) -> Any:
    """(n,) factor from radians to what people read: degrees, or metres for slides."""
    factor = np.full(arm.n, 180 / np.pi)
    for v in arm._compiled.variables:
        lengths = {Kind.PRISMATIC: 1, Kind.FLOATING: 3}.get(v.joint.kind, 0)
        factor[v.first : v.first + lengths] = 1.0
    return factor


def _seed(arm: Chain, text: str) -> Any:
    numbers = numbers_from_text(text, "--seed")
    if len(numbers) != arm.n:
        raise BadOption(f"--seed has {len(numbers)} numbers; '{arm.name}' has {arm.n} joint values")
    return np.array(numbers) / _turning(arm)


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
    units = ["m" if f == 1.0 else "deg" for f in _turning(arm)]
    columns = (answer.q * _turning(arm), arm.lower * _turning(arm), arm.upper * _turning(arm))
    for name, unit, q, low, high in zip(arm.joint_names, units, *columns, strict=True):
        ends = [f"{x:.4g} {unit}" if np.isfinite(x) else "none" for x in (low, high)]
        table.add_row(name, f"{q:.6f} {unit}", *ends)
    console = plain_console()
    console.print(f"{Status(answer.code).name}: {answer.why}")
    console.print(table)
    console.print(f"position error {answer.position_error:.2e} m, rotation error {answer.rotation_error:.2e} rad")


def _many(arm: Chain, targets: Path, out: Path | None, as_json: bool, **how: Any) -> bool:
    """Solve a file portion by portion; write what is done as it comes. True when every row is solved."""
    if out is not None and out.suffix.lower() not in (".csv", ".npz"):
        raise BadFile(f"'{out}' ends in {out.suffix!r}; results go to .csv or .npz")
    if out is not None and not out.parent.is_dir():
        raise BadFile(f"cannot write '{out}': there is no folder '{out.parent}'")
    collected: list[BatchAnswer] = []
    solved = total = 0
    quiet = out is None or not sys.stderr.isatty()
    try:
        opened = (
            out.open("w", newline="") if out is not None and out.suffix.lower() == ".csv" else nullcontext(sys.stdout)
        )
    except OSError as error:
        raise BadFile(f"cannot write '{out}': {error.strerror}") from None
    with opened as stream, Progress(console=Console(stderr=True), disable=quiet) as progress:
        bar = progress.add_task("solving", total=None)
        for portion in read_targets(targets):
            batch = arm.solve_batch(portion, invalid="mark", **how)
            if out is not None and out.suffix.lower() == ".npz":
                collected.append(batch)
            else:
                _write(stream, arm, batch, total, as_json and out is None)
            total, solved = total + len(batch), solved + int(batch.ok.sum())
            progress.update(bar, completed=total, description=f"solved {solved} of {total}")
    if out is not None and out.suffix.lower() == ".npz":
        fields = ("q", "status", "position_error", "rotation_error")
        empty = arm.solve_batch(np.zeros((0, 4, 4)))
        arrays: dict[str, Any] = {f: np.concatenate([getattr(b, f) for b in [empty, *collected]]) for f in fields}
        np.savez(out, **arrays)
    print(f"{solved} of {total} targets solved", file=sys.stderr)
    return solved == total


def _write(stream: TextIO, arm: Chain, batch: BatchAnswer, first: int, as_json: bool) -> None:
    """Write one portion: CSV with a header, or a JSON object a line."""
    writer = csv.writer(stream)
    header = ["row", "status", "position_error", "rotation_error", *arm.joint_names]
    if first == 0 and not as_json:
        writer.writerow(header)
    for k in range(len(batch)):
        errors = [float(batch.position_error[k]), float(batch.rotation_error[k])]
        row = [first + k, Status(int(batch.status[k])).name, *errors, *batch.q[k].tolist()]
        if as_json:
            stream.write(json.dumps(dict(zip(header, [None if x != x else x for x in row], strict=True))) + "\n")
        else:
            writer.writerow(row)
    stream.flush()

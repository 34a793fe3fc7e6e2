"""`limbik table query`: the look-up of a target in a table, and the postures refined from it."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from limbik._core import Status
from limbik.cli.console import plain_console, print_whole
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Tip, Unit, ZeroLimits
from limbik.cli.targets import FORMS, numbers_from_text, pose_from_numbers
from limbik.cli.units import readable, unit_names
from limbik.errors import one_line
from limbik.formats.content.file import read
from limbik.solvers.table.designs import design_of

EXAMPLES = """Examples:

  limbik table query puma.table puma560 --target 0.5,0.1,0.3,180,0,30

  limbik table query cell.table cell.urdf --tip tool0 --target 0.5,0.1,0.3,180,0,30 --json
"""


def query(
    file: Annotated[Path, typer.Argument(help="A table.")],
    robot: Annotated[str, typer.Argument(help="The robot of the table: a name of the catalogue or a file.")],
    target: Annotated[str, typer.Option("--target", "--pose", help=f"{FORMS}.")],
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    as_json: AsJson = False,
) -> None:
    """Query a table: the raw look-up of a target, and the solutions refined from it. Exit code 1 if there is none."""
    arm: Any = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    T = pose_from_numbers(numbers_from_text(target, "--target"), "--target")
    content = read(file, fingerprint=arm.fingerprint)
    raw = design_of(content, file).look_up(content, arm, T)
    answers = arm.with_table(file).solve_all(T)
    if as_json:
        print(json.dumps(_facts(arm, content.design, raw, answers)))
    else:
        _print(arm, content.design, raw, answers)
    raise typer.Exit(0 if answers.ok else 1)


query.__doc__ = f"{query.__doc__}\n\n{EXAMPLES}"


def _facts(arm: Any, design: str, raw: Any, answers: Any) -> dict[str, Any]:
    return {
        "robot": arm.name,
        "design": design,
        "look_up": raw,
        "ok": bool(answers.ok),
        "status": Status(answers.status).name,
        "why": answers.why,
        "q": [dict(zip(arm.joint_names, row, strict=True)) for row in answers.q.tolist()],
    }


def _print(arm: Any, design: str, raw: Any, answers: Any) -> None:
    console = plain_console()
    if isinstance(raw, dict):
        console.print(f"look-up ({design})", style="bold")
        for name, value in raw.items():
            console.print(f"  {name}: {one_line(value, 120)}", soft_wrap=True)
    console.print(f"{Status(answers.status).name}: {answers.why}", soft_wrap=True)
    table = Table(*(f"{name} {unit}" for name, unit in zip(arm.joint_names, unit_names(arm), strict=True)), box=None)
    for row in answers.q * readable(arm):
        table.add_row(*(f"{value:.6f}" for value in row))
    if len(answers.q):
        print_whole(console, table)

"""`limbik show`: describe a robot or figure."""

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from limbik.cli import show_frames
from limbik.cli.console import plain_console, print_whole
from limbik.cli.options import AsJson, Base, Snap, Unit, ZeroLimits
from limbik.model.catalog import CATALOGUE
from limbik.plots.robot import draw
from limbik.robot.chain import Chain
from limbik.robot.joint_table import HEADER, joint_rows
from limbik.robot.load import load, read_mechanism
from limbik.robot.skeleton import Skeleton

EXAMPLES = """Examples:

  limbik show                              the catalogue

  limbik show panda                        a robot of the catalogue

  limbik show cell.urdf --tip tool0        the chain to one frame

  limbik show human --picture human.png    a drawing

  limbik show human_arm_6 --frames --picture dh.png    the joint frames of its Denavit-Hartenberg table
"""


def show(
    robot: Annotated[
        str | None, typer.Argument(help="A name of the catalogue or a file; none lists the catalogue.")
    ] = None,
    base: Base = None,
    tip: Annotated[str | None, typer.Option(help="Frame where the chain ends.")] = None,
    unit: Unit = None,
    snap: Snap = False,
    zero_limits: ZeroLimits = None,
    picture: Annotated[Path | None, typer.Option(help="Write a drawing here (.png, .svg, .pdf).")] = None,
    frames: Annotated[
        bool, typer.Option("--frames", help="Show the frame of each joint at zero; draw them with --picture.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the joints, structure and reach of a robot or figure."""
    if robot is None:
        _catalogue(as_json)
        return
    body = load(robot, base, tip, unit, snap=snap, zero_limits=zero_limits)
    if as_json:
        print(json.dumps(_facts(body) | ({"joint_frames": show_frames.as_json(body)} if frames else {})))
    else:
        _print(body)
        if frames:
            print_whole(plain_console(), show_frames.as_table(body))
    if picture is not None:
        (show_frames.draw_frames if frames else draw)(body, picture)
        if not as_json:
            print(f"drawn: {picture}")


show.__doc__ = f"{show.__doc__}\n\n{EXAMPLES}"


def _catalogue(as_json: bool) -> None:
    mechanisms = {name: read_mechanism(name) for name in CATALOGUE}
    rows = [
        (name, m.title, str(sum(j.kind.size for j in m.joints if j.mimic is None)), m.source)
        for name, m in mechanisms.items()
    ]
    if as_json:
        print(json.dumps([dict(zip(("name", "title", "n", "source"), row, strict=True)) for row in rows]))
        return
    table = Table("name", "description", "joint values", box=None, header_style="bold")
    for row in rows:
        table.add_row(*row[:3])
    print_whole(plain_console(), table)


def _finite(values: Any) -> list[float | None]:
    """Return values for JSON, with None for infinity (no limit)."""
    return [float(x) if math.isfinite(x) else None for x in values]


def _facts(body: Chain | Skeleton) -> dict[str, Any]:
    m = body.model.mechanism
    facts: dict[str, Any] = {
        "name": body.name,
        "title": m.title,
        "kind": "chain" if isinstance(body, Chain) else "skeleton",
        "n": body.n,
        "base": body.base,
        "tips": [body.tip] if isinstance(body, Chain) else list(body.tips),
        "joints": list(body.joint_names),
        "lower": _finite(body.lower),
        "upper": _finite(body.upper),
        "velocity": _finite(body.velocity),
        "home": body.home.tolist(),
        "reach": body.reach,
        "frames": list(body.frames),
        "source": m.source,
        "licence": m.licence,
        "notes": list(body.notes),
        "fingerprint": body.fingerprint,
    }
    if isinstance(body, Chain):
        facts["structure"] = str(body.structure)
        facts["muscles"] = [muscle.name for muscle in body.model.compiled.muscles]
    return facts


def _print(body: Chain | Skeleton) -> None:
    console, m = plain_console(), body.model.mechanism
    console.print(m.title or body.name, style="bold")
    table = Table(*HEADER, box=None, header_style="bold")
    for row in joint_rows(body):
        table.add_row(*row)
    print_whole(console, table)
    if isinstance(body, Chain):
        console.print(f"from '{body.base}' to '{body.tip}', {body.n} joint values, reach {body.reach:.4g} m")
        console.print(f"structure: {body.structure}")
        if body.model.compiled.muscles:
            console.print(f"muscles: {', '.join(body.muscles.names)}; `limbik muscles {body.name}` lists them")
    else:
        console.print(f"from '{body.base}' to {', '.join(body.tips)}; {body.n} joint values, reach {body.reach:.4g} m")
        console.print(f"for the chain to one tip: --tip {body.tips[0]}")
    for label, text in (("source", m.source), ("licence", m.licence)):
        if text:
            console.print(f"{label}: {text}")
    for note in body.notes:
        console.print(f"note: {note}")

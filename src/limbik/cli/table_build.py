"""`limbik table build`: build a robot's table, with a progress bar; resumable."""

import json
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from limbik.cli.building import bar, resumable
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Tip, Unit, ZeroLimits
from limbik.errors import BadOption
from limbik.solvers.building.executors import cores
from limbik.solvers.building.work import build as build_table
from limbik.solvers.table.designs import DEFAULT, DESIGNS, design_named

EXAMPLES = f"""Designs: {"; ".join(f"{d.name} ({d.title})" for d in DESIGNS.values())}.

Partial results are kept in F.parts/ until the table is written. After an interruption (Ctrl-C, a crash, a full disk), the
same command resumes the build and writes the same file, byte for byte.

Examples:

  limbik table build puma560 -o puma.table

  limbik table build cell.urdf --tip tool0 -o cell.table --workers 4

  limbik table build puma560 -o puma.table --design cells --set position_side=0.1

  limbik table build jaco2 -o jaco2.table --cluster tcp://127.0.0.1:8786
"""


def build(
    robot: Robot,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file of the table: F.")],
    design: Annotated[str, typer.Option(help=f"Design of the table: {', '.join(DESIGNS)}.")] = DEFAULT,
    settings: Annotated[list[str] | None, typer.Option("--set", help="A setting of the design, key=value.")] = None,
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    workers: Annotated[int | None, typer.Option(help="Number of processes; default: the number of cores.")] = None,
    cluster: Annotated[
        str | None, typer.Option(help="The address of a dask scheduler, or 'local' to start one here.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Discard the partial results of an interrupted build.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Build the table of a robot and write it to a file."""
    arm = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    plan = design_named(design).plan(arm, settings_from_text(settings or []))
    start = perf_counter()
    with resumable(out), bar() as progress:
        if workers is None and cluster is None:
            workers = cores()
        content = build_table(plan, out, workers=workers, cluster=cluster, fresh=fresh, progress=progress)
    facts: dict[str, Any] = {
        "file": str(out),
        "design": content.design,
        "robot": content.robot,
        "bytes": out.stat().st_size,
        "seconds": round(perf_counter() - start, 3),
        "statistics": content.statistics,
    }
    if as_json:
        print(json.dumps(facts))
    else:
        print(
            f"{out}: {facts['bytes'] / 2**20:.1f} MB in {facts['seconds']:.1f} s; `limbik table info {out}` gives details"
        )


build.__doc__ = f"{build.__doc__}\n\n{EXAMPLES}"


def settings_from_text(words: list[str]) -> dict[str, Any]:
    """Return settings from key=value; a value is JSON, else a string. Raises BadOption."""
    found: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise BadOption(f"--set {word!r} is not key=value")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found

"""`limbik compare`: all methods on the same targets of one robot, with verified answers.

Targets are poses of random postures inside the limits, so each is reachable. All methods start from the same postures,
random or near the solution. An iterative method makes one attempt. `closed_form` and `lm` run as in `solve`, `lm` with its
table of starts. A success is a verified posture inside the limits.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from limbik import methods
from limbik.cli.compare_plots import draw_paths, draw_rows
from limbik.cli.compare_runs import Row, applicable, measure, problems, with_trace
from limbik.cli.console import plain_console, print_whole
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Tip, Unit, ZeroLimits
from limbik.cli.units import in_metres
from limbik.errors import BadOption, suggest
from limbik.formats.replacing import check_writable
from limbik.formats.source import need
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.solvers.registry import METHODS, traceable

# The folder of the pictures of --trace without --out.
PICTURES = Path("compared")

EXAMPLES = """Examples:

  limbik compare panda    every method, random starts

  limbik compare puma560 --near 0.2 --targets 500

  limbik compare cell.urdf --tip tool0 --methods lm,dls,ccd --json

  limbik compare scara --trace --out pictures
"""


def compare(
    robot: Robot,
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    targets: Annotated[int, typer.Option(help="Number of targets.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the random targets and starts.")] = 0,
    methods: Annotated[
        str | None, typer.Option(help="Names separated by commas; default: all applicable methods.")
    ] = None,
    table: Annotated[Path | None, typer.Option(help="A table of the robot, to include the method `table`.")] = None,
    network: Annotated[
        Path | None, typer.Option(help="A network of the robot, to include the method `neural`.")
    ] = None,
    near: Annotated[
        float | None,
        typer.Option(
            help="Start within this distance of the solution [rad; prismatic joints: units of half the robot's span]."
        ),
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Draw the iterations towards one target, in joint and task space.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for pictures (.png).")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the methods on one robot: success, steps, evaluations, time, joint jumps."""
    if targets < 1:
        raise BadOption(f"--targets {targets}: at least one is needed")
    if seed < 0:
        raise BadOption(f"--seed {seed}: it must not be below 0")
    if near is not None and not 0 <= near < np.inf:
        raise BadOption(f"--near {near:g}: give radians, 0 or more")
    names = _chosen(methods)
    if trace or out is not None:
        need("matplotlib", "plot", "drawing")
    arm = one_arm(robot, base, tip, unit, table, network, zero_limits=zero_limits)
    if arm.n == 0:
        raise BadOption(f"'{arm.name}' has no movable joint between '{arm.base}' and '{arm.tip}'")
    truth, starts = problems(arm, targets, seed, near)
    fit, left_out = applicable(arm, names, truth[0])
    traced = with_trace(arm, fit, truth[0])
    _check(fit, left_out, traced if trace else fit)
    if trace or out is not None:
        _folder(out)
    rows = measure(arm, fit, truth, starts)
    draws = trace or out is not None
    pictures = _draw(arm, rows, traced if trace else [], truth, starts, near, out) if draws else []
    if as_json:
        facts = {"robot": arm.name, "targets": targets, "seed": seed, "near": near}
        print(json.dumps({**facts, "rows": [asdict(row) for row in rows], "left_out": left_out, "pictures": pictures}))
        return
    _print(arm, rows, left_out, targets, near)
    for picture in pictures:
        print(f"drawn: {picture}")


compare.__doc__ = f"{compare.__doc__}\n\n{EXAMPLES}"


def _chosen(text: str | None) -> list[str]:
    if text is None:
        return list(METHODS)
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise BadOption("--methods is empty; give names separated by commas, or omit it for all")
    for name in names:
        if name not in METHODS:
            raise BadOption(f"no method {name!r}; {suggest(name, METHODS).replace('it has', 'there are', 1)}")
    return names


def _check(fit: list[str], left_out: dict[str, str], drawn: list[str]) -> None:
    """Raise BadOption if no method is left to run or to draw."""
    if not fit:
        raise BadOption(f"none of the chosen methods is applicable{_reason(left_out, list(left_out))}")
    if not drawn:
        reason = _reason(left_out, [name for name in left_out if name in traceable()])
        raise BadOption(f"--trace draws iterative methods; none of the applicable methods is iterative{reason}")


def _reason(left_out: dict[str, str], names: list[str]) -> str:
    return f"; {names[0]}: {left_out[names[0]]}" if names else ""


def _print(arm: Chain, rows: list[Row], left_out: dict[str, str], targets: int, near: float | None) -> None:
    console = plain_console()
    start = "random starts" if near is None else f"starts within {near:g} rad of the answer"
    console.print(f"{arm.name}: {targets} targets, {start}", style="bold")
    metres = in_metres(arm)
    columns = ["method", "solved [%]", "steps", "evaluations", "median [ms]", "p95 [ms]"]
    columns += ["jump [deg]", "largest jump [deg]"] if not metres.all() else []
    columns += ["largest jump [m]"] if metres.any() else []
    columns += ["description"]
    table = Table(box=None, header_style="bold")
    for column in columns:
        table.add_column(column, justify="left" if column in ("method", "description") else "right")
    for row in rows:
        share = f"{row.success:.1f}" + ("" if row.targets == targets else f" of {row.targets}")
        cells = [row.method, share, _number(row.steps, ".0f"), _number(row.evaluations, ".0f")]
        cells += [f"{row.median_ms:.3g}", f"{row.p95_ms:.3g}"]
        cells += [_number(row.median_jump_deg, ".0f"), _number(row.largest_jump_deg, ".0f")] if not metres.all() else []
        cells += [_number(row.largest_jump_m, ".3g")] if metres.any() else []
        table.add_row(*cells, METHODS[row.method].title)
    print_whole(console, table)
    for name, why in left_out.items():
        console.print(f"not applicable: {name}: {why}")
    console.print(
        "Each method makes one attempt per target, but closed_form and lm run as in solve. Steps, evaluations (of the tip "
        "pose and of its Jacobian) and jumps (the largest joint motion from start to answer) are medians over solved "
        "targets; times are over all targets."
    )


def _number(x: float | None, form: str) -> str:
    return "" if x is None else format(x, form)


def _folder(out: Path | None) -> Path:
    """Create the folder of the pictures and check that it is writable. Raises BadOption."""
    folder = PICTURES if out is None else out
    try:
        folder.mkdir(parents=True, exist_ok=True)
        check_writable(folder / "methods.png")
    except OSError as error:
        raise BadOption(f"--out {folder}: {error.strerror or error}; give a writable folder") from None
    return folder


def _draw(
    arm: Chain, rows: list[Row], traced: list[str], truth: Array, starts: Array, near: float | None, out: Path | None
) -> list[str]:
    """Draw the rows, and the iterations of the methods in `traced`; return the files."""
    folder = _folder(out)
    stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in arm.name)
    start = "random starts" if near is None else f"starts within {near:g} rad"
    made = [folder / f"{stem}_methods.png"]
    draw_rows([(r.method, r.success, r.median_ms) for r in rows], f"{arm.name}: {start}", made[0])
    if traced:
        target = arm.forward(truth[0])
        paths = {name: methods.trace(arm, target, starts[0], name) for name in traced}
        made.append(folder / f"{stem}_paths.png")
        draw_paths(arm, paths, truth[0], made[1])
    return [str(path) for path in made]

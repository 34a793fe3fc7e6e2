"""`limbik muscles`: the muscles of an arm, muscle lengths for a target, postures for muscle lengths."""

import json
import math
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from limbik.cli.console import WIDE, plain_console, print_whole
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Tip, Unit, ZeroLimits
from limbik.errors import BadOption
from limbik.model.units import unit_factor
from limbik.muscle.problem import require_muscles
from limbik.muscle.registry import MUSCLE_METHODS
from limbik.robot.chain import Chain

EXAMPLES = """Examples:

  limbik muscles maximum_one    lists the muscles

  limbik muscles maximum_one --target=-10,20,15 --lengths-in cm

  limbik muscles maximum_one --lengths 17.5,14,20,28 --lengths-in cm --json
"""


def muscles(
    robot: Robot,
    target: Annotated[str | None, typer.Option(help="Position x,y,z of the tip.")] = None,
    lengths: Annotated[str | None, typer.Option(help="Lengths of the independent muscles, or of all.")] = None,
    method: Annotated[str | None, typer.Option(help=f"Method: one of {', '.join(MUSCLE_METHODS)}.")] = None,
    lengths_in: Annotated[str, typer.Option(help="Unit of --target, --lengths and the output: m, cm, mm ...")] = "m",
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    as_json: AsJson = False,
) -> None:
    """List the muscles of an arm, find lengths for a target, or postures for lengths. Exit code 1 if there are none."""
    arm = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    require_muscles(arm.model)
    by = unit_factor(lengths_in)
    if target is not None and lengths is not None:
        raise BadOption("give --target or --lengths, not both")
    if method is not None and target is None:
        raise BadOption("--method requires --target")
    if target is not None:
        facts = _solved(arm, _numbers(target, "--target", 3) * by, method, by)
    elif lengths is not None:
        facts = _posed(arm, _numbers(lengths, "--lengths", None) * by, by)
    else:
        facts = _listed(arm, by)
    if as_json:
        print(json.dumps(facts))
    else:
        _print(arm, facts, lengths_in)
    raise typer.Exit(0 if facts.get("ok", True) else 1)


muscles.__doc__ = f"{muscles.__doc__}\n\n{EXAMPLES}"


def _numbers(text: str, what: str, count: int | None) -> Any:
    try:
        values = np.array([float(part) for part in text.replace(" ", "").split(",")])
    except ValueError:
        raise BadOption(f"{what} {text!r}: give numbers separated by commas, as in --target=-10,20,15") from None
    if count is not None and len(values) != count:
        raise BadOption(f"{what} needs {count} numbers; got {len(values)}")
    return values


def _solved(arm: Chain, point: Any, method: str | None, by: float) -> dict[str, Any]:
    answer = arm.muscles.solve_lengths(point, method=method)
    return {
        "robot": arm.name, "ok": answer.ok, "status": answer.status.name, "why": answer.why, "method": answer.method,
        "lengths": {name: length / by for name, length in answer.by_name.items()}, "q_deg": np.degrees(answer.q).tolist(),
        "error": answer.position_error / by, "centring": answer.centring, "evaluations": answer.evaluations,
    }  # fmt: skip


def _posed(arm: Chain, lengths: Any, by: float) -> dict[str, Any]:
    found = arm.muscles.posture_from_lengths(lengths)
    tips = arm.forward(found.q)[:, :3, 3] if len(found) else np.empty((0, 3))
    return {
        "robot": arm.name, "ok": found.ok, "status": found.status.name, "why": found.why, "q_deg": np.degrees(found.q).tolist(),
        "tips": (tips / by).tolist(), "lengths": (found.lengths / by).tolist(),
    }  # fmt: skip


def _listed(arm: Chain, by: float) -> dict[str, Any]:
    home = arm.muscles.lengths(arm.home)
    rows = [
        {
            "name": m.name, "path": [p.link for p in m.path], "pulleys": [p.joint for p in m.pulleys], "lower": m.lower / by,
            "upper": m.upper / by if math.isfinite(m.upper) else None, "home": float(x) / by, "opposes": list(m.opposes),
            "independent": m.independent,
        }
        for m, x in zip(arm.muscles, home, strict=True)
    ]  # fmt: skip
    return {"robot": arm.name, "muscles": rows}


def _print_muscles(console: Console, muscles: list[dict[str, Any]], unit: str) -> None:
    """Print a table; on a terminal too narrow for it, a line for each muscle, so that no name is cut."""
    table = Table("muscle", "path", f"range [{unit}]", f"at home [{unit}]", "opposes", "independent", box=None,
                  header_style="bold")  # fmt: skip
    sentences = []
    for row in muscles:
        over = " - ".join(row["path"]) or ", ".join(f"pulley on {joint}" for joint in row["pulleys"])
        upper = "inf" if row["upper"] is None else f"{row['upper']:.4g}"
        span, home, against = f"{row['lower']:.4g} to {upper}", f"{row['home']:.4g}", ", ".join(row["opposes"])
        table.add_row(row["name"], over, span, home, against, "yes" if row["independent"] else "")
        rest = f"; opposes {against}" if against else ""
        name = f"{row['name']} (independent)" if row["independent"] else row["name"]
        sentences.append(f"{name}: {span} {unit}, {home} at home; {over}{rest}")
    wide = console.options.update(width=WIDE)
    if console.is_terminal and console.measure(table, options=wide).maximum > console.width:
        for sentence in sentences:
            console.print(sentence, soft_wrap=True)
    else:
        print_whole(console, table)


def _print(arm: Chain, facts: dict[str, Any], unit: str) -> None:
    console = plain_console()
    if "muscles" in facts:
        console.print(arm.model.mechanism.title or arm.name, style="bold")
        _print_muscles(console, facts["muscles"], unit)
        return
    console.print(facts["why"], soft_wrap=True)
    if isinstance(facts["lengths"], dict):
        for name, length in facts["lengths"].items():
            console.print(f"  {name}: {length:.6g} {unit}")
        console.print(
            f"joints [deg]: {', '.join(f'{x:z.4g}' for x in facts['q_deg'])}; error {facts['error']:.3g} {unit}"
        )
        return
    for q, p in zip(facts["q_deg"], facts["tips"], strict=True):
        console.print(
            f"  joints [deg]: {', '.join(f'{x:z.4g}' for x in q)}; tip at {', '.join(f'{x:z.5g}' for x in p)} {unit}"
        )

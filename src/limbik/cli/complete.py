"""`limbik complete`: all variables of a planar arm from some of them, by the network of Cruse and Steinkühler."""

import json
import math
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from limbik.cli.console import plain_console, print_whole
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Tip, Unit, ZeroLimits
from limbik.cli.units import seed_from_text
from limbik.errors import BadOption
from limbik.solvers.relaxation.completion import Completion
from limbik.solvers.relaxation.mmc import CYCLES, Mmc
from limbik.solvers.relaxation.settings import UPDATES

# What separates the ends of a range.
TO = ".."

EXAMPLES = """Examples:

  limbik complete planar3_cruse                                  lists the variables

  limbik complete planar3_cruse alpha=80 beta=120 gamma=140      the direct problem

  limbik complete planar3_cruse x=0.6 y=1.5                      the inverse problem

  limbik complete planar3_cruse R=1.7 rho=60 alpha=110 --json    a mixed problem; JSON

  limbik complete planar3_cruse x=0.6 y=1.4..1.6 beta=..100      ranges: from 1.4 to 1.6; at most 100 degrees

  limbik complete planar3_cruse x=3.4 y=0.5 L1=1.2 L2=0.8..1.6   the first limb 1.2 m long, the second an unknown
"""


def complete(
    robot: Robot,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Known variables, NAME=VALUE or NAME=LOW..HIGH, either end left out for none. Angles in degrees, lengths in m."
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="The posture before, which decides what the inputs leave free (degrees, m).")
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            help="Best value of a joint, NAME=VALUE or NAME=VALUE:WEIGHT; the sum of squared distances is minimised."
        ),
    ] = None,
    limits: Annotated[bool, typer.Option(help="Keep joint limits.")] = True,
    update: Annotated[str, typer.Option(help=f"Order of the network's updates: {' or '.join(UPDATES)}.")] = UPDATES[0],
    cycles: Annotated[int, typer.Option(help="Most cycles of the network.")] = CYCLES,
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    as_json: AsJson = False,
) -> None:
    """Compute all variables of a planar arm from some: joint angles, tip, diagonals, lengths. Exit code 1 if they are not met."""
    arm = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    network = Mmc(arm, update=update)
    if not inputs:
        _list(network, as_json)
        return
    given: dict[str, Any] = {}
    for text in inputs:
        name, value = _named(text, "NAME=VALUE, as in x=0.6 or beta=60..120")
        if name in given:
            raise BadOption(f"'{name}' is given twice; leave one out")
        given[name] = _value(network, name, value, text)
    start = None if seed is None else seed_from_text(arm, seed)
    costs = {name: _cost(network, name, value, f"--cost {name}={value}") for name, value in _pairs(cost or [])}
    found = network.complete(given, start, costs=costs or None, limits=limits, cycles=cycles)
    if as_json:
        print(json.dumps(_facts(network, found), allow_nan=False))
    else:
        _print(network, found)
    raise typer.Exit(0 if found.ok else 1)


complete.__doc__ = f"{complete.__doc__}\n\n{EXAMPLES}"


def _named(text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise BadOption(f"{text!r}: give {form}")
    return name.strip(), value.strip()


def _pairs(texts: list[str]) -> list[tuple[str, str]]:
    return [_named(text, "NAME=VALUE or NAME=VALUE:WEIGHT, as in --cost beta=100:0.5") for text in texts]


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadOption(f"{what}: {text!r} is no number") from None


def _scale(network: Mmc, name: str) -> float:
    """Return the factor from the shell's unit of a variable: from degrees for angles, 1 for lengths and unknown names."""
    return math.pi / 180.0 if name in network.variables and network.is_angle(name) else 1.0


def _value(network: Mmc, name: str, text: str, what: str) -> Any:
    scale = _scale(network, name)
    low, to, high = text.partition(TO)
    if not to:
        return scale * _number(text, what)
    ends = (_number(low, what) if low else -math.inf, _number(high, what) if high else math.inf)
    if ends == (-math.inf, math.inf):
        raise BadOption(f"{what}: a range needs at least one end, as in {name}=0.5{TO}")
    return (scale * ends[0], scale * ends[1])


def _cost(network: Mmc, name: str, text: str, what: str) -> tuple[float, float]:
    best, colon, weight = text.partition(":")
    return _scale(network, name) * _number(best, what), _number(weight, what) if colon else 1.0


def _list(network: Mmc, as_json: bool) -> None:
    """Print the variables, with their values at home."""
    home = network.state(network.arm.home)
    home |= dict(zip(network.arm.joint_names, np.asarray(network.arm.home).tolist(), strict=True))
    rows = [
        {"name": name, "unit": "deg" if network.is_angle(name) else "m", "home": home[name] / _scale(network, name)}
        for name in network.variables
    ]
    if as_json:
        print(json.dumps({"robot": network.arm.name, "variables": rows}))
        return
    table = Table("variable", "at home", "", box=None, header_style="bold")
    for row in rows:
        table.add_row(str(row["name"]), f"{row['home']:z.6g}", str(row["unit"]))
    print_whole(plain_console(), table)


def _facts(network: Mmc, found: Completion) -> dict[str, Any]:
    """Return a completion for scripts, in radians and metres."""
    return {
        "robot": network.arm.name,
        "ok": bool(found.ok),
        "status": found.status.name,
        "why": found.why,
        "inputs": dict(zip(found.inputs, found.errors.tolist(), strict=True)),
        "state": found.state,
        "q": dict(zip(network.arm.joint_names, found.q.tolist(), strict=True)),
        "cycles": found.cycles,
        "reached": found.reached,
        "refinement_steps": found.finished,
        "free_directions": found.freedoms,
        "cost": found.cost,
    }


def _print(network: Mmc, found: Completion) -> None:
    console = plain_console()
    units = "" if found.ok else " (rad, m)"
    console.print(f"{found.status.name}: {found.why}{units}", soft_wrap=True)
    errors = dict(zip(found.inputs, found.errors.tolist(), strict=True))
    table = Table("variable", "value", "", "input", box=None, header_style="bold")
    values = found.state | dict(zip(network.arm.joint_names, found.q.tolist(), strict=True))
    for name, value in values.items():
        angle = network.is_angle(name)
        scale = _scale(network, name)
        missed = errors.get(name, 0.0) / scale
        mark = "" if name not in errors else "met" if missed <= 1e-6 else f"missed by {missed:.3g}"
        table.add_row(name, f"{value / scale:z.6f}", "deg" if angle else "m", mark)
    print_whole(console, table)

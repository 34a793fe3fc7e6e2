"""`limbik solve --all`: all postures as a table of branches, as JSON, or as rows of a file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from limbik._core import Answers, Status
from limbik.cli.console import plain_console, print_whole
from limbik.cli.portions import Portion, solve_file
from limbik.cli.postures import Posture, Wanted, described, has_swivel
from limbik.cli.targets import numbers_from_text
from limbik.cli.units import readable, unit_names
from limbik.errors import NotFinite, NotRigid
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain

# Words that --swivel takes besides numbers.
SWIVEL_WORDS = ("nearest", "limits", "manipulable")


def swivel_from_text(arm: Chain, text: str | None) -> Any:
    """Return the value of --swivel: a word, an angle or joint value [rad, m], a point, or None. Raises BadOption."""
    if text is None or text in SWIVEL_WORDS:
        return text
    values = numbers_from_text(text, "--swivel")
    if len(values) != 1:
        return values  # a point in metres; solve_all checks the number of values
    redundancy = arm.redundancy
    if redundancy is None or redundancy.joint is None:
        return float(np.radians(values[0]))
    return values[0] / float(readable(arm)[arm.joint_names.index(redundancy.joint)])


# ---- one target ------------------------------------------------------------------------------------------------------


def one_target(wanted: Wanted, T: Any, as_json: bool) -> bool:
    """Print all postures of a target. Return whether there is one."""
    answers = wanted.answers(T)
    inside, outside = list(described(wanted, answers)), wanted.outside(answers)
    ranges = wanted.arm.swivel_ranges(answers.target, limits=wanted.limits) if has_swivel(wanted.arm) else None
    if as_json:
        print(json.dumps(_facts(wanted.arm, answers, inside, outside, ranges)))
    else:
        _print(wanted, answers, inside, outside, ranges)
    return answers.ok


def _facts(
    arm: Chain, answers: Answers, inside: list[Posture], outside: list[Posture], ranges: dict[int, Any] | None
) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "robot": arm.name,
        "ok": answers.ok,
        "status": Status(answers.status).name,
        "why": answers.why,
        "postures": [_posture_facts(arm, p) for p in inside],
        "outside": [_posture_facts(arm, p) for p in outside],
        "target": answers.target.tolist(),
    }
    if ranges is not None:
        facts["swivel_ranges"] = {str(branch): [list(r) for r in found] for branch, found in ranges.items()}
    return facts


def _posture_facts(arm: Chain, p: Posture) -> dict[str, Any]:
    return {
        "branch": p.branch,
        "name": p.name,
        "q": dict(zip(arm.joint_names, p.q.tolist(), strict=True)),
        "breaks": [{"joint": arm.joint_names[b.joint], "limit": b.limit, "by": b.by} for b in p.breaches],
        "distance": p.distance,
        "swivel": p.swivel,
        "family": p.family,
        "double": p.double,
        "position_error": p.position_error,
        "rotation_error": p.rotation_error,
    }


def _print(
    wanted: Wanted, answers: Answers, inside: list[Posture], outside: list[Posture], ranges: dict[int, Any] | None
) -> None:
    arm, console = wanted.arm, plain_console()
    factor, units = readable(arm), unit_names(arm)
    if inside or outside:
        table = Table("branch", "name", box=None, header_style="bold")
        for number, unit in enumerate(units, start=1):
            table.add_column(f"{number} {unit}", justify="right", no_wrap=True)
        table.add_column("max from seed", justify="right", no_wrap=True)
        if has_swivel(arm):
            table.add_column("swivel", justify="right", no_wrap=True)
        table.add_column("limits, flags")
        for style, postures in (("", inside), ("dim", outside)):
            for p in postures:
                table.add_row(*_cells(arm, p, factor, units), style=style)
        print_whole(console, table)
        console.print("joints: " + ", ".join(f"{k} {name}" for k, name in enumerate(arm.joint_names, start=1)))
    if outside:
        console.print(
            "dim: outside the limits" if console.is_terminal else "postures outside the limits are listed last"
        )
    _print_freedom(wanted, ranges, console)
    console.print(f"{Status(answers.status).name}: {answers.why}", soft_wrap=True)


def _cells(arm: Chain, p: Posture, factor: Array, units: list[str]) -> Iterator[str]:
    yield "" if p.branch is None else str(p.branch)
    yield p.name
    for x, unit in zip(p.q * factor, units, strict=True):
        yield f"{x:z.2f}" if unit == "deg" else f"{x:z.4f}"
    yield f"{p.distance * factor[p.farthest]:.4g} {units[p.farthest]}"
    if has_swivel(arm):
        yield "" if p.swivel is None else f"{np.degrees(p.swivel):z.2f}"
    words = [
        f"joint {b.joint + 1} {'below' if b.limit == 'lower' else 'above'} "
        f"{(arm.lower if b.limit == 'lower' else arm.upper)[b.joint] * factor[b.joint]:.4g} {units[b.joint]}"
        for b in p.breaches
    ] or ["inside"]
    yield ", ".join(words + ["self-motion"] * p.family + ["double"] * p.double)


def _print_freedom(wanted: Wanted, ranges: dict[int, Any] | None, console: Console) -> None:
    """Print the remaining freedom: the feasible swivels of each branch, or the free joint."""
    redundancy = wanted.arm.redundancy
    if redundancy is None:
        return
    if ranges is None:
        console.print(f"redundant: --swivel sets the value of '{redundancy.joint}'; default: the seed's value")
        return
    kept = "inside the limits" if wanted.limits else "limits off"
    console.print(f"feasible swivels, degrees, {kept}:" if any(ranges.values()) else f"no feasible swivel, {kept}")
    for branch, found in ranges.items():
        arcs = ", ".join(f"{np.degrees(low):.2f} ... {np.degrees(high):.2f}" for low, high in found)
        if arcs:
            console.print(f"  {branch} {wanted.arm.branch_names[branch]}: {arcs}")


# ---- a file of targets -----------------------------------------------------------------------------------------------


def many_targets(wanted: Wanted, targets: Path, out: Path | None, as_json: bool) -> bool:
    """Write a row for every posture of every target; a target without one has a row with the reason.

    Return whether every target has a posture.
    """
    arm = wanted.arm
    header = ["row", "status", "posture", "branch", "swivel", "position_error", "rotation_error", *arm.joint_names]

    def portion(poses: Array, first: int) -> Portion:
        found = [(first + k, *_attempt(wanted, T)) for k, T in enumerate(poses)]
        solved = [(row, answers) for row, _, answers in found if answers is not None and answers.ok]
        arrays = {
            "row": np.repeat(np.array([row for row, _ in solved], int), [len(a) for _, a in solved]),
            "q": np.concatenate([np.zeros((0, arm.n)), *(a.q for _, a in solved)]),
            "branch": np.concatenate([np.zeros(0, np.int32), *(a.branches for _, a in solved)]),
            "swivel": np.concatenate([np.zeros(0), *(_swivels(a) for _, a in solved)]),
            "status": np.array([int(status) for _, status, _ in found], np.uint8),
        }
        return Portion(header, _rows(found, arm.n), arrays, len(poses), len(solved))

    return solve_file(portion, targets, out, as_json)


def _attempt(wanted: Wanted, T: Array) -> tuple[Status, Answers | None]:
    try:
        answers = wanted.answers(T)
    except (NotRigid, NotFinite):
        return Status.INVALID, None
    return Status(answers.status), answers


def _swivels(answers: Answers) -> Array:
    return np.full(len(answers), np.nan) if answers.swivels is None else answers.swivels


def _rows(found: list[tuple[int, Status, Answers | None]], n: int) -> Iterator[list[Any]]:
    for row, status, answers in found:
        if answers is None or not answers.ok:
            yield [row, status.name, None, None, None, None, None, *[None] * n]
            continue
        swivels = [None] * len(answers) if answers.swivels is None else answers.swivels.tolist()
        for k, q in enumerate(answers.q.tolist()):
            errors = float(answers.position_error[k]), float(answers.rotation_error[k])
            yield [row, status.name, k, int(answers.branches[k]), swivels[k], *errors, *q]

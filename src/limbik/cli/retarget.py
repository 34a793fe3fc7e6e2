"""`limbik retarget`: a clip, or a folder of clips, onto another figure."""

import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from limbik.cli.building import INTERRUPTED, bar
from limbik.cli.console import plain_console, print_whole
from limbik.errors import BadOption, FileUnreadable, LimbikError
from limbik.model.humanoid import humanoid
from limbik.model.units import metres_per
from limbik.robot.load import load
from limbik.robot.load_clip import FIGURES
from limbik.robot.retarget_library import Done, retarget_library
from limbik.robot.saving import WRITERS
from limbik.robot.skeleton import Skeleton

RESTS = ("auto", "zero", "first")
# What is said of a clip that was written.
WRITTEN = ("done", "doubtful")
EXAMPLES = """A folder is gone through with all that is in it; what is written already is left alone unless --force, so a run that
was ended goes on from there. A clip that cannot be carried over, or whose bones come out turned away from the source's, is told
at the end, and the shell returns 1.

Examples:

  limbik retarget walk.bvh --to human --out walk_on_human.bvh

  limbik retarget walk.bvh --to human --legs 1.2 --out walk.glb

  limbik retarget clips/ --to figure.glb --out carried/ --format bvh --workers 4

  limbik retarget clips/ --to human --out carried/ --cluster tcp://127.0.0.1:8786
"""


def retarget(
    source: Annotated[Path, typer.Argument(help="A file of motion (.bvh .glb .gltf), or a folder of them.")],
    to: Annotated[str, typer.Option(help="The figure: a name of the catalogue or a file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write, or the folder.")],
    form: Annotated[str, typer.Option("--format", help="What files of a folder become: bvh glb gltf csv npz.")] = "bvh",
    unit: Annotated[
        str | None, typer.Option(help="What lengths of the clips are written in: cm, m, or metres.")
    ] = None,
    up: Annotated[str | None, typer.Option(help="The axis that is up in .bvh files, y or z.")] = None,
    rest: Annotated[str, typer.Option(help="Where the clip's figure stands upright: auto, zero, or first.")] = "auto",
    legs: Annotated[float, typer.Option(help="Make the figure's legs so many times as long.")] = 1.0,
    arms: Annotated[float, typer.Option(help="Make the figure's arms so many times as long.")] = 1.0,
    tolerance_mm: Annotated[
        float, typer.Option(help="Report hands that miss, and standing feet that leave their place, by more [mm].")
    ] = 10.0,
    hands: Annotated[bool, typer.Option(help="Have hands reach where the source's do.")] = True,
    workers: Annotated[int | None, typer.Option(help="Processes to use, 1 by default.")] = None,
    cluster: Annotated[str | None, typer.Option(help="The address of a dask scheduler, or 'local'.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write again what is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Carry motion over to another figure: joints in range, feet planted, hands that reach."""
    try:
        _checked(unit, up, rest, tolerance_mm)
        figure = _figure(to, legs, arms)
        clips, outs = _files(source, out, form)
        rows = _done(clips, outs, figure, unit, up, rest, hands, tolerance_mm, workers, cluster, force)
    except LimbikError as error:
        if not as_json:
            raise
        print(json.dumps({"error": str(error)}))
        raise typer.Exit(2) from None
    failed = [row for row in rows if row.status == "failed"]
    doubtful = [row for row in rows if row.status == "doubtful"]
    if as_json:
        counts = {"failed": len(failed), "doubtful": len(doubtful)}
        print(json.dumps({"clips": [asdict(row) for row in rows], **counts}))
    else:
        _show(rows)
    for row in (*failed, *doubtful):
        print(f"limbik: {row.clip}: {row.why}", file=sys.stderr)
    if failed or doubtful:
        raise typer.Exit(1)


retarget.__doc__ = f"{retarget.__doc__}\n\n{EXAMPLES}"


def _checked(unit: str | None, up: str | None, rest: str, tolerance_mm: float) -> None:
    """Look at what holds for all clips before any is read. Raises BadOption."""
    metres_per(_unit(unit), 1.0)
    if up is not None and up not in ("y", "z"):
        raise BadOption(f"--up {up!r}: use y or z")
    if rest not in RESTS:
        raise BadOption(f"--rest {rest!r}: use one of {', '.join(RESTS)}")
    if not 0 < tolerance_mm < math.inf:
        raise BadOption(f"--tolerance-mm {tolerance_mm:g}: a distance above 0 is meant [mm]")


def _done(
    clips: list[Path],
    outs: list[Path],
    figure: Skeleton,
    unit: str | None,
    up: str | None,
    rest: str,
    hands: bool,
    tolerance_mm: float,
    workers: int | None,
    cluster: str | None,
    force: bool,
) -> list[Done]:
    reading = {key: value for key, value in (("unit", _unit(unit)), ("up", up)) if value is not None}
    how: dict[str, Any] = {"rest": rest, "hands": hands, "tolerance": tolerance_mm / 1e3}
    try:
        with bar() as progress:
            return retarget_library(
                clips,
                outs,
                figure,
                workers=workers,
                cluster=cluster,
                force=force,
                progress=progress,
                reading=reading,
                **how,
            )
    except KeyboardInterrupt:
        print("limbik: stopped; what is written stays, and the same command goes on from there", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def _figure(to: str, legs: float, arms: float) -> Skeleton:
    figure = load(to)
    if not isinstance(figure, Skeleton):
        raise BadOption(f"'{to}' is a chain; motion is carried over to a figure with several ends, such as human")
    names = humanoid(figure)
    factors: dict[str, float] = {}
    for factor, parts in ((legs, ("UpperLeg", "LowerLeg")), (arms, ("UpperArm", "LowerArm"))):
        if factor != 1.0:
            factors |= {names[f"{side}{part}"]: factor for side in ("left", "right") for part in parts}
    return figure.with_proportions(factors) if factors else figure


def _unit(given: str | None) -> Any:
    try:
        return None if given is None else float(given)
    except ValueError:
        return given


def _files(source: Path, out: Path, form: str) -> tuple[list[Path], list[Path]]:
    """Return the clips and where each goes. Raises FileUnreadable, BadOption."""
    suffix = f".{form.lower().removeprefix('.')}"
    if suffix not in WRITERS:
        raise BadOption(f"--format {form!r}: use one of {', '.join(name.removeprefix('.') for name in WRITERS)}")
    if source.is_dir():
        if out.suffix.lower() in WRITERS or out.is_file():
            raise BadOption(f"'{source}' is a folder; --out must be one, too, not '{out}'")
        clips = sorted(p for p in source.rglob("*") if p.suffix.lower() in FIGURES and p.is_file())
        if not clips:
            raise FileUnreadable(f"the folder '{source}' holds no {', '.join(FIGURES)}")
        return clips, _apart([out / p.relative_to(source).with_suffix(suffix) for p in clips], clips)
    if not source.exists():
        raise FileUnreadable(f"there is no file or folder '{source}'")
    return [source], [out / source.with_suffix(suffix).name if out.is_dir() else out]


def _apart(outs: list[Path], clips: list[Path]) -> list[Path]:
    """Return files that are all different: walk.bvh and walk.glb of one folder keep their endings in their names."""
    return [
        out if outs.count(out) == 1 else out.with_name(f"{out.stem}_{clip.suffix.removeprefix('.')}{out.suffix}")
        for out, clip in zip(outs, clips, strict=True)
    ]


def _show(rows: list[Done]) -> None:
    console = plain_console()
    table = Table("clip", "", "frames", "foot slide [mm]", "hands off [mm]", "reported", "file", box=None)
    for row in rows:
        numbers = [str(row.frames), f"{row.slide * 1e3:.1f}", f"{row.hand_error * 1e3:.1f}", str(row.reported)]
        table.add_row(row.clip, row.status, *(numbers if row.status in WRITTEN else [""] * 4), row.out)
    print_whole(console, table)
    if len(rows) == 1 and rows[0].status == "done":
        console.print(rows[0].why)

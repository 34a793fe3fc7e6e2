"""`limbik retarget`: retarget a clip, or a folder of clips, to another figure."""

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
from limbik.cli.options import AsJson
from limbik.cli.units import number_or_text
from limbik.errors import BadOption, FileUnreadable, LimbikError
from limbik.model.humanoid import humanoid
from limbik.model.units import metres_per
from limbik.motion.saving import WRITERS
from limbik.robot.load import load
from limbik.robot.load_clip import FIGURES
from limbik.robot.retarget_library import Done, retarget_library
from limbik.robot.skeleton import Skeleton

RESTS = ("auto", "zero", "first")
# The status texts of written clips.
WRITTEN = ("done", "doubtful")
EXAMPLES = """A folder is processed recursively. Existing output files are kept unless --force is given, so the same
command resumes an interrupted run.
Clips that failed, or whose bone directions differ from the source's, are listed at the end, and the exit code is 1.

Examples:

  limbik retarget walk.bvh --to human --out walk_on_human.bvh

  limbik retarget walk.bvh --to human --legs 1.2 --out walk.glb

  limbik retarget clips/ --to figure.glb --out retargeted/ --format bvh --workers 4

  limbik retarget clips/ --to human --out retargeted/ --cluster tcp://127.0.0.1:8786
"""


def retarget(
    source: Annotated[Path, typer.Argument(help="A motion file (.bvh .glb .gltf), or a folder of them.")],
    to: Annotated[str, typer.Option(help="The target figure: a name of the catalogue or a file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The output file or folder.")],
    form: Annotated[
        str, typer.Option("--format", help="File format in an output folder: bvh glb gltf csv npz.")
    ] = "bvh",
    unit: Annotated[str | None, typer.Option(help="Unit of length of the clips: cm, m, or a number of metres.")] = None,
    up: Annotated[str | None, typer.Option(help="The upward axis of .bvh files: y or z.")] = None,
    rest: Annotated[str, typer.Option(help="The upright posture of the source figure: auto, zero, or first.")] = "auto",
    legs: Annotated[float, typer.Option(help="Scale the length of the figure's legs by this factor.")] = 1.0,
    arms: Annotated[float, typer.Option(help="Scale the length of the figure's arms by this factor.")] = 1.0,
    tolerance_mm: Annotated[
        float, typer.Option(help="Report hand errors and foot slides above this distance [mm].")
    ] = 10.0,
    hands: Annotated[bool, typer.Option(help="Move the hands to the positions of the source's hands.")] = True,
    workers: Annotated[int | None, typer.Option(help="Number of processes; default: 1.")] = None,
    cluster: Annotated[str | None, typer.Option(help="The address of a dask scheduler, or 'local'.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Retarget motion to another figure, inside its joint limits, with planted feet and hand targets."""
    try:
        _checked(unit, up, rest, tolerance_mm)
        figure = _figure(to, legs, arms)
        clips, outs = _files(source, out, form)
        rows = _run(clips, outs, figure, unit, up, rest, hands, tolerance_mm, workers, cluster, force)
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
    """Check the options that hold for all clips. Raises BadOption."""
    metres_per(number_or_text(unit), 1.0)
    if up is not None and up not in ("y", "z"):
        raise BadOption(f"--up {up!r}: use y or z")
    if rest not in RESTS:
        raise BadOption(f"--rest {rest!r}: use one of {', '.join(RESTS)}")
    if not 0 < tolerance_mm < math.inf:
        raise BadOption(f"--tolerance-mm {tolerance_mm:g}: give a distance above 0 [mm]")


def _run(
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
    reading = {key: value for key, value in (("unit", number_or_text(unit)), ("up", up)) if value is not None}
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
        print("limbik: stopped; written files are kept; run the same command again to resume", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def _figure(to: str, legs: float, arms: float) -> Skeleton:
    figure = load(to)
    if not isinstance(figure, Skeleton):
        raise BadOption(f"'{to}' is a chain; the target must be a figure with several tips, such as human")
    names = humanoid(figure)
    factors: dict[str, float] = {}
    for factor, parts in ((legs, ("UpperLeg", "LowerLeg")), (arms, ("UpperArm", "LowerArm"))):
        if factor != 1.0:
            factors |= {names[f"{side}{part}"]: factor for side in ("left", "right") for part in parts}
    return figure.with_proportions(factors) if factors else figure


def _files(source: Path, out: Path, form: str) -> tuple[list[Path], list[Path]]:
    """Return the clips and their output files. Raises FileUnreadable, BadOption."""
    suffix = f".{form.lower().removeprefix('.')}"
    if suffix not in WRITERS:
        raise BadOption(f"--format {form!r}: use one of {', '.join(name.removeprefix('.') for name in WRITERS)}")
    if source.is_dir():
        if out.suffix.lower() in WRITERS or out.is_file():
            raise BadOption(f"'{source}' is a folder; --out must be a folder too, not '{out}'")
        clips = sorted(p for p in source.rglob("*") if p.suffix.lower() in FIGURES and p.is_file())
        if not clips:
            raise FileUnreadable(f"the folder '{source}' contains no {', '.join(FIGURES)}")
        return clips, _distinct([out / p.relative_to(source).with_suffix(suffix) for p in clips], clips)
    if not source.exists():
        raise FileUnreadable(f"there is no file or folder '{source}'")
    return [source], [out / source.with_suffix(suffix).name if out.is_dir() else out]


def _distinct(outs: list[Path], clips: list[Path]) -> list[Path]:
    """Return distinct file names: walk.bvh and walk.glb of one folder keep their endings in their names."""
    return [
        out if outs.count(out) == 1 else out.with_name(f"{out.stem}_{clip.suffix.removeprefix('.')}{out.suffix}")
        for out, clip in zip(outs, clips, strict=True)
    ]


def _show(rows: list[Done]) -> None:
    console = plain_console()
    table = Table("clip", "result", "frames", "foot slide [mm]", "hand error [mm]", "deviations", "file", box=None)
    for row in rows:
        numbers = [str(row.frames), f"{row.slide * 1e3:.1f}", f"{row.hand_error * 1e3:.1f}", str(row.reported)]
        table.add_row(row.clip, row.status, *(numbers if row.status in WRITTEN else [""] * 4), row.out)
    print_whole(console, table)
    if len(rows) == 1 and rows[0].status == "done":
        console.print(rows[0].why)

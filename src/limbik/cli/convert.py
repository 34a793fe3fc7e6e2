"""`limbik convert`: convert motions, figures and robots between file formats, units and conventions."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from limbik.cli.console import plain_console, watched
from limbik.cli.options import AsJson
from limbik.errors import BadFile, BadOption, FileUnwritable, LimbikError, shown
from limbik.formats.conversion import turned_up
from limbik.model.convention import CONVENTIONS, as_convention
from limbik.motion.clip import Clip
from limbik.motion.keeping import save_or_keep
from limbik.motion.saving import WRITERS, check_saving
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.load_clip import FIGURES, TABLES, clip_of, load_clip

EXAMPLES = f"""Reads {", ".join([*FIGURES, *TABLES])}, and robots (.urdf, .xml, .toml or a name of the catalogue; one frame, at
home). Writes {", ".join(WRITERS)}. Conventions: {", ".join(CONVENTIONS)}.

Examples:

  limbik convert walk.bvh walk.glb

  limbik convert cmu/*.bvh clips/ --format glb --unit 0.05644 --skin

  limbik convert walk.glb walk.bvh --unit-out in --rate 30

  limbik convert walk.bvh blender.bvh --to blender --rest 0

  limbik convert panda panda.glb

  limbik convert motion.csv motion.glb --robot ur5
"""


def convert(
    files: Annotated[
        list[str], typer.Argument(help="Sources, then the target: a file, or a folder for several sources.")
    ],
    unit: Annotated[
        str | None, typer.Option(help="Unit of length of the source: m, cm ..., or a number of metres.")
    ] = None,
    unit_out: Annotated[str | None, typer.Option(help="Unit of length of a .bvh target.")] = None,
    up: Annotated[str | None, typer.Option(help="Rotate the figure so that this axis is up: y or z.")] = None,
    up_in: Annotated[str | None, typer.Option(help="The upward axis of a .bvh source: y or z.")] = None,
    to: Annotated[str | None, typer.Option(help="Target convention: axes, handedness, bones, unit.")] = None,
    source: Annotated[str | None, typer.Option("--from", help="Convention of the source.")] = None,
    rest: Annotated[int | None, typer.Option(help="Use this frame's posture as the zero posture.")] = None,
    rate: Annotated[float | None, typer.Option(help="Resample to this frame rate [Hz].")] = None,
    animation: Annotated[str | None, typer.Option(help="Which animation of a .glb, by name or number.")] = None,
    robot: Annotated[str | None, typer.Option(help="The robot of a .csv or .npz source: a name or a file.")] = None,
    tip: Annotated[str | None, typer.Option(help="The tip of that robot.")] = None,
    format: Annotated[
        str | None, typer.Option(help="File format in a target folder: glb, gltf, bvh, csv or npz.")
    ] = None,
    skin: Annotated[bool, typer.Option("--skin", help="Write one skinned mesh, for .glb.")] = False,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles in degrees, for .csv.")] = False,
    as_json: AsJson = False,
) -> None:
    """Convert motion between file formats, units and conventions."""
    try:
        done, failed = _convert(
            files, unit, unit_out, up, up_in, to, source, rest, rate, animation, robot, tip, format, skin, degrees
        )
    except LimbikError as error:
        if not as_json:
            raise
        print(json.dumps({"files": [], "errors": [{"error": str(error)}]}))
        raise typer.Exit(2) from None
    if as_json:
        print(json.dumps({"files": done} | ({"errors": failed} if failed else {})))
    else:
        console = plain_console()
        for facts in done:
            frames = f"{facts['frames']} frame{'s' * (facts['frames'] != 1)}"
            console.print(f"{facts['file']}: {frames}, {facts['seconds']:.3f} s, {facts['joints']} joint values")
            for note in facts["notes"]:
                console.print(f"note: {note}")
        for facts in failed:
            print(f"limbik: {facts['source']}: {facts['error']}", file=sys.stderr)
        if failed:
            print(f"limbik: {len(failed)} of {len(done) + len(failed)} files were not converted", file=sys.stderr)
    if failed:
        raise typer.Exit(1)


convert.__doc__ = f"{convert.__doc__}\n\n{EXAMPLES}"

# The command-line options for the arguments of reading, changing and writing.
_READING = {"unit": "--unit", "up": "--up-in", "animation": "--animation", "robot": "--robot", "rate": "--rate"}
_CHANGING = {"rate": "--rate", "rest": "--rest", "up": "--up"}
_WRITING = {"skin": "--skin", "degrees": "--degrees", "unit": "--unit-out", "up": "--up"}


@contextmanager
def _with_option_names(names: dict[str, str]) -> Iterator[None]:
    """Replace argument names in error messages by command-line options."""
    try:
        yield
    except BadOption as error:
        name, equals, rest = str(error).partition("=")
        if not equals or name not in names:
            raise
        raise BadOption(f"{names[name]} {rest.lstrip()}") from None


def _convert(
    files: list[str],
    unit: str | None,
    unit_out: str | None,
    up: str | None,
    up_in: str | None,
    to: str | None,
    source: str | None,
    rest: int | None,
    rate: float | None,
    animation: str | None,
    robot: str | None,
    tip: str | None,
    format: str | None,
    skin: bool,
    degrees: bool,
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return the converted and the failed files. A single failed file raises; of several, the others are converted."""
    if len(files) < 2:
        raise BadOption("give a source and a target, as in: limbik convert walk.bvh walk.glb")
    reading: dict[str, Any] = {
        "unit": unit,
        "up": up_in,
        "animation": _animation(animation),
        "robot": robot,
        "tip": tip,
    }
    saving: dict[str, Any] = {"skin": skin or None, "degrees": degrees or None, "unit": unit_out}
    done: list[dict[str, Any]] = []
    failed: list[dict[str, str]] = []

    def one(read: str, write: Path) -> None:
        with _with_option_names(_WRITING):
            check_saving(write, **saving)
        with _with_option_names(_READING):
            clip = _read(read, **reading)
        with _with_option_names(_CHANGING):
            clip = _changed(clip, rate, to, source, up, rest)
        options = dict(saving)
        if write.suffix.lower() == ".bvh":
            options["up"] = clip.recording.mechanism.up if to is not None or up is not None else None
            if to is not None and unit_out is None:
                options["unit"] = as_convention(to).unit
        with _with_option_names(_WRITING):
            check_saving(write, **options)
            save_or_keep(clip.recording, write, **options)
        done.append(_facts(read, write, clip))

    pairs = _pairs(files[:-1], Path(files[-1]), format)
    for read, write in watched(pairs, "converting"):
        try:
            one(read, write)
        except LimbikError as error:
            if len(pairs) == 1:
                raise
            failed.append({"source": read, "error": str(error)})
    return done, failed


def _animation(given: str | None) -> str | int | None:
    return int(given) if given is not None and given.isascii() and given.isdigit() else given


def _pairs(sources: list[str], target: Path, format: str | None) -> list[tuple[str, Path]]:
    """Return pairs of source and target. Raises BadOption, FileUnwritable."""
    format = None if format is None else format.lower().removeprefix(".")
    if format is not None and f".{format}" not in WRITERS:
        raise BadOption(f"--format {shown(format)}: use one of {', '.join(ending[1:] for ending in WRITERS)}")
    is_file = format is None or target.suffix.lower() == f".{format}"
    if len(sources) == 1 and not target.is_dir() and is_file:
        pairs = [(sources[0], target)]
    else:
        if format is None:
            raise BadOption(f"the target '{target}' is a folder: give the file format, as in --format glb")
        pairs = [(name, target / f"{Path(name).stem}.{format}") for name in sources]
        try:
            target.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise FileUnwritable(f"cannot make the folder '{target}': {error}") from None
    written = [path for _, path in pairs]
    if len(set(written)) < len(written):
        raise BadOption(f"two sources would be written to the same file in '{target}'")
    for name, path in pairs:
        if path.exists() and Path(name).exists() and path.resolve() == Path(name).resolve():
            raise BadOption(f"'{path}' is also a source; write to another file")
    return pairs


def _read(name: str, unit: Any, up: Any, animation: Any, robot: str | None, tip: str | None) -> Clip:
    suffix = Path(name).suffix.lower()
    if suffix in TABLES:
        if robot is None and suffix != ".npz":
            raise BadOption(f"'{name}' contains numbers only: give the robot, as in --robot panda")
        return load_clip(name, robot=None if robot is None else load(robot, None, tip, unit))
    if robot is not None:
        raise BadOption("--robot requires a .csv or .npz source")
    if suffix in FIGURES:
        try:
            return load_clip(name, unit=unit, up=up, animation=animation)
        except BadFile as error:
            if "limbik.load gives the figure" not in str(error):
                raise
    body = load(name, None, tip, unit)
    return Clip(body, body.home[None], [0.0])


def _changed(
    clip: Clip, rate: float | None, to: str | None, source: str | None, up: str | None, rest: int | None
) -> Clip:
    if rate is not None:
        clip = clip.baked(rate)
    if to is not None and up is not None:
        raise BadOption("--to sets the upward axis: omit --up")
    if source is not None and to is None:
        raise BadOption("--from requires --to")
    if up is not None:
        clip = clip_of(turned_up(clip.recording, up).recording)
    if to is not None:
        clip = clip.converted(replace(as_convention(to), rest=rest), source)
    elif rest is not None:
        own = CONVENTIONS["gltf" if clip.recording.mechanism.up == "y" else "ros"]
        clip = clip.converted(replace(own, rest=rest), own)
    return clip


def _facts(read: str, write: Path, clip: Clip) -> dict[str, Any]:
    body = clip.robot
    return {
        "source": read,
        "file": str(write),
        "bytes": write.stat().st_size,
        "robot": body.name,
        "kind": "chain" if isinstance(body, Chain) else "skeleton",
        "joints": body.n,
        "frames": len(clip),
        "seconds": clip.duration,
        "rate": clip.rate,
        "up": clip.recording.mechanism.up,
        "notes": list(clip.recording.notes),
    }

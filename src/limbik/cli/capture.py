"""`limbik capture`: markers become the motion of a figure."""

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from limbik.cli.building import INTERRUPTED
from limbik.cli.console import plain_console
from limbik.errors import BadOption
from limbik.formats.marker_files import load_markers, tells_times
from limbik.robot.capture import ESTIMATED
from limbik.robot.capture import capture as captured
from limbik.robot.captured import Captured
from limbik.robot.keeping import save_or_keep
from limbik.robot.load import load
from limbik.robot.saving import WRITERS, check_saving

EXAMPLES = f"""Reads .csv, .npz and .trc. Markers are on the frame that their names begin with (leftHand.2), or are those of
Plug-in Gait (LASI, RKNE). Writes {", ".join(WRITERS)}. What the markers do not tell is said in the summary.

Examples:

  limbik capture markers.csv --figure human --unit mm --out clip.bvh

  limbik capture walk.trc --figure human --out walk.glb --json

  limbik capture walk.csv --figure sized.bvh --estimate offsets --smoothing 6 --out walk.npz
"""


def capture(
    source: Annotated[Path, typer.Argument(help="A file of markers: .csv, .npz or .trc.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The clip to write: .bvh .glb .gltf .csv .npz.")],
    figure: Annotated[str, typer.Option(help="The figure: a name of the catalogue or a file.")] = "human",
    unit: Annotated[
        str | None, typer.Option(help="What lengths in the file are written in: mm, m, or metres as a number.")
    ] = None,
    rate: Annotated[float | None, typer.Option(help="Frames a second, for a file without times.")] = None,
    estimate: Annotated[
        str, typer.Option(help="What is fitted: lengths,offsets, one of them, or none. Offsets not known always are.")
    ] = ",".join(ESTIMATED),
    smoothing: Annotated[str, typer.Option(help="auto, none, or a cutoff in Hz.")] = "auto",
    symmetric: Annotated[bool, typer.Option("--symmetric", help="Left and right bones have one length.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find the motion of a figure from markers: lengths constant, gaps bridged, joints in range."""
    if out.suffix.lower() not in WRITERS:
        raise BadOption(f"--out '{out}' ends in {out.suffix or 'nothing'!r}; use one of {', '.join(WRITERS)}")
    if out.exists() and source.exists() and out.resolve() == source.resolve():
        raise BadOption(f"'{out}' is the source itself: write to another file")
    check_saving(out)
    markers = load_markers(source, unit=_number(unit), rate=rate)
    check_saving(out, markers.times)
    body = load(figure)
    options: dict[str, Any] = {"estimate": _names(estimate), "smoothing": _smoothing(smoothing), "symmetric": symmetric}
    try:
        with _shown(f"fitting {len(markers)} frames of {len(markers.names)} markers"):
            clip = captured(markers, body, **options)
    except KeyboardInterrupt:
        print("limbik: stopped; nothing was written", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    save_or_keep(clip.recording, out)
    facts = _facts(source, out, clip)
    if as_json:
        print(json.dumps(facts))
        return
    console = plain_console()
    console.print(f"{out}: {len(clip)} frames, {clip.duration:.3f} s, {clip.robot.n} joint values")
    if rate is None and not tells_times(source):
        taken = f"{markers.frame_rate:g} frames a second are taken; give --rate where it is another"
        console.print(f"note: '{source.name}' has no column of times: {taken}")
    for sentence in clip.why.split("; "):
        console.print(f"note: {sentence}")


capture.__doc__ = f"{capture.__doc__}\n\n{EXAMPLES}"


def _shown(what: str) -> AbstractContextManager[object]:
    """Return what shows that work goes on, on a terminal's error stream."""
    return Console(stderr=True).status(what) if sys.stderr.isatty() else nullcontext()


def _number(given: str | None) -> Any:
    try:
        return None if given is None else float(given)
    except ValueError:
        return given


def _names(given: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in given.split(",") if name.strip())
    if names == ("none",):
        return ()
    for name in names:
        if name not in ESTIMATED:
            raise BadOption(f"--estimate {given!r}: use {', '.join(ESTIMATED)}, both with a comma between, or none")
    return names


def _smoothing(given: str) -> float | str | None:
    if given in ("auto", "none"):
        return "auto" if given == "auto" else None
    try:
        return float(given)
    except ValueError:
        raise BadOption(f"--smoothing {given!r}: use auto, none, or a cutoff in Hz") from None


def _facts(source: Path, out: Path, clip: Captured) -> dict[str, Any]:
    return {
        "source": str(source),
        "file": str(out),
        "frames": len(clip),
        "seconds": clip.duration,
        "rate": clip.rate,
        "noise_m": clip.noise,
        "marker_error_m": float(np.nanmedian(clip.marker_error)),
        "lengths_m": dict(clip.lengths),
        "length_error_m": dict(clip.length_error),
        "place_error_m": dict(clip.place_error),
        "bridged": int(clip.bridged.sum()),
        "doubtful": int(clip.doubtful.sum()),
        "ok": clip.ok,
        "frame_error_m": float(np.median(clip.frame_error)),
        "rejected": int(clip.rejected.sum()),
        "why": clip.why,
    }

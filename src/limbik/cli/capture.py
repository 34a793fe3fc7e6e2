"""`limbik capture`: the motion of a figure from markers."""

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
from limbik.cli.options import AsJson
from limbik.cli.units import number_or_text
from limbik.errors import BadOption
from limbik.formats.marker_files import has_times, load_markers
from limbik.motion.capture.capture import ESTIMATED
from limbik.motion.capture.capture import capture as captured
from limbik.motion.capture.captured import Captured
from limbik.motion.keeping import save_or_keep
from limbik.motion.saving import WRITERS, check_saving
from limbik.robot.load import load

EXAMPLES = f"""Reads .csv, .npz and .trc. A marker is named after its frame (leftHand.2), or as in Plug-in Gait (LASI, RKNE).
Writes {", ".join(WRITERS)}. The summary lists joints that the markers do not determine.

Examples:

  limbik capture markers.csv --figure human --unit mm --out clip.bvh

  limbik capture walk.trc --figure human --out walk.glb --json

  limbik capture walk.csv --figure sized.bvh --estimate offsets --smoothing 6 --out walk.npz
"""


def capture(
    source: Annotated[Path, typer.Argument(help="A file of markers: .csv, .npz or .trc.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The clip to write: .bvh .glb .gltf .csv .npz.")],
    figure: Annotated[str, typer.Option(help="The figure: a name of the catalogue or a file.")] = "human",
    unit: Annotated[str | None, typer.Option(help="Unit of length of the file: mm, m, or a number of metres.")] = None,
    rate: Annotated[float | None, typer.Option(help="Frame rate of a file without times [Hz].")] = None,
    estimate: Annotated[
        str, typer.Option(help="What to fit: lengths,offsets, one of them, or none. Unknown offsets are always fitted.")
    ] = ",".join(ESTIMATED),
    smoothing: Annotated[str, typer.Option(help="Low-pass filter: auto, none, or a cutoff frequency in Hz.")] = "auto",
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="Fit the same length to left and right bones.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find the motion of a figure from markers, with constant bone lengths, joint limits and gaps filled."""
    if out.suffix.lower() not in WRITERS:
        raise BadOption(f"--out '{out}' ends in {out.suffix or 'nothing'!r}; use one of {', '.join(WRITERS)}")
    if out.exists() and source.exists() and out.resolve() == source.resolve():
        raise BadOption(f"'{out}' is also the source; write to another file")
    check_saving(out)
    markers = load_markers(source, unit=number_or_text(unit), rate=rate)
    check_saving(out, markers.times)
    body = load(figure)
    options: dict[str, Any] = {"estimate": _names(estimate), "smoothing": _smoothing(smoothing), "symmetric": symmetric}
    try:
        with _spinner(f"fitting {len(markers)} frames of {len(markers.names)} markers"):
            found = captured(markers, body, **options)
    except KeyboardInterrupt:
        print("limbik: stopped; nothing was written", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    save_or_keep(found.clip.recording, out)
    facts = _facts(source, out, found)
    if as_json:
        print(json.dumps(facts))
        return
    console = plain_console()
    console.print(f"{out}: {len(found)} frames, {found.duration:.3f} s, {found.robot.n} joint values")
    if rate is None and not has_times(source):
        assumed = f"{markers.frame_rate:g} frames per second are assumed; set another rate with --rate"
        console.print(f"note: '{source.name}' has no column of times: {assumed}")
    for sentence in found.why.split("; "):
        console.print(f"note: {sentence}")


capture.__doc__ = f"{capture.__doc__}\n\n{EXAMPLES}"


def _spinner(what: str) -> AbstractContextManager[object]:
    """Return a spinner on the error stream, on terminals only."""
    return Console(stderr=True).status(what) if sys.stderr.isatty() else nullcontext()


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


def _facts(source: Path, out: Path, found: Captured) -> dict[str, Any]:
    return {
        "source": str(source),
        "file": str(out),
        "frames": len(found),
        "seconds": found.duration,
        "rate": found.clip.rate,
        "noise_m": found.noise,
        "marker_error_m": float(np.nanmedian(found.marker_error)),
        "lengths_m": dict(found.lengths),
        "length_error_m": dict(found.length_error),
        "place_error_m": dict(found.place_error),
        "bridged": int(found.bridged.sum()),
        "doubtful": int(found.doubtful.sum()),
        "ok": found.ok,
        "frame_error_m": float(np.median(found.frame_error)),
        "rejected": int(found.rejected.sum()),
        "why": found.why,
    }

"""Motion from a file: a clip, with the figure or robot that moves in it."""

from os import PathLike
from pathlib import Path
from typing import Any

from limbik.errors import BadFile, BadOption, shown
from limbik.formats.bvh import read_bvh
from limbik.robot.clip import Clip

# What a path may end in.
SUFFIXES = (".bvh",)


def load_clip(path: str | PathLike[str], *, unit: Any = None) -> Clip:
    """Return the motion in a file (.bvh).

    unit: what its lengths are written in, a name ("cm", "in" ...) or metres as a number; None: what the format says, centimetres
    for .bvh. Raises FileUnreadable, BadFile, BadModel, BadOption.
    """
    if not isinstance(path, str | PathLike):
        raise BadOption(f"load_clip takes a path, not {shown(path)}")
    suffix = Path(path).suffix.lower()
    if suffix == ".bvh":
        return Clip.of(read_bvh(path, unit))
    raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; limbik reads motion from {', '.join(SUFFIXES)}")

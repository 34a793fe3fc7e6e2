"""Motion from a file: a clip, with the figure or robot that moves in it."""

from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, FileUnreadable
from limbik.formats.bvh import read_bvh
from limbik.formats.gltf import read_gltf
from limbik.formats.motion_csv import read_motion_csv
from limbik.formats.motion_npz import read_motion_npz
from limbik.formats.source import as_path
from limbik.model.ends import ends_of
from limbik.model.recording import Recording
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.skeleton import Skeleton

# Files that hold a figure and its motion, and those that hold motion alone.
FIGURES: dict[str, tuple[Callable[..., Recording], tuple[str, ...]]] = {
    ".bvh": (read_bvh, ("unit", "up", "positions")),
    ".glb": (read_gltf, ("unit", "animation", "rate")),
    ".gltf": (read_gltf, ("unit", "animation", "rate")),
}
TABLES = {".csv": read_motion_csv, ".npz": read_motion_npz}


def load_clip(
    path: str | PathLike[str],
    *,
    robot: Any = None,
    unit: Any = None,
    up: str | None = None,
    animation: Any = None,
    rate: Any = None,
    positions: str | None = None,
) -> Clip:
    """Return the motion in a file (.bvh, .glb, .gltf, .csv, .npz).

    robot: the Chain or Skeleton that moves, for .csv, which holds numbers alone; an .npz that limbik wrote holds it, too.
    unit: what lengths in the file are written in, a name ("cm", "in" ...) or metres as a number; None: what the format says,
    metres for glTF, else centimetres.
    up: the axis that is up in a .bvh file, which does not say: "y" where None, or "z". animation: which one of a glTF file, by
    name or number; None takes the first. rate: frames a second to sample a glTF file at; None keeps its keys where it can.
    positions: which position channels of a .bvh file make joints, but for the root's: those that are "moving" (None), or "keep"
    for all of them, so that files of one figure give one robot.
    Raises FileUnreadable, BadFile, BadModel, BadOption, and for numbers that are no motion NotFinite or ShapeError.
    """
    file = as_path(path, "load_clip takes")
    if "\0" in str(file):
        raise FileUnreadable(f"cannot read {str(file)!r}: a name has no NUL in it")
    suffix = file.suffix.lower()
    given = {"unit": unit, "up": up, "animation": animation, "rate": rate, "positions": positions}
    options = {name: value for name, value in given.items() if value is not None}
    if suffix in TABLES:
        return _with_robot(file, suffix, robot, options)
    if suffix not in FIGURES:
        raise BadFile(
            f"'{file}' ends in {suffix or 'nothing'!r}; limbik reads motion from {', '.join([*FIGURES, *TABLES])}"
        )
    read, known = FIGURES[suffix]
    _check_options(options, known, suffix)
    if robot is not None:
        raise BadOption(f"robot= goes with {' and '.join(TABLES)}; a {suffix} file holds its own figure")
    return Clip.of(_with_tip(read(file, **options)))


def _with_tip(recording: Recording) -> Recording:
    """Return a recording as a chain's where the figure in a file has one end, as `load` does."""
    if recording.base is not None or recording.tip is not None or len(ends := ends_of(recording.mechanism)) != 1:
        return recording
    return replace(recording, tip=ends[0])


def _with_robot(file: Path, suffix: str, robot: Any, options: dict[str, Any]) -> Clip:
    _check_options(options, (), suffix)
    if robot is None and suffix == ".npz":
        return Clip.of(read_motion_npz(file))
    if not isinstance(robot, Chain | Skeleton):
        raise BadOption(f"a {suffix} file holds numbers alone: say whose they are, as in load_clip(path, robot=arm)")
    tip = robot.tip if isinstance(robot, Chain) else None
    like = Recording(robot.mechanism, np.zeros((1, robot.n)), np.zeros(1), robot.base, tip)
    return Clip.of(TABLES[suffix](file, like))


def _check_options(options: dict[str, Any], known: tuple[str, ...], suffix: str) -> None:
    for name in options:
        if name not in known:
            raise BadOption(f"{name}= does not go with {suffix}")

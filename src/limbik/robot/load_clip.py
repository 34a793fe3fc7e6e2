"""Load a clip, with its figure or robot, from a file."""

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
from limbik.motion.clip import Clip
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

# Suffixes of files with a figure and its motion, and of files with motion only.
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

    robot: the Chain or Skeleton of a .csv, which contains numbers only; an .npz written by limbik contains its robot.
    unit: the unit of length of the file, a name ("cm", "in" ...) or a number of metres; None: metres for glTF, else
    centimetres.
    up: the upward axis of a .bvh file, "y" or "z"; None means "y". animation: the animation of a glTF file, by name or number;
    None takes the first. rate: the sampling rate of a glTF file [Hz]; None keeps its keys if possible.
    positions: the position channels of a .bvh file that become joints, apart from the root's: "moving" ones (None), or all of
    them ("keep"), so that all files of one figure give the same robot.
    Raises FileUnreadable, BadFile, BadModel, BadOption, NotFinite, ShapeError.
    """
    file = as_path(path, "load_clip takes")
    if "\0" in str(file):
        raise FileUnreadable(f"cannot read {str(file)!r}: a file name must not contain NUL")
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
        raise BadOption(f"robot= requires {' or '.join(TABLES)}; a {suffix} file contains its own figure")
    return clip_of(_with_tip(read(file, **options)))


def clip_of(recording: Recording) -> Clip:
    """Return the clip of a recording, with its chain or skeleton."""
    robot = (
        Skeleton(recording.mechanism, recording.base)
        if recording.tip is None
        else Chain(recording.mechanism, recording.base, recording.tip)
    )
    return Clip.of(robot, recording)


def _with_tip(recording: Recording) -> Recording:
    """Return a recording with a tip if its figure has one, as in `load`."""
    if recording.base is not None or recording.tip is not None or len(ends := ends_of(recording.mechanism)) != 1:
        return recording
    return replace(recording, tip=ends[0])


def _with_robot(file: Path, suffix: str, robot: Any, options: dict[str, Any]) -> Clip:
    _check_options(options, (), suffix)
    if robot is None and suffix == ".npz":
        return clip_of(read_motion_npz(file))
    if not isinstance(robot, Chain | Skeleton):
        raise BadOption(f"a {suffix} file contains numbers only: give the robot, as in load_clip(path, robot=arm)")
    tip = robot.tip if isinstance(robot, Chain) else None
    like = Recording(robot.model.mechanism, np.zeros((1, robot.n)), np.zeros(1), robot.base, tip)
    return Clip.of(robot, TABLES[suffix](file, like))


def _check_options(options: dict[str, Any], known: tuple[str, ...], suffix: str) -> None:
    for name in options:
        if name not in known:
            raise BadOption(f"{name}= does not apply to {suffix}")

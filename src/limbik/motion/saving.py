"""Save a clip; the suffix of the file name selects the format."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.errors import BadFile, BadOption, FileUnwritable
from limbik.formats.bvh_write import frame_time, write_bvh
from limbik.formats.gltf_write import write_gltf
from limbik.formats.motion_csv import write_motion_csv
from limbik.formats.motion_npz import write_motion_npz
from limbik.formats.replacing import check_writable
from limbik.formats.source import as_path
from limbik.geometry.arrays import Array
from limbik.model.recording import Recording

# The writer of each file name suffix, and its options.
WRITERS: dict[str, tuple[Callable[..., None], tuple[str, ...]]] = {
    ".bvh": (write_bvh, ("unit", "up")),
    ".glb": (write_gltf, ("skin", "mesh")),
    ".gltf": (write_gltf, ("skin", "mesh")),
    ".csv": (write_motion_csv, ("degrees",)),
    ".npz": (write_motion_npz, ()),
}


def save_recording(recording: Recording, path: str | PathLike[str], **options: Any) -> None:
    """Write a recording. Options that are None take the format's default. Raises FileUnwritable, BadFile, BadOption."""
    target, write, given = _writer(path, options)
    write(recording, target, **given)


def check_saving(path: str | PathLike[str], times: Array | None = None, **options: Any) -> None:
    """Raise the errors of `save_recording` that can be detected before the motion exists: name, folder, permission, options.

    times: of the frames [s], if known; formats with evenly spaced frames refuse others.
    """
    target, write, _ = _writer(path, options)
    check_writable(target)
    if times is not None and write is write_bvh:
        frame_time(times)


def _writer(path: str | PathLike[str], options: dict[str, Any]) -> tuple[Path, Callable[..., None], dict[str, Any]]:
    """Return the path, its writer, and the given options. Raises FileUnwritable, BadFile, BadOption."""
    target = as_path(path, "a clip is saved at")
    if "\0" in str(target):
        raise FileUnwritable(f"cannot write {str(target)!r}: a file name must not contain NUL")
    suffix = target.suffix.lower()
    if suffix not in WRITERS:
        raise BadFile(f"'{target}' ends in {suffix or 'nothing'!r}; limbik writes motion to {', '.join(WRITERS)}")
    write, known = WRITERS[suffix]
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in known:
            homes = ", ".join(ending for ending, (_, options_) in WRITERS.items() if name in options_)
            raise BadOption(f"{name}= applies to {homes or 'no format'}, not to {suffix}")
    return target, write, given

"""Motion as NumPy arrays (.npz): q, times, the names of the columns, the fingerprint of the robot it belongs to.

Arrays are taken from the archive only where their bytes are as many as they announce, and never unpickled.
"""

import io
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, FileUnreadable, one_line
from limbik.formats.columns import column_names
from limbik.formats.replacing import replacing
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.model.recording import Recording

_NEEDED = ("q", "times")
_TEXTS = ("names", "fingerprint", "interpolation")


def write_motion_npz(recording: Recording, path: str | PathLike[str]) -> None:
    """Write a recording as NumPy arrays. Raises FileUnwritable."""
    with replacing(Path(path), lasting=False) as file:
        np.savez(
            file,
            q=recording.q,
            times=recording.times,
            names=np.array(column_names(recording.compiled), dtype=np.str_),
            fingerprint=np.array(recording.compiled.fingerprint),
            interpolation=np.array(recording.interpolation),
        )


def read_motion_npz(path: str | PathLike[str], like: Recording) -> Recording:
    """Return the motion in an archive, of the robot of `like`. Raises FileUnreadable, BadFile, and what a Recording raises."""
    data = read_bytes(Path(path), LARGEST_MOTION)
    try:
        arrays = _arrays(data)
    except (FileUnreadable, BadFile):
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        ValueError,
        NotImplementedError,
        RuntimeError,
        OSError,
        EOFError,
        KeyError,
    ) as error:
        raise BadFile(f"'{path}' is not an archive of motion (.npz): {one_line(error)}") from None
    if missing := [name for name in _NEEDED if name not in arrays]:
        raise BadFile(f"'{path}' has no array '{missing[0]}'; motion is q (frames, n) and times (frames,)")
    names = column_names(like.compiled)
    own = [str(name) for name in np.atleast_1d(arrays["names"]).ravel()] if "names" in arrays else names
    if own != names:
        raise BadFile(
            f"'{path}' moves {one_line(', '.join(own))}; '{like.mechanism.name}' has {one_line(', '.join(names))}"
        )
    if "fingerprint" in arrays and str(arrays["fingerprint"]) != like.compiled.fingerprint:
        raise BadFile(
            f"'{path}' was made for another robot than '{like.mechanism.name}', one with joints of the same names"
        )
    interpolation = str(arrays.get("interpolation", like.interpolation))
    return Recording(like.mechanism, arrays["q"], arrays["times"], like.base, like.tip, interpolation)


def _arrays(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in (*_NEEDED, *_TEXTS):
            if f"{name}.npy" not in archive.namelist():
                continue
            info = archive.getinfo(f"{name}.npy")
            if info.file_size > LARGEST_MOTION:
                raise ValueError(f"array '{name}' is larger than {LARGEST_MOTION >> 20} MB")
            found[name] = _array(archive.read(info), name, "fiu" if name in _NEEDED else "U")
    return found


def _array(raw: bytes, name: str, kinds: str) -> Any:
    file = io.BytesIO(raw)
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"array '{name}' has the version {version}")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(file)
    if dtype.kind not in kinds:
        raise ValueError(f"array '{name}' is of type {dtype}")
    count = 1
    for size in shape:
        count *= size
    if min(shape, default=1) < 0 or count * dtype.itemsize != len(raw) - file.tell():
        raise ValueError(f"array '{name}' announces the shape {shape}, and its bytes are not as many")
    if not count:
        return np.zeros(shape, dtype)
    return np.frombuffer(raw, dtype, count, file.tell()).reshape(shape, order="F" if fortran else "C")

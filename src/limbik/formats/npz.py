"""Read NumPy archives (.npz): declared sizes are checked and bounded, objects are never unpickled."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.source import LARGEST_MOTION, read_bytes

# NumPy's kind letters of numbers and of texts.
NUMBERS, TEXTS = "fiu", "U"


def read_npz(path: Path, kinds: Mapping[str, str], what: str, largest: int = LARGEST_MOTION) -> dict[str, Any]:
    """Return the named arrays of an archive, read-only; missing ones are left out. Raises FileUnreadable, BadFile.

    kinds: the kind letters that each array may have, by name. what: the content, for error messages. largest: the
    largest size of the archive, and of the arrays together [bytes]; the declared sizes are checked before anything is
    decompressed.
    """
    data = read_bytes(path, largest)
    try:
        return _arrays(data, kinds, largest)
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
        raise BadFile(f"'{path}' is not an archive of {what} (.npz): {one_line(error)}") from None


def _arrays(data: bytes, kinds: Mapping[str, str], largest: int) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = set(archive.namelist())
        infos = {name: archive.getinfo(f"{name}.npy") for name in kinds if f"{name}.npy" in members}
        total = sum(info.file_size for info in infos.values())
        if total > largest:
            raise ValueError(
                f"its arrays take {total >> 20} MB, and limbik reads at most {largest >> 20} MB: split the file"
            )
        return {name: _array(archive.read(info), name, kinds[name]) for name, info in infos.items()}


def _array(raw: bytes, name: str, kinds: str) -> Any:
    file = io.BytesIO(raw)
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"array '{name}' has the format version {version}")
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(file)
    if dtype.kind not in kinds:
        raise ValueError(f"array '{name}' is of type {dtype}")
    count = 1
    for size in shape:
        count *= size
    if min(shape, default=1) < 0 or count * dtype.itemsize != len(raw) - file.tell():
        raise ValueError(f"array '{name}' declares the shape {shape}, but its size differs")
    if not count:
        return np.zeros(shape, dtype)
    return np.frombuffer(raw, dtype, count, file.tell()).reshape(shape, order="F" if fortran else "C")

"""Arrays in NumPy's archives (.npz): validated against their declared size, bounded, never unpickled."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, one_line
from limbik.formats.source import LARGEST_MOTION, read_bytes

# Kinds of numbers, and of texts, as NumPy's letters have them.
NUMBERS, TEXTS = "fiu", "U"


def read_npz(path: Path, kinds: Mapping[str, str], what: str, largest: int = LARGEST_MOTION) -> dict[str, Any]:
    """Return those arrays of an archive that are named, read-only. Raises FileUnreadable, and BadFile with the reason.

    kinds: the arrays by name, each with the letters of the types that it may have. what: the archive is one of. largest: bytes of
    the archive, and of all these arrays together: what they announce is held against it before anything is unpacked.
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
        held = set(archive.namelist())
        infos = {name: archive.getinfo(f"{name}.npy") for name in kinds if f"{name}.npy" in held}
        total = sum(info.file_size for info in infos.values())
        if total > largest:
            raise ValueError(
                f"its arrays would take {total >> 20} MB, and limbik reads less than {largest >> 20} MB: cut the file"
            )
        return {name: _array(archive.read(info), name, kinds[name]) for name, info in infos.items()}


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

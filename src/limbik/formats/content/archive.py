"""Arrays and texts in one file with a checksum: safetensors with a SHA-256 of its content.

The checksum is the SHA-256 of the head (with zeros in place of the checksum) followed by the SHA-256 of each block of
the arrays. Threads hash the blocks in parallel.
"""

import hashlib
import mmap
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from limbik.errors import BadFile, BadOption, one_line, shown
from limbik.formats.content.layout import (
    LENGTH_BYTES,
    NAMES,
    TEXTS,
    Arrays,
    Malformed,
    Place,
    head_of,
    read_head,
    read_header,
)
from limbik.formats.replacing import replacing
from limbik.formats.source import read_errors

# Bytes that a thread hashes at a time.
BLOCK = 4 << 20
_NO_SUM = "0" * 64


@dataclass(frozen=True)
class Kind:
    """A kind of file. format: the name in its header. schema: its version. called, remedy: for error messages."""

    format: str
    schema: int
    called: str
    remedy: str


def write_archive(
    path: Path,
    kind: Kind,
    texts: Mapping[str, str],
    arrays: Arrays,
    *,
    lasting: bool = True,
    folder: Path | None = None,
) -> None:
    """Write a file; equal texts and arrays give equal bytes. lasting, folder: as in `replacing`. Raises FileUnwritable."""
    plain = {name: _plain(name, array) for name, array in arrays.items()}
    texts = {**texts, "format": kind.format, "schema": str(kind.schema), "checksum": _NO_SUM}
    head, order = head_of(texts, plain)
    blocks = [block for name in order for block in _blocks(plain[name].reshape(-1).view(np.uint8).data)]
    found = _checksum(head, blocks).encode()
    with replacing(path, lasting=lasting, folder=folder) as file:
        file.write(head.replace(_NO_SUM.encode(), found, 1))
        for block in blocks:
            file.write(block)


def read_archive(path: Path, kind: Kind, *, mapped: bool = False) -> tuple[dict[str, str], Arrays]:
    """Verify the checksum of a file and return its texts and read-only arrays. Raises BadFile, FileUnreadable.

    mapped: map the file into memory instead of copying it. Only for files that nobody else writes to: if the file is
    truncated later, reading the array ends the process.
    """
    data = _mapped(path, kind) if mapped else _copied(path, kind)
    try:
        return _opened(data, kind, path)
    except Malformed as error:
        raise BadFile(f"'{path}' is not {kind.called}: {one_line(error)}; {kind.remedy}") from None


def _opened(data: memoryview, kind: Kind, path: Path) -> tuple[dict[str, str], Arrays]:
    begin = read_head(bytes(data[: LENGTH_BYTES + 1]), len(data))
    head = bytes(data[:begin])
    texts, places = read_header(head[LENGTH_BYTES:], len(data) - begin)
    if texts.get("format") != kind.format:
        own = texts.get("format", "").startswith("limbik ")
        raise Malformed(f"it is a {texts['format']}" if own else "it is a safetensors file of another program")
    if texts.get("schema") != str(kind.schema):
        raise BadFile(
            f"'{path}' has schema {shown(texts.get('schema'))}; this version of limbik reads schema {kind.schema}: {kind.remedy}"
        )
    given = texts.pop("checksum", "")
    if len(given) != len(_NO_SUM) or head.count(given.encode()) != 1:
        raise Malformed("its header has no valid checksum")
    spans = sorted((place.begin, place.end) for place in places.values())
    blocks = [block for first, last in spans for block in _blocks(data[begin + first : begin + last])]
    if given != _checksum(head.replace(given.encode(), _NO_SUM.encode()), blocks):
        raise BadFile(f"'{path}' is damaged: its bytes do not match its checksum; {kind.remedy}")
    return texts, {name: _array(name, data, begin, place) for name, place in places.items()}


def _array(name: str, data: memoryview, begin: int, place: Place) -> npt.NDArray[np.generic]:
    try:
        count = (place.end - place.begin) // place.dtype.itemsize
        array = np.frombuffer(data, place.dtype, count, begin + place.begin if count else 0).reshape(place.shape)
    except ValueError:
        raise Malformed(f"array '{name}' has an impossible shape") from None
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise Malformed(f"array '{name}' is boolean but contains values other than 0 and 1")
    return array


def _plain(name: object, array: object) -> npt.NDArray[np.generic]:
    """Return an array as it is written: little-endian and C-contiguous. Raises BadOption."""
    if not isinstance(name, str) or not name or name == TEXTS or not isinstance(array, np.ndarray):
        raise BadOption(f"give NumPy arrays with names; got {shown(name)}: {type(array).__name__}")
    plain: npt.NDArray[np.generic] = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
    if plain.dtype not in NAMES:
        raise BadOption(f"array {shown(name)} is of type {array.dtype}; use one of {', '.join(map(str, NAMES))}")
    return plain


# ---- the bytes -------------------------------------------------------------------------------------------------------


def _mapped(path: Path, kind: Kind) -> memoryview:
    def mapped(file: int, size: int) -> memoryview:
        return memoryview(mmap.mmap(file, size, access=mmap.ACCESS_READ) if size else b"")

    return _with_file(path, kind, mapped)


def _copied(path: Path, kind: Kind) -> memoryview:
    def copied(file: int, size: int) -> memoryview:
        with os.fdopen(os.dup(file), "rb") as stream:
            return memoryview(stream.read(size))

    return _with_file(path, kind, copied)


def _with_file(path: Path, kind: Kind, use: Callable[[int, int], memoryview]) -> memoryview:
    with read_errors(path):
        if path.is_dir():
            raise BadFile(f"'{path}' is a directory; give the file of {kind.called}")
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe without a writer would block
        try:
            state = os.fstat(file)
            if not stat.S_ISREG(state.st_mode):
                raise BadFile(f"'{path}' is not a regular file")
            return use(file, state.st_size)
        finally:
            os.close(file)


# ---- the checksum ----------------------------------------------------------------------------------------------------


def _blocks(data: memoryview) -> Iterable[memoryview]:
    """Return an array's bytes in blocks. Every array begins a new block, so that writer and reader form the same blocks."""
    return (data[start : start + BLOCK] for start in range(0, len(data), BLOCK))


def _checksum(head: bytes, blocks: Sequence[memoryview]) -> str:
    total = hashlib.sha256(head)
    if sum(map(len, blocks)) <= BLOCK:
        digests = [hashlib.sha256(block).digest() for block in blocks]
    else:
        with ThreadPoolExecutor(min(len(blocks), os.cpu_count() or 1)) as threads:
            digests = list(threads.map(lambda block: hashlib.sha256(block).digest(), blocks))
    for digest in digests:
        total.update(digest)
    return total.hexdigest()

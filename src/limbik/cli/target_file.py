"""A file of many targets, split into pieces without reading it all: it may be larger than the memory."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from limbik.cli.targets import pose_rows
from limbik.errors import BadFile, FileUnreadable
from limbik.formats.source import exists
from limbik.geometry.arrays import Array

# Bytes of a text per search for line ends.
BLOCK = 1 << 20
# The largest mean length of lines that can hold poses [bytes].
LONGEST_LINE = 4096

Raw = Mapping[str, npt.NDArray[Any]]


class TargetFile(Protocol):
    """Targets in pieces. A piece is read here; another process may parse it (see `poses_of`)."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    def __len__(self) -> int:
        """Return the number of pieces."""
        ...

    def raw(self, piece: int) -> Raw:
        """Return the raw content of a piece."""
        ...


def open_targets(path: Path, rows: int) -> TargetFile:
    """Return a file of targets in pieces of `rows` rows: .npy of shape (N, 4, 4), or .csv with one pose per line.

    Raises BadFile, FileUnreadable.
    """
    suffix = path.suffix.lower()
    if suffix not in (".npy", ".csv"):
        raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; targets are read from .csv or .npy")
    if not exists(path):
        raise FileUnreadable(f"cannot read '{path}': no such file")
    if not path.is_file():
        raise BadFile(f"'{path}' is not a regular file")
    try:
        return Matrices(path, rows) if suffix == ".npy" else Lines(path, rows, line_offsets(path, rows))
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None


class Matrices:
    """A file of 4x4 matrices, memory-mapped for one piece at a time, so that earlier pieces leave the memory."""

    def __init__(self, path: Path, rows: int) -> None:
        self.path, self._rows = path, rows
        poses = self._mapped()
        if poses.ndim != 3 or poses.shape[1:] != (4, 4) or poses.dtype.kind not in "fiu":
            raise BadFile(
                f"'{path}' contains {poses.dtype} of shape {poses.shape}; targets are numbers of shape (N, 4, 4)"
            )
        self._pieces = -(-len(poses) // rows)

    def __len__(self) -> int:
        return self._pieces

    def raw(self, piece: int) -> Raw:
        """Return the unchecked matrices of a piece."""
        return {"poses": np.array(self._mapped()[piece * self._rows : (piece + 1) * self._rows])}

    def _mapped(self) -> npt.NDArray[Any]:
        try:
            poses: npt.NDArray[Any] = np.load(self.path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise BadFile(f"cannot read '{self.path}': {error}") from None
        return poses


@dataclass(frozen=True)
class Lines:
    """A text file with one pose per line. offsets: the start of each piece and the end of the last one [bytes]."""

    path: Path
    rows: int
    offsets: list[int]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def raw(self, piece: int) -> Raw:
        """Return the text of a piece, and the number of its first line."""
        begin, end = self.offsets[piece : piece + 2]
        with self.path.open("rb") as file:
            file.seek(begin)
            text = file.read(end - begin)
        return {"text": np.frombuffer(text, np.uint8), "line": np.array(1 + piece * self.rows)}


def line_offsets(path: Path, rows: int) -> list[int]:
    """Return the offsets of every `rows`-th line and of the end of the text [bytes]. Raises BadFile."""
    offsets, place, lines = [0], 0, 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
            first = (rows - 1 - lines) % rows
            offsets.extend((place + 1 + ends[first::rows]).tolist())
            lines, place = lines + len(ends), place + len(block)
            if place - offsets[-1] > rows * LONGEST_LINE + BLOCK:
                raise BadFile(
                    f"'{path}' has lines of more than {LONGEST_LINE} characters; each line must hold one pose"
                )
    if place == 0:
        raise BadFile(f"'{path}' is empty")
    return offsets if offsets[-1] == place else [*offsets, place]


def poses_of(raw: Raw, path: Path) -> Array:
    """Return the targets (k, 4, 4) of a piece. Raises BadFile, BadOption, naming the line."""
    if "poses" in raw:
        return np.asarray(raw["poses"], np.float64)
    line = int(raw["line"])
    try:
        text = raw["text"].tobytes().decode("utf-8-sig" if line == 1 else "utf-8")
    except UnicodeDecodeError:
        raise BadFile(f"'{path}' is not text: the bytes after line {line} are not UTF-8") from None
    try:
        rows = list(pose_rows(text, path, line))
    except csv.Error as error:
        raise BadFile(f"'{path}' is not a table of numbers: {error}") from None
    return np.stack(rows) if rows else np.zeros((0, 4, 4))

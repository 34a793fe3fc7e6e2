"""A file of many targets, cut into pieces without reading it: it may be larger than the memory."""

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

# Bytes of a text that are searched for line ends at a time.
BLOCK = 1 << 20
# A piece of a text that is longer than this for each of its lines holds no poses [bytes].
LONGEST_LINE = 4096

Raw = Mapping[str, npt.NDArray[Any]]


class TargetFile(Protocol):
    """Targets in pieces. What a piece holds is read here and may be understood elsewhere (see `poses_of`)."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    def __len__(self) -> int:
        """Return how many pieces there are."""
        ...

    def raw(self, piece: int) -> Raw:
        """Return what the file holds of a piece."""
        ...


def open_targets(path: Path, rows: int) -> TargetFile:
    """Return a file of targets in pieces of so many rows: .npy of shape (N, 4, 4), or .csv with one pose a line.

    Raises BadFile, FileUnreadable.
    """
    suffix = path.suffix.lower()
    if suffix not in (".npy", ".csv"):
        raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; targets come from .csv or .npy")
    if not exists(path):
        raise FileUnreadable(f"cannot read '{path}': there is no such file")
    if not path.is_file():
        raise BadFile(f"'{path}' is not a regular file")
    try:
        return Matrices(path, rows) if suffix == ".npy" else Lines(path, rows, line_offsets(path, rows))
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None


class Matrices:
    """A file of 4x4 matrices. It is mapped for one piece at a time: what was read once does not stay in the memory."""

    def __init__(self, path: Path, rows: int) -> None:
        self.path, self._rows = path, rows
        poses = self._mapped()
        if poses.ndim != 3 or poses.shape[1:] != (4, 4) or poses.dtype.kind not in "fiu":
            raise BadFile(
                f"'{path}' holds {poses.dtype} of shape {poses.shape}; targets are numbers of shape (N, 4, 4)"
            )
        self._pieces = -(-len(poses) // rows)

    def __len__(self) -> int:
        return self._pieces

    def raw(self, piece: int) -> Raw:
        """Return the matrices of a piece, as the file has them."""
        return {"poses": np.array(self._mapped()[piece * self._rows : (piece + 1) * self._rows])}

    def _mapped(self) -> npt.NDArray[Any]:
        try:
            poses: npt.NDArray[Any] = np.load(self.path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise BadFile(f"cannot read '{self.path}': {error}") from None
        return poses


@dataclass(frozen=True)
class Lines:
    """A file of text with a pose a line. offsets: where pieces begin, and where the last one ends [bytes]."""

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
    """Return where every `rows`-th line begins, and where the text ends. Raises BadFile."""
    offsets, place, lines = [0], 0, 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
            first = (rows - 1 - lines) % rows
            offsets.extend((place + 1 + ends[first::rows]).tolist())
            lines, place = lines + len(ends), place + len(block)
            if place - offsets[-1] > rows * LONGEST_LINE + BLOCK:
                raise BadFile(f"'{path}' has lines of more than {LONGEST_LINE} characters; a line holds one pose")
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
        raise BadFile(f"'{path}' is not text: what stands after line {line} is not UTF-8") from None
    try:
        rows = list(pose_rows(text, path, line))
    except csv.Error as error:
        raise BadFile(f"'{path}' is not a table of numbers: {error}") from None
    return np.stack(rows) if rows else np.zeros((0, 4, 4))

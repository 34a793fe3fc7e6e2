"""Read BVH files of motion capture: a figure and its postures (configurations).

Memory is bounded by the size of the file, not by the number of frames in its header. The core parses the numbers. The
recording keeps the file's nodes, channel order, offsets, raw numbers and frame time, so that it can be written back
unchanged.
"""

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import read_numbers
from limbik.errors import BadFile, BadOption, shown
from limbik.formats.bvh_joints import Figure, build_figure
from limbik.formats.bvh_text import Head, Node, read_head
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.geometry.arrays import LARGEST, Array
from limbik.model.free_hips import with_free_hips
from limbik.model.mechanism import Mechanism
from limbik.model.record import Record
from limbik.model.recording import Recording
from limbik.model.units import UNITS, metres_per

# The default unit of length: the format does not specify one.
BVH_UNIT = UNITS["cm"]
# Which position channels become joints.
POSITIONS = ("moving", "keep")


@dataclass(frozen=True, eq=False)
class Written(Record):
    """The content of a BVH file: nodes, channel values (frames, channels), frame time [s], metres per unit, upward axis.

    keep: whether constant position channels became joints. rows: the row of `values` for each frame of the recording,
    (frames,); None if frame i is row i.
    """

    nodes: tuple[Node, ...]
    values: Array
    frame_time: float
    unit: float
    up: str = "y"
    keep: bool = False
    rows: npt.NDArray[np.intp] | None = None

    def taken(self, rows: npt.NDArray[np.intp]) -> "Written":
        """Return a copy for a recording that consists of these frames (indices)."""
        own = np.arange(len(self.values)) if self.rows is None else self.rows
        if not len(own):
            return self
        return replace(self, rows=own[np.minimum(rows, len(own) - 1)])

    @property
    def kept(self) -> Array:
        """The raw channel values of the recording's frames, (frames, channels)."""
        return self.values if self.rows is None else self.values[self.rows]


def read_bvh(path: str | PathLike[str], unit: Any = None, up: str = "y", positions: str = "moving") -> Recording:
    """Return the motion in a BVH file.

    unit: the unit of its lengths, a name or metres; None: centimetres. up: its upward axis, "y" or "z". positions:
    which position channels become joints, besides the root's: those that change ("moving"), or all ("keep"). Raises
    FileUnreadable, BadFile, BadModel, BadOption.
    """
    figure, written, notes = _read(Path(path), unit, up, positions)
    if not len(written.values):
        raise BadFile(f"'{path}' contains a figure but no frames; limbik.load gives the figure")
    q = figure.plan.postures(written.values, written.unit)
    times = np.arange(len(q), dtype=np.float64) * written.frame_time
    return Recording(figure.mechanism, q, times, notes=notes, written=written)


def read_bvh_mechanism(path: str | PathLike[str], unit: Any = None) -> Mechanism:
    """Return the figure in a BVH file, with or without motion. Raises as `read_bvh` does.

    If a file has no motion, the hips of a human figure get a floating joint, even without position channels.
    """
    figure, written, _ = _read(Path(path), unit, "y", "moving")
    return figure.mechanism if len(written.values) else with_free_hips(figure.mechanism)


def _read(path: Path, unit: Any, up: str, positions: str) -> tuple[Figure, Written, tuple[str, ...]]:
    what = f"'{path}'"
    metres = metres_per(unit, BVH_UNIT)
    if up not in ("y", "z"):
        raise BadOption(f"up={shown(up)}: give 'y' or 'z'")
    if positions not in POSITIONS:
        raise BadOption(f"positions={shown(positions)}: give 'moving' or 'keep'")
    data = read_bytes(path, LARGEST_MOTION)
    if not data or data.isspace():
        raise BadFile(f"{what} is empty")
    head = read_head(data, what)
    values = _rows(data, head, what)
    figure = build_figure(head.nodes, values, metres, path.stem or "figure", up, positions == "keep")
    notes = figure.mechanism.notes
    if head.encoding != "utf-8":
        notes = (*notes, "names are not UTF-8: read as Latin-1")
    return figure, Written(head.nodes, values, head.frame_time, metres, up, positions == "keep"), notes


def _rows(data: bytes, head: Head, what: str) -> Array:
    """Return the numbers after the header, (frames, channels)."""
    columns = sum(len(node.channels) for node in head.nodes)
    if head.numbers_at < 0:
        return np.zeros((0, columns))
    if not columns and head.frames:
        raise BadFile(f"{what} declares {head.frames} frames, but no joint has a channel")
    expected = min(head.frames * columns, len(data))
    values, bad, surplus, row, count = read_numbers(data, head.numbers_at, columns, expected, LARGEST)
    if bad >= 0:
        word = data[bad : bad + 100].split()[0].decode("latin-1")
        raise BadFile(
            f"{what}: line {_line(data, bad)} contains {shown(word)} in the motion data; a number is expected"
        )
    declared = f"{what} declares {head.frames} frames of {columns} channels"
    if surplus >= 0:
        where = (
            f"frame {row + 1} has {count} numbers" if row >= 0 else f"line {_line(data, surplus)} contains more numbers"
        )
        raise BadFile(f"{declared}, but {where}; correct the file or its header")
    if len(values) != head.frames * columns:
        where = f": frame {row + 1} has {count} numbers" if row >= 0 else ""
        raise BadFile(f"{declared}, but contains {len(values) // max(columns, 1)}{where}; is it cut short?")
    return values.reshape(head.frames, columns)


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1

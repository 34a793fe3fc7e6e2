"""Read and write markers: tables (.csv), arrays (.npz), and the text files of motion laboratories (.trc).

A table has one row per frame: `time` (or `frame`), then three columns for each marker, `NAME.x, NAME.y, NAME.z`. An
empty cell is a missing marker. In a .trc file the position 0, 0, 0 is a missing marker too, since camera systems write
it so. Printed times that approximate evenly spaced times are replaced by these.
"""

import csv
import io
import re
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, shown
from limbik.formats.npz import NUMBERS, TEXTS, read_npz
from limbik.formats.printed_times import meant_times
from limbik.formats.replacing import replacing
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.geometry.arrays import Array
from limbik.model.markers import Markers
from limbik.model.units import metres_per, text_number

SUFFIXES = (".csv", ".npz", ".trc")
_COLUMN = re.compile(r"^(?P<name>.+?)[._: ]?(?P<axis>[xyzXYZ])$")
# Cells of a missing marker.
_NOTHING = {"", "nan", "na", "null", "none", "-"}


def load_markers(path: str | PathLike[str], *, unit: Any = None, rate: float | None = None) -> Markers:
    """Return the markers in a file (.csv, .npz, .trc).

    unit: the unit of its lengths, a name ("mm") or metres as a number; None: the unit in a .trc file, else metres.
    rate: frames per second, for a file without times. Raises FileUnreadable, BadFile, BadOption.
    """
    if not isinstance(path, str | PathLike):
        raise BadOption(f"load_markers takes a path, not {shown(path)}")
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; limbik reads markers from {', '.join(SUFFIXES)}")
    if suffix == ".npz":
        return _from_arrays(file, unit, rate)
    data = read_bytes(file, LARGEST_MOTION)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"'{path}' is not text: byte {error.start} is not UTF-8") from None
    return _from_trc(text, file, unit, rate) if suffix == ".trc" else _from_table(text, file, unit, rate)


def has_times(path: str | PathLike[str]) -> bool:
    """Return whether a valid file of markers contains times; tables may lack them."""
    if Path(path).suffix.lower() != ".csv":
        return True
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        return file.readline().split(",", 1)[0].strip(' \t\n"').lower() in ("time", "t")


def save_markers(markers: Markers, path: str | PathLike[str]) -> None:
    """Write markers as a table (.csv) or arrays (.npz), in metres. Raises BadFile, BadOption, FileUnwritable."""
    if not isinstance(markers, Markers):
        raise BadOption(f"save_markers writes Markers, not {shown(markers)}")
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in (".csv", ".npz"):
        raise BadFile(f"'{path}' ends in {file.suffix or 'nothing'!r}; limbik writes markers as .csv or .npz")
    broken = [name for name in markers.names if len(name.splitlines()) != 1]
    if suffix == ".csv" and broken:
        raise BadOption(
            f"a marker is named {shown(broken[0])}; names in a .csv must be one line: rename it, or write .npz"
        )
    with replacing(file, lasting=False) as out:
        if suffix == ".npz":
            names = np.array(markers.names, dtype=np.str_)
            np.savez_compressed(out, names=names, positions=markers.positions, times=markers.times)
            return
        table = io.TextIOWrapper(out, "utf-8", newline="")
        rows = csv.writer(table)
        rows.writerow(["time", *(f"{name}.{axis}" for name in markers.names for axis in "xyz")])
        for time, row in zip(markers.times, markers.positions.reshape(len(markers), -1), strict=True):
            rows.writerow([repr(float(time)), *("" if np.isnan(x) else repr(float(x)) for x in row)])
        table.flush()
        table.detach()


def _from_arrays(path: Path, unit: Any, rate: Any) -> Markers:
    arrays = read_npz(path, {"names": TEXTS, "positions": NUMBERS, "times": NUMBERS}, "markers")
    if missing := [name for name in ("names", "positions") if name not in arrays]:
        raise BadFile(f"'{path}' has no array '{missing[0]}'; markers are names (m,), positions (frames, m, 3), times")
    names = [str(name) for name in np.atleast_1d(arrays["names"]).ravel()]
    times = arrays.get("times") if rate is None else None
    return Markers(names, arrays["positions"], times, rate=rate, unit=unit)  # type: ignore[arg-type]


def _table_rows(text: str, path: Path) -> tuple[list[list[str]], list[int]]:
    """Return the non-empty rows of a table and the number of the last line of each. Raises BadFile with the line."""
    reader = csv.reader(io.StringIO(text, newline=""))  # a single carriage return ends a line, too
    rows, lines = [], []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise BadFile(f"'{path}': line {reader.line_num} is not a row of a table: {error}") from None
    return rows, lines


def _from_table(text: str, path: Path, unit: Any, rate: Any) -> Markers:
    rows, lines = _table_rows(text, path)
    if len(rows) < 2:
        raise BadFile(f"'{path}' has no rows; give a header and one row per frame")
    header = [cell.strip() for cell in rows[0]]
    timed = 1 if header[0].lower() in ("time", "t", "frame") else 0
    columns = [_COLUMN.match(cell) for cell in header[timed:]]
    if len(columns) % 3 or not columns or not all(columns):
        raise BadFile(
            f"'{path}': the header must be time, then NAME.x, NAME.y, NAME.z of each marker; got {shown(header[:6])}"
        )
    names = []
    for k in range(0, len(columns), 3):
        trio = columns[k : k + 3]
        if {c["name"] for c in trio if c} != {trio[0]["name"]} or [c["axis"].lower() for c in trio if c] != list("xyz"):  # type: ignore[index]
            raise BadFile(f"'{path}': the columns {header[timed + k : timed + k + 3]} are not x, y, z of one marker")
        names.append(trio[0]["name"])  # type: ignore[index]
    values = _cells(rows[1:], lines[1:], len(header), path)
    times = meant_times(values[:, 0]) if timed and header[0].lower() != "frame" and rate is None else None
    return Markers(tuple(names), values[:, timed:].reshape(len(values), -1, 3), times, rate=rate, unit=unit)


def _from_trc(text: str, path: Path, unit: Any, rate: Any) -> Markers:
    lines = text.splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise BadFile(f"'{path}' is not a .trc file: it must begin with PathFileType and have a header of five lines")
    facts = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    names = [name.strip() for name in lines[3].split("\t")[2:] if name.strip()]
    if not names:
        raise BadFile(f"'{path}' has no marker names in its fourth line")
    width = 2 + 3 * len(names)
    numbers = [k for k, line in enumerate(lines) if k >= 5 and line.strip()]
    rows = [lines[k].split("\t") for k in numbers]
    rows = [row[:width] + [""] * (width - len(row)) for row in rows]
    if not rows:
        raise BadFile(f"'{path}' has no frames")
    declared = text_number(facts.get("NumFrames", ""))
    if declared is not None and len(rows) < declared:
        raise BadFile(
            f"'{path}' declares {declared:g} frames and has {len(rows)}: it is cut short; copy it again, or correct NumFrames"
        )
    values = _cells(rows, [k + 1 for k in numbers], width, path)
    positions = values[:, 2:].reshape(len(values), -1, 3)
    positions[(positions == 0).all(axis=-1)] = np.nan
    metres = metres_per(facts.get("Units")) if unit is None and "Units" in facts else metres_per(unit)
    data_rate = text_number(facts.get("DataRate", ""))
    return Markers(
        tuple(names), positions, None if rate else meant_times(values[:, 1], data_rate), rate=rate, unit=metres
    )


def _cells(rows: list[list[str]], lines: list[int], width: int, path: Path) -> Array:
    out = np.full((len(rows), width), np.nan)
    for k, row in enumerate(rows):
        if len(row) != width:
            raise BadFile(f"'{path}', line {lines[k]}: the row has {len(row)} cells, the header {width}")
        for j, cell in enumerate(row):
            word = cell.strip()
            if word.lower() in _NOTHING:
                continue
            value = text_number(word)
            if value is None:
                raise BadFile(
                    f"'{path}', line {lines[k]}: column {j + 1} contains {shown(word)}, which is not a number"
                )
            out[k, j] = value
    return out

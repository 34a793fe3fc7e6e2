"""Read and write markers: tables (.csv), arrays (.npz), and the text files of motion laboratories (.trc).

A table has one row a frame: `time` (or `frame`), then three columns for each marker, `NAME.x, NAME.y, NAME.z`; an empty
cell is a missing marker. A place of exactly 0, 0, 0 in a .trc file is a missing marker too: that is how camera systems
write it.
"""

import csv
import io
import re
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, FileUnwritable, shown
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.model.markers import Markers
from limbik.model.transform import Array
from limbik.model.units import metres_per, text_number

SUFFIXES = (".csv", ".npz", ".trc")
_COLUMN = re.compile(r"^(?P<name>.+?)[._: ]?(?P<axis>[xyzXYZ])$")
# Words for a marker that is not there.
_NOTHING = {"", "nan", "na", "null", "none", "-"}


def load_markers(path: str | PathLike[str], *, unit: Any = None, rate: float | None = None) -> Markers:
    """Return the markers in a file (.csv, .npz, .trc).

    unit: of its lengths, a name ("mm") or metres as a number; None: what a .trc file says, else metres. rate: frames a
    second, for a file without times. Raises FileUnreadable, BadFile, BadOption.
    """
    if not isinstance(path, str | PathLike):
        raise BadOption(f"load_markers takes a path, not {shown(path)}")
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; limbik reads markers from {', '.join(SUFFIXES)}")
    data = read_bytes(file, LARGEST_MOTION)
    if suffix == ".npz":
        return _from_arrays(data, file, unit, rate)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"'{path}' is not text: byte {error.start} is not UTF-8") from None
    return _from_trc(text, file, unit, rate) if suffix == ".trc" else _from_table(text, file, unit, rate)


def tells_times(path: str | PathLike[str]) -> bool:
    """Tell whether a file of markers that can be read has times: tables may lack them."""
    if Path(path).suffix.lower() != ".csv":
        return True
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        return next(csv.reader(file), [""])[0].strip().lower() in ("time", "t")


def save_markers(markers: Markers, path: str | PathLike[str]) -> None:
    """Write markers as a table (.csv) or arrays (.npz), in metres. Raises BadFile, BadOption, FileUnwritable."""
    if not isinstance(markers, Markers):
        raise BadOption(f"save_markers writes Markers, not {shown(markers)}")
    file = Path(path)
    try:
        if file.suffix.lower() == ".npz":
            with file.open("wb") as out:
                np.savez_compressed(
                    out, names=np.array(markers.names), positions=markers.positions, times=markers.times
                )
            return
        if file.suffix.lower() != ".csv":
            raise BadFile(f"'{path}' ends in {file.suffix or 'nothing'!r}; limbik writes markers as .csv or .npz")
        with file.open("w", newline="") as table:
            rows = csv.writer(table)
            rows.writerow(["time", *(f"{name}.{axis}" for name in markers.names for axis in "xyz")])
            for time, row in zip(markers.times, markers.positions.reshape(len(markers), -1), strict=True):
                rows.writerow([repr(float(time)), *("" if np.isnan(x) else repr(float(x)) for x in row)])
    except OSError as error:
        raise FileUnwritable(f"cannot write '{path}': {error.strerror or error}") from None


def _from_arrays(data: bytes, path: Path, unit: Any, rate: Any) -> Markers:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            names = [str(name) for name in arrays["names"]]
            positions = arrays["positions"]
            times = arrays["times"] if "times" in arrays and rate is None else None
    except Exception as error:  # zip files break in many ways
        raise BadFile(f"'{path}' does not hold names, positions and times of markers: {error}") from None
    return Markers(names, positions, times, rate=rate, unit=unit)  # type: ignore[arg-type]


def _from_table(text: str, path: Path, unit: Any, rate: Any) -> Markers:
    rows = [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise BadFile(f"'{path}' has no rows; a head and one row for each frame are needed")
    head = [cell.strip() for cell in rows[0]]
    timed = 1 if head[0].lower() in ("time", "t", "frame") else 0
    columns = [_COLUMN.match(cell) for cell in head[timed:]]
    if len(columns) % 3 or not columns or not all(columns):
        raise BadFile(
            f"'{path}': the head must be time, then NAME.x, NAME.y, NAME.z of each marker; got {shown(head[:6])}"
        )
    names = []
    for k in range(0, len(columns), 3):
        trio = columns[k : k + 3]
        if {c["name"] for c in trio if c} != {trio[0]["name"]} or [c["axis"].lower() for c in trio if c] != list("xyz"):  # type: ignore[index]
            raise BadFile(f"'{path}': the columns {head[timed + k : timed + k + 3]} are not x, y, z of one marker")
        names.append(trio[0]["name"])  # type: ignore[index]
    values = _cells(rows[1:], len(head), path)
    times = values[:, 0] if timed and head[0].lower() != "frame" and rate is None else None
    return Markers(tuple(names), values[:, timed:].reshape(len(values), -1, 3), times, rate=rate, unit=unit)


def _from_trc(text: str, path: Path, unit: Any, rate: Any) -> Markers:
    lines = text.splitlines()
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise BadFile(f"'{path}' is no .trc file: it must begin with PathFileType and have five lines of head")
    facts = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    names = [name.strip() for name in lines[3].split("\t")[2:] if name.strip()]
    if not names:
        raise BadFile(f"'{path}' names no markers in its fourth line")
    width = 2 + 3 * len(names)
    rows = [line.split("\t") for line in lines[5:] if line.strip()]
    rows = [row[:width] + [""] * (width - len(row)) for row in rows]
    if not rows:
        raise BadFile(f"'{path}' has no frames")
    values = _cells(rows, width, path)
    positions = values[:, 2:].reshape(len(values), -1, 3)
    positions[(positions == 0).all(axis=-1)] = np.nan
    metres = metres_per(facts.get("Units")) if unit is None and "Units" in facts else metres_per(unit)
    return Markers(tuple(names), positions, None if rate else values[:, 1], rate=rate, unit=metres)


def _cells(rows: list[list[str]], width: int, path: Path) -> Array:
    out = np.full((len(rows), width), np.nan)
    for k, row in enumerate(rows):
        if len(row) != width:
            raise BadFile(f"'{path}': row {k + 1} has {len(row)} cells, the head {width}")
        for j, cell in enumerate(row):
            word = cell.strip()
            if word.lower() in _NOTHING:
                continue
            value = text_number(word)
            if value is None:
                raise BadFile(f"'{path}': row {k + 1}, column {j + 1} holds {shown(word)}, which is no number")
            out[k, j] = value
    return out

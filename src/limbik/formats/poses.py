"""Read poses from text: one pose as numbers, or a file with one pose per line."""

import csv
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from limbik.errors import BadFile, BadOption, FileUnreadable
from limbik.formats.pose_header import Columns, columns_of
from limbik.geometry.arrays import Array
from limbik.geometry.pose import UNIT
from limbik.geometry.se3 import as_pose, from_quaternion, from_rpy
from limbik.geometry.so3 import real_part_last

FORMS = "x,y,z,roll,pitch,yaw (metres, degrees), x,y,z,qw,qx,qy,qz, or the rows of a 4x4 matrix"
# The largest file of poses for a path [bytes].
LARGEST_FILE = 200 << 20


def pose_from_numbers(numbers: list[float], what: str, *, degrees: bool = True) -> Array:
    """Return a pose from 6 (xyz, rpy), 7 (xyz, quaternion w first), 12 or 16 numbers (matrix rows). Raises BadOption."""
    x = np.array(numbers)
    if len(x) == 6:
        return from_rpy(x[:3], np.radians(x[3:]) if degrees else x[3:])
    if len(x) == 7:
        if not np.linalg.norm(x[3:]) > 0:
            raise BadOption(f"{what}: the quaternion is zero")
        return from_quaternion(x[:3], real_part_last(x[3:]))
    if len(x) in (12, 16):
        T = np.eye(4)
        T[: len(x) // 4] = x.reshape(-1, 4)
        return T
    raise BadOption(f"{what} has {len(x)} numbers; give {FORMS}")


def numbers_from_text(text: str, what: str) -> list[float]:
    """Return numbers separated by commas or blanks. Raises BadOption."""
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise BadOption(f"{what} is {text[:60]!r}; give numbers separated by commas") from None


def read_poses(file: str | PathLike[str], *, degrees: bool = True) -> tuple[Array, Array | None]:
    """Return the poses of a file with one pose per line, (N, 4, 4), and their times if a header has a column "t" or "time".

    A header names the columns, in any order. Raises BadFile, FileUnreadable, BadOption, NotRigid, naming the line.
    """
    path = Path(fspath(file))
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadFile(f"'{path}' is larger than {LARGEST_FILE >> 20} MB, too large for a path")
        text = path.read_text("utf-8-sig")
        lines = list(csv.reader(text.splitlines()))
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error):
        raise BadFile(f"'{path}' is not a table of numbers") from None
    poses: list[Array] = []
    times: list[float] = []
    columns: Columns | None = None
    for line, row in enumerate(lines, start=1):
        cells = _cells(row)
        if not cells:
            continue
        what = f"'{path}', line {line}"
        if not all(cell.strip() for cell in cells):
            raise BadFile(f"{what} has an empty cell")
        if not poses and columns is None and not any(is_number(cell) for cell in cells):
            columns = columns_of(cells, what)
            continue
        values = numbers_from_text(",".join(cells), what)
        if not np.isfinite(values).all():
            raise BadFile(f"{what} contains NaN or infinity")
        radians = not degrees
        if columns is not None:
            if len(values) != columns.width:
                raise BadFile(f"{what} has {len(values)} numbers, its header {columns.width}")
            if columns.time is not None:
                times.append(values[columns.time])
            values = [values[k] for k in columns.order]
            radians = radians if columns.radians is None else columns.radians
        if len(values) == 7 and not abs(np.linalg.norm(values[3:]) - 1.0) <= UNIT:
            length = np.linalg.norm(values[3:])
            raise BadFile(f"{what}: the quaternion (qw,qx,qy,qz) has length {length:.4g} instead of 1")
        poses.append(as_pose(pose_from_numbers(values, what, degrees=not radians), what))
    if not poses:
        raise BadFile(f"'{path}' contains no poses")
    return np.stack(poses), np.array(times) if times else None


def _cells(row: list[str]) -> list[str]:
    """Return the cells of a line, separated by commas, semicolons or spaces; empty cells at its end are dropped."""
    if len(row) == 1:
        row = row[0].split(";") if ";" in row[0] else row[0].split()
    while row and not row[-1].strip():
        row = row[:-1]
    return row


def is_number(cell: str) -> bool:
    """Return whether a cell contains a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True

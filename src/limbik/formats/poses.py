"""Poses as numbers in a line of text, and files of them."""

import csv
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import BadFile, BadOption, FileUnreadable
from limbik.model.transform import Array, from_quaternion, from_rpy

FORMS = "x,y,z,roll,pitch,yaw (metres, degrees), x,y,z,qw,qx,qy,qz, or the rows of a 4x4 matrix"
# Names of a first column that holds times.
TIMES = ("t", "time", "seconds", "t [s]", "time [s]")
# A file of poses for one path is no larger [bytes].
LARGEST_FILE = 200 << 20


def pose_from_numbers(numbers: list[float], what: str, *, degrees: bool = True) -> Array:
    """Return a pose from 6 (xyz, rpy), 7 (xyz, quaternion w first), 12 or 16 numbers (matrix rows). Raises BadOption."""
    x = np.array(numbers)
    if len(x) == 6:
        return from_rpy(x[:3], np.radians(x[3:]) if degrees else x[3:])
    if len(x) == 7:
        if not np.linalg.norm(x[3:]) > 0:
            raise BadOption(f"{what}: the quaternion is zero")
        return from_quaternion(x[:3], x[3:])
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
        raise BadOption(f"{what} is {text[:60]!r}; numbers separated by commas are needed") from None


def read_poses(file: str | PathLike[str], *, degrees: bool = True) -> tuple[Array, Array | None]:
    """Return the poses of a file, (N, 4, 4), one a line, and their times where a header names a first column "t" or "time".

    Raises BadFile, FileUnreadable, BadOption, naming the line.
    """
    path = Path(fspath(file))
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadFile(f"'{path}' is too large for one path")
        text = path.read_text("utf-8-sig")
        lines = list(csv.reader(text.splitlines()))
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None
    except (UnicodeDecodeError, csv.Error):
        raise BadFile(f"'{path}' is not a table of numbers") from None
    timed, poses, times = False, [], []
    for line, cells in enumerate(lines, start=1):
        if not any(cell.strip() for cell in cells):
            continue
        if line == 1 and not _is_number(cells[0]):
            timed = cells[0].strip().lower() in TIMES
            continue
        what = f"'{path}', line {line}"
        values = numbers_from_text(",".join(cells), what)
        if timed:
            times.append(values[0])
            values = values[1:]
        poses.append(pose_from_numbers(values, what, degrees=degrees))
    if not poses:
        raise BadFile(f"'{path}' holds no poses")
    return np.stack(poses), np.array(times) if timed else None


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True

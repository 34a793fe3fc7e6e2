"""Targets as people write them in a shell: a pose, a position, a file of many."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from limbik.errors import BadOption
from limbik.model.transform import Array, from_quaternion, from_rpy

FORMS = "x,y,z,roll,pitch,yaw (metres, degrees), x,y,z,qw,qx,qy,qz, or the rows of a 4x4 matrix"


def pose_from_numbers(numbers: list[float], what: str) -> Array:
    """Return a pose from 6 (xyz, rpy in degrees), 7 (xyz, quaternion w first), 12 or 16 numbers (matrix rows)."""
    x = np.array(numbers)
    if len(x) == 6:
        return from_rpy(x[:3], np.radians(x[3:]))
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
    """Return numbers separated by commas or blanks."""
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise BadOption(f"{what} is {text[:60]!r}; numbers separated by commas are needed") from None


def pose_rows(text: str, path: Path, first: int) -> Iterator[Array]:
    """Yield the poses of lines of a file, one a line; first: the number of the first line. Raises BadOption, naming the line."""
    for number, cells in enumerate(csv.reader(text.splitlines()), start=first):
        if not any(cell.strip() for cell in cells) or (number == 1 and not _is_number(cells[0])):
            continue  # blank, or a header
        what = f"'{path}', line {number}"
        yield pose_from_numbers(numbers_from_text(",".join(cells), what), what)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True

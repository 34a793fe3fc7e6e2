"""Targets as people write them in a shell: a pose, a position, a file of many."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from limbik.errors import BadFile, BadOption
from limbik.formats.source import read_text
from limbik.model.transform import Array, from_quaternion, from_rpy

# Rows of a file that are solved at a time: results come as they are made.
ROWS_AT_A_TIME = 4096

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


def read_targets(path: Path) -> Iterator[Array]:
    """Yield targets (k, 4, 4) in portions, from .npy of shape (N, 4, 4) or .csv with one pose a row."""
    suffix = path.suffix.lower()
    if suffix == ".npy":
        try:
            poses = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise BadFile(f"cannot read '{path}': {error}") from None
        if poses.ndim != 3 or poses.shape[1:] != (4, 4) or poses.dtype.kind not in "fiu":
            raise BadFile(
                f"'{path}' holds {poses.dtype} of shape {poses.shape}; targets are numbers of shape (N, 4, 4)"
            )
        for start in range(0, len(poses), ROWS_AT_A_TIME):
            yield np.array(poses[start : start + ROWS_AT_A_TIME], dtype=np.float64)
    elif suffix == ".csv":
        rows: list[Array] = []
        for number, cells in enumerate(csv.reader(read_text(path).splitlines()), start=1):
            if not any(cell.strip() for cell in cells) or (number == 1 and not _is_number(cells[0])):
                continue  # blank, or a header
            what = f"'{path}', line {number}"
            rows.append(pose_from_numbers(numbers_from_text(",".join(cells), what), what))
            if len(rows) == ROWS_AT_A_TIME:
                yield np.stack(rows)
                rows = []
        if rows:
            yield np.stack(rows)
    else:
        raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; targets come from .csv or .npy")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True

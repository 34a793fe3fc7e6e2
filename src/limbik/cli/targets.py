"""Targets as text: a pose, a position, or a file of many poses."""

import csv
from collections.abc import Iterator
from pathlib import Path

from limbik.formats.poses import FORMS, is_number, numbers_from_text, pose_from_numbers
from limbik.geometry.arrays import Array

__all__ = ["FORMS", "numbers_from_text", "pose_from_numbers", "pose_rows"]


def pose_rows(text: str, path: Path, first: int) -> Iterator[Array]:
    """Yield the pose of each line of a file. first: the number of the first line. Raises BadOption, naming the line."""
    for number, cells in enumerate(csv.reader(text.splitlines()), start=first):
        if not any(cell.strip() for cell in cells) or (number == 1 and not is_number(cells[0])):
            continue  # blank, or a header
        what = f"'{path}', line {number}"
        yield pose_from_numbers(numbers_from_text(",".join(cells), what), what)

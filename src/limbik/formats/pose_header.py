"""The header of a file of poses: names, units and order of its columns."""

import math
import re
from typing import NamedTuple

from limbik.errors import BadFile

TIMES = ("t", "time", "seconds")
POSITION, ANGLES, QUATERNION = ("x", "y", "z"), ("roll", "pitch", "yaw"), ("qw", "qx", "qy", "qz")
UNITS = {"m": POSITION, "s": TIMES, "deg": ANGLES, "degrees": ANGLES, "rad": ANGLES, "radians": ANGLES}
KNOWN = "x,y,z with roll,pitch,yaw or qw,qx,qy,qz, in any order, and t or time"


class Columns(NamedTuple):
    """The columns of a line. order: the columns of the numbers of a pose. time: the column of the time, or None.

    width: the number of columns. radians: whether angles are in radians, None if the header has no unit.
    """

    order: tuple[int, ...]
    time: int | None
    width: int
    radians: bool | None = None


def columns_of(cells: list[str], what: str) -> Columns:
    """Return the columns of a header. Raises BadFile, which names an unknown column."""
    names, units = zip(*(_split(cell) for cell in cells), strict=True)
    for name, unit, cell in zip(names, units, cells, strict=True):
        if unit is not None and name not in UNITS.get(unit, ()):
            raise BadFile(
                f"{what}: column {cell.strip()!r} has the wrong unit; use metres, seconds, degrees or radians"
            )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadFile(f"{what}: column {twice[0]!r} occurs twice")
    time_columns = [k for k, name in enumerate(names) if name in TIMES]
    if len(time_columns) > 1:
        raise BadFile(f"{what}: give one column of times, not several")
    time = time_columns[0] if time_columns else None
    rest = [name for k, name in enumerate(names) if k != time]
    pose_columns = [k for k in range(len(names)) if k != time]
    if len(rest) in (12, 16) and _is_matrix(rest):
        return Columns(tuple(pose_columns), time, len(names))
    for wanted in (POSITION + ANGLES, POSITION + QUATERNION):
        if sorted(rest) == sorted(wanted):
            measured = {unit for name, unit in zip(names, units, strict=True) if name in ANGLES and unit is not None}
            in_radians = {unit.startswith("rad") for unit in measured}
            if len(in_radians) > 1:
                raise BadFile(f"{what}: give angles in degrees or in radians, not both")
            return Columns(
                tuple(names.index(name) for name in wanted), time, len(names), in_radians.pop() if in_radians else None
            )
    known = set(TIMES + POSITION + ANGLES + QUATERNION)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadFile(f"{what}: unknown column {unknown[0]!r}; use {KNOWN}")
    raise BadFile(f"{what}: the columns {','.join(names)} do not form a pose; use {KNOWN}")


def _split(cell: str) -> tuple[str, str | None]:
    """Return a name and its unit: 'roll [deg]' is roll in deg."""
    found = re.fullmatch(r"(.*?)\s*[\[(]\s*(.*?)\s*[\])]", cell.strip().lower())
    return (found[1], found[2]) if found else (cell.strip().lower(), None)


def _is_matrix(names: list[str]) -> bool:
    """Return whether names number the entries of a matrix row by row: m00, m01, ... or m11, m12, ..."""
    ends = [name[-2:] for name in names]
    size = math.ceil(len(names) / 4)
    return any(ends == [f"{i + base}{j + base}" for i in range(size) for j in range(4)] for base in (0, 1))

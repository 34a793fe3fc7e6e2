"""What the columns of a file of poses are called, and in which order they come."""

import math
import re
from typing import NamedTuple

from limbik.errors import BadFile

TIMES = ("t", "time", "seconds")
PLACE, ANGLES, QUATERNION = ("x", "y", "z"), ("roll", "pitch", "yaw"), ("qw", "qx", "qy", "qz")
UNITS = {"m": PLACE, "s": TIMES, "deg": ANGLES, "degrees": ANGLES, "rad": ANGLES, "radians": ANGLES}
KNOWN = "x,y,z with roll,pitch,yaw or qw,qx,qy,qz, in any order, and t or time"


class Columns(NamedTuple):
    """Where things stand in a line. order: of the numbers of a pose. time: its column, None where there is none.
    width: columns in all. radians: whether angles are in radians, None where nothing is said.
    """

    order: tuple[int, ...]
    time: int | None
    width: int
    radians: bool | None = None


def columns_of(cells: list[str], what: str) -> Columns:
    """Return what a header says. Raises BadFile, naming what is not known."""
    names, units = zip(*(_split(cell) for cell in cells), strict=True)
    for name, unit, cell in zip(names, units, cells, strict=True):
        if unit is not None and name not in UNITS.get(unit, ()):
            raise BadFile(f"{what}: column {cell.strip()!r} is not in metres, seconds, degrees or radians")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadFile(f"{what}: column {twice[0]!r} comes twice")
    clocks = [k for k, name in enumerate(names) if name in TIMES]
    if len(clocks) > 1:
        raise BadFile(f"{what}: only one column holds times")
    time = clocks[0] if clocks else None
    rest = [name for k, name in enumerate(names) if k != time]
    places = [k for k in range(len(names)) if k != time]
    if len(rest) in (12, 16) and _is_matrix(rest):
        return Columns(tuple(places), time, len(names))
    for wanted in (PLACE + ANGLES, PLACE + QUATERNION):
        if sorted(rest) == sorted(wanted):
            measured = {unit for name, unit in zip(names, units, strict=True) if name in ANGLES and unit is not None}
            said = {unit.startswith("rad") for unit in measured}
            if len(said) > 1:
                raise BadFile(f"{what}: angles are in degrees or in radians, not both")
            return Columns(tuple(names.index(name) for name in wanted), time, len(names), said.pop() if said else None)
    known = set(TIMES + PLACE + ANGLES + QUATERNION)
    strange = [name for name in names if name not in known]
    if strange:
        raise BadFile(f"{what}: column {strange[0]!r} is not known; the columns are {KNOWN}")
    raise BadFile(f"{what}: the columns {','.join(names)} make no pose; they are {KNOWN}")


def _split(cell: str) -> tuple[str, str | None]:
    """Return a name and its unit: 'roll [deg]' is roll in deg."""
    found = re.fullmatch(r"(.*?)\s*[\[(]\s*(.*?)\s*[\])]", cell.strip().lower())
    return (found[1], found[2]) if found else (cell.strip().lower(), None)


def _is_matrix(names: list[str]) -> bool:
    """Tell whether names count the entries of a matrix row by row: m00, m01, ... or m11, m12, ..."""
    ends = [name[-2:] for name in names]
    size = math.ceil(len(names) / 4)
    return any(ends == [f"{i + base}{j + base}" for i in range(size) for j in range(4)] for base in (0, 1))

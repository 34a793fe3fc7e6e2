"""Motion as a .csv table: a column of times and one for each value of q, with units in the header.

The header is `time [s]`, then for each column the joint and `[rad]`, `[deg]` or `[m]`. The reader accepts any order of
columns. Without units, values are in radians and metres.
"""

import csv
import io
import re
from os import PathLike
from pathlib import Path

import numpy as np

from limbik._core import read_numbers
from limbik.errors import BadFile, BadOption, shown, suggest
from limbik.formats.replacing import replacing
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.geometry.arrays import LARGEST, Array
from limbik.model.columns import column_lengths, column_names
from limbik.model.recording import Recording

_HEADING = re.compile(r"\s*(.*?)\s*(?:\[([^\[\]]*)\])?\s*")
_FACTORS = {"rad": 1.0, "deg": np.pi / 180, "m": 1.0, "cm": 0.01, "mm": 0.001, "s": 1.0, "ms": 0.001}
_ANGLES, _LENGTHS, _TIMES = ("rad", "deg"), ("m", "cm", "mm"), ("s", "ms")
_LONGEST_HEADER = 2**20


def write_motion_csv(recording: Recording, path: str | PathLike[str], degrees: bool = False) -> None:
    """Write a recording as a table. degrees: angles in degrees. Numbers read back exactly.

    Raises FileUnwritable, BadOption.
    """
    if not isinstance(degrees, bool):
        raise BadOption(f"degrees={shown(degrees)}: give True or False")
    lengths = column_lengths(recording.compiled)
    angle = "deg" if degrees else "rad"
    units = ["m" if length else angle for length in lengths]
    factors = np.array([180 / np.pi if degrees and not length else 1.0 for length in lengths])
    out = io.StringIO()
    names = [f"{name} [{unit}]" for name, unit in zip(column_names(recording.compiled), units, strict=True)]
    csv.writer(out, lineterminator="\n").writerow(["time [s]", *names])
    for row in np.column_stack([recording.times, recording.q * factors]).tolist():
        out.write(",".join(map(repr, row)) + "\n")
    with replacing(Path(path), lasting=False) as file:
        file.write(out.getvalue().encode("utf-8"))


def read_motion_csv(path: str | PathLike[str], like: Recording) -> Recording:
    """Return the motion in a table for the robot of `like`. Raises FileUnreadable, BadFile, and the errors of Recording."""
    data = read_bytes(Path(path), LARGEST_MOTION)
    if not data or data.isspace():
        raise BadFile(f"'{path}' is empty")
    end = data.find(b"\n")
    end = len(data) if end < 0 else end
    try:
        header = data[: min(end, _LONGEST_HEADER)].decode("utf-8-sig")
        words = next(csv.reader([header.strip("\r")], strict=True), [])
        if len(words) == 1 and ";" in words[0]:
            words = next(csv.reader([header.strip("\r")], strict=True, delimiter=";"), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"the first line of '{path}' is not a header: {error}") from None
    order, factors = _columns(words, like, f"'{path}'")
    body = data[end:].translate(bytes.maketrans(b",;", b"  "))
    values, bad, _, row, count = read_numbers(body, 0, len(words), len(body), LARGEST)
    if bad >= 0:
        line = body.count(b"\n", 0, bad) + 1
        raise BadFile(
            f"'{path}', line {line}: {shown(body[bad : bad + 80].split()[0].decode('latin-1'))} is not a number"
        )
    if row >= 0:
        raise BadFile(
            f"'{path}': row {row + 1} after the header has {count} numbers; the header has {len(words)} columns"
        )
    if not len(values):
        raise BadFile(f"'{path}' has a header but no rows")
    table: Array = values.reshape(-1, len(words))[:, order] * factors
    return Recording(like.mechanism, table[:, 1:], table[:, 0], like.base, like.tip, like.interpolation)


def _columns(words: list[str], like: Recording, what: str) -> tuple[list[int], Array]:
    """Return the columns of the time and of each value of q, and the factors to seconds, radians and metres."""
    wanted = ["time", *column_names(like.compiled)]
    kinds = [_TIMES, *(_LENGTHS if length else _ANGLES for length in column_lengths(like.compiled))]
    places: dict[str, list[int]] = {}
    for k, name in enumerate(wanted):
        places.setdefault(name, []).append(k)
    found: dict[int, tuple[int, str | None]] = {}
    for k, word in enumerate(words):
        match = _HEADING.fullmatch(word)
        name, unit = (match[1], match[2]) if match else (word, None)
        # A joint may be named "time", too: the units distinguish the two, else the first column is the time.
        free = [at for at in places.get(name, ()) if at not in found]
        meant = next((at for at in free if unit in kinds[at]), free[0] if free else -1)
        if meant < 0 and name in places:
            raise BadFile(f"{what} has two columns {shown(name)}")
        if name not in places:
            raise BadFile(
                f"{what} has a column {shown(name)} that is not a joint value of '{like.mechanism.name}'; {suggest(name, wanted)}"
            )
        found[meant] = k, unit
    if missing := [name for at, name in enumerate(wanted) if at not in found]:
        raise BadFile(f"{what} has no column {shown(missing[0])}; a motion table has {', '.join(wanted[:8])} ...")
    factors = []
    for at, (name, kind) in enumerate(zip(wanted, kinds, strict=True)):
        unit = found[at][1]
        if unit is not None and unit not in kind:
            raise BadFile(f"{what} gives {shown(name)} in {shown(unit)}; use {' or '.join(kind)}")
        factors.append(_FACTORS[unit] if unit is not None else 1.0)
    return [found[at][0] for at in range(len(wanted))], np.array(factors)

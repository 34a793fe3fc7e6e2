"""Files: opened once, bounded in size, with a sentence when it does not work."""

import math
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from limbik.errors import BadFile, BadOption, FileUnreadable, MissingExtra, shown
from limbik.model.transform import LARGEST, number

# The largest description that is read [bytes]. The largest real one met is 2 MB; meshes are separate files.
LARGEST_FILE = 16 * 2**20
# The largest file of motion that is read [bytes]: some hours of a figure.
LARGEST_MOTION = 2**30

# Metres per unit of length that a file may be written in.
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}


def exists(path: Path) -> bool:
    """Tell whether something stands at a path; no for a name that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, a circle of links, a NUL byte
        return False


def read_bytes(path: Path, largest: int = LARGEST_FILE) -> bytes:
    """Return a file's content, at most `largest` bytes. Raises FileUnreadable or BadFile."""
    try:
        if path.is_dir():
            raise BadFile(f"'{path}' is a directory; give the file inside it that describes the robot")
        size = path.stat().st_size
        if size > largest:
            what = "a robot description has" if largest == LARGEST_FILE else "limbik reads"
            raise BadFile(
                f"'{path}' has {size / 2**20:.0f} MB; {what} less than {largest // 2**20} MB "
                "(meshes are separate files): is it the right file?"
            )
        if not path.is_file():
            raise BadFile(f"'{path}' is not a regular file")
        with path.open("rb") as file:
            return file.read(largest + 1)
    except OSError as error:
        raise FileUnreadable(f"cannot read '{path}': {error.strerror or error}") from None
    except ValueError as error:  # a NUL byte in the name
        if isinstance(error, BadFile):
            raise
        raise FileUnreadable(f"cannot read {str(path)!r}: {error}") from None


def read_text(path: Path) -> str:
    """Return a file's text (UTF-8). Raises FileUnreadable or BadFile."""
    data = read_bytes(path)
    if not data.strip():
        raise BadFile(f"'{path}' is empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"'{path}' is not text: byte {error.start} is not UTF-8") from None


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def text_number(word: str) -> float | None:
    """Return the finite number that a word is, or None."""
    value = float(word) if _NUMBER.fullmatch(word) else math.nan
    return value if math.isfinite(value) else None


def unit_factor(unit: str) -> float:
    """Return metres per `unit`. Raises BadOption."""
    if not isinstance(unit, str) or unit not in UNITS:
        raise BadOption(f"unit {shown(unit)} is not known; use one of {', '.join(UNITS)}")
    return UNITS[unit]


def metres_per(unit: Any, default: float = 1.0) -> float:
    """Return metres per unit: a name, a positive number of metres, or None for the default. Raises BadOption, NotNumeric."""
    if unit is None:
        return default
    if isinstance(unit, str | bool):
        return unit_factor(unit)  # type: ignore[arg-type]
    metres = number(unit, f"a unit must be one of {', '.join(UNITS)}, or metres; it")
    if not 1 / LARGEST <= metres <= LARGEST:
        raise BadOption(f"unit={shown(unit)}: a unit is one of {', '.join(UNITS)}, or a positive number of metres")
    return metres


def need(module: str, extra: str, what: str) -> None:
    """Raise MissingExtra, with the command that installs it, when an optional package is not there."""
    if find_spec(module) is None:
        raise MissingExtra(f"{what} needs the package '{module}': pip install 'limbik[{extra}]'")

"""Units of length: their names, and metres per unit."""

import math
import re
from typing import Any

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import LARGEST, number

# Metres per unit of length.
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def text_number(word: str) -> float | None:
    """Return the finite number that a word represents, or None."""
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
    if isinstance(unit, str) and (written := text_number(unit)) is not None:
        unit = written
    if isinstance(unit, str | bool):
        return unit_factor(unit)  # type: ignore[arg-type]
    metres = number(unit, f"a unit must be one of {', '.join(UNITS)}, or metres; it")
    if not 1 / LARGEST <= metres <= LARGEST:
        raise BadOption(f"unit={shown(unit)}: a unit is one of {', '.join(UNITS)}, or a positive number of metres")
    return metres

"""Lengths as files and people write them: names of units, and metres per unit."""

from typing import Any

from limbik.errors import BadOption, shown
from limbik.model.transform import LARGEST, number

# Metres per unit of length that a file may be written in.
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}


def unit_factor(unit: Any, default: float = 1.0) -> float:
    """Return metres per `unit`: a name, a positive number of metres, or None for the default. Raises BadOption."""
    if unit is None:
        return default
    if isinstance(unit, str):
        if unit not in UNITS:
            raise BadOption(f"unit {shown(unit)} is not known; use one of {', '.join(UNITS)}, or metres as a number")
        return UNITS[unit]
    if isinstance(unit, bool):
        raise BadOption(f"unit {shown(unit)} is not known; use one of {', '.join(UNITS)}, or metres as a number")
    metres = number(unit, "unit: a name, or metres as a number")
    if not 1 / LARGEST <= metres <= LARGEST:
        raise BadOption(f"unit={shown(unit)}: a unit is a positive number of metres")
    return metres

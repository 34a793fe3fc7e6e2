"""A published number: what was measured, beside the bar that it must meet."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

# The seed of every random sample that is measured.
SEED = 1


@dataclass(frozen=True)
class Measurement:
    """One measured number and its bar. ok: whether it meets the bar."""

    what: str
    measured: float
    bar: float
    unit: str
    ok: bool
    note: str = ""


def at_most(what: str, measured: float, bar: float, unit: str, note: str = "") -> Measurement:
    """Return a measurement that must not exceed its bar."""
    return Measurement(what, float(measured), float(bar), unit, bool(measured <= bar), note)


def at_least(what: str, measured: float, bar: float, unit: str, note: str = "") -> Measurement:
    """Return a measurement that must reach its bar."""
    return Measurement(what, float(measured), float(bar), unit, bool(measured >= bar), note)


def timed(call: Callable[..., Any], *arguments: Any) -> float:
    """Return the seconds of one call."""
    start = perf_counter()
    call(*arguments)
    return perf_counter() - start

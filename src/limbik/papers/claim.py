"""A claim of a paper as data: the printed value, its unit, and the bar that the measured value must meet."""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bar:
    """The range that a measured value must lie in, ends included."""

    low: float = -math.inf
    high: float = math.inf

    def met(self, value: float) -> bool:
        """Return whether a value lies in the range; NaN does not."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if self.low == self.high:
            return f"= {self.low:.6g}"
        if math.isinf(self.low):
            return f"<= {self.high:.6g}"
        if math.isinf(self.high):
            return f">= {self.low:.6g}"
        return f"{(self.low + self.high) / 2:.7g} +- {(self.high - self.low) / 2:.2g}"


def at_most(value: float) -> Bar:
    """Return the bar of a value that must not be exceeded."""
    return Bar(high=value)


def at_least(value: float) -> Bar:
    """Return the bar of a value that must be reached."""
    return Bar(low=value)


def exactly(value: float) -> Bar:
    """Return the bar of a count that must be met exactly."""
    return Bar(value, value)


def within(tolerance: float, value: float) -> Bar:
    """Return the bar of a value that may differ from another by a tolerance."""
    return Bar(value - tolerance, value + tolerance)


@dataclass(frozen=True)
class Cell:
    """The place of a value in a table. `limbik reproduce` prints such values in their table instead of one per line."""

    table: str
    line: str
    column: str


@dataclass(frozen=True)
class Row:
    """A claim beside its measured value.

    paper and ours are in the paper's unit; None where there is no value. ok: whether limbik's implementation meets the bar,
    None without a bar. cause: why it is known to miss the bar. verdict: of a row that judges a claim, "holds", "fails" or
    "depends"; ours is then the share of readings in which the claim holds.
    """

    what: str
    paper: float | None
    ours: float | None
    unit: str
    ok: bool | None
    bar: Bar | None = None
    key: str = ""
    cell: Cell | None = None
    cause: str = ""
    verdict: str | None = None

    @property
    def failed(self) -> bool:
        """Whether the row misses its bar for no known cause."""
        return self.ok is False and not self.cause

    def as_json(self) -> dict[str, Any]:
        """Return the fields that scripts read."""
        return {
            "what": self.what,
            "paper": self.paper,
            "ours": self.ours,
            "unit": self.unit,
            "ok": self.ok,
            "cause": self.cause or None if self.ok is False else None,
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Claim:
    """One value to be reproduced.

    key: the name under which its experiment reports the measured value. what: a description for readers. paper: the printed
    value, None where the paper prints none. bar: the range for the measured value, None where it is only shown. cell: its
    place in a table, if it has one. cause: why limbik is known to miss the bar; such a miss is shown, and is no failure.
    """

    key: str
    what: str
    unit: str
    paper: float | None = None
    bar: Bar | None = None
    cell: Cell | None = None
    cause: str = ""

    def judged(self, ours: float) -> Row:
        """Return the claim beside a measured value; one that is not finite counts as missing, and misses any bar."""
        value = float(ours) if math.isfinite(ours) else None
        ok = None if self.bar is None else self.bar.met(float(ours))
        return Row(self.what, self.paper, value, self.unit, ok, self.bar, self.key, self.cell, self.cause)

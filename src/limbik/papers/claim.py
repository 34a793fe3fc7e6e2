"""What a paper says, as data: a figure, its unit, and the bar that our own figure must meet."""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bar:
    """The range that a figure must lie in, ends included."""

    low: float = -math.inf
    high: float = math.inf

    def met(self, figure: float) -> bool:
        """Tell whether a figure lies in the range; NaN does not."""
        return self.low <= figure <= self.high

    def __str__(self) -> str:
        if self.low == self.high:
            return f"= {self.low:.6g}"
        if math.isinf(self.low):
            return f"<= {self.high:.6g}"
        if math.isinf(self.high):
            return f">= {self.low:.6g}"
        return f"{(self.low + self.high) / 2:.7g} +- {(self.high - self.low) / 2:.2g}"


def at_most(figure: float) -> Bar:
    """The bar of a figure that must not be exceeded."""
    return Bar(high=figure)


def at_least(figure: float) -> Bar:
    """The bar of a figure that must be reached."""
    return Bar(low=figure)


def exactly(figure: float) -> Bar:
    """The bar of a count."""
    return Bar(figure, figure)


def within(tolerance: float, figure: float) -> Bar:
    """The bar of a figure that must be as near as this to another."""
    return Bar(figure - tolerance, figure + tolerance)


@dataclass(frozen=True)
class Cell:
    """Where a figure stands in a table of the paper. People are shown such figures there, and not one a line."""

    table: str
    line: str
    column: str


@dataclass(frozen=True)
class Row:
    """A claim beside what was measured. paper and ours are in the paper's unit; None where there is no figure."""

    what: str
    paper: float | None
    ours: float | None
    unit: str
    ok: bool | None
    bar: Bar | None = None
    key: str = ""
    cell: Cell | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the five fields that scripts read."""
        return {"what": self.what, "paper": self.paper, "ours": self.ours, "unit": self.unit, "ok": self.ok}


@dataclass(frozen=True)
class Claim:
    """One figure to be reproduced.

    key: the name under which its experiment reports the measured value. paper: what the paper prints, None where it prints
    nothing. bar: what our figure must meet, None where it is only shown. cell: its place in a table, if it has one.
    """

    key: str
    what: str
    unit: str
    paper: float | None = None
    bar: Bar | None = None
    cell: Cell | None = None

    def judged(self, ours: float) -> Row:
        """Return the claim beside a measured figure; one that is not finite counts as missing, and as a miss."""
        figure = float(ours) if math.isfinite(ours) else None
        ok = None if self.bar is None else self.bar.met(float(ours))
        return Row(self.what, self.paper, figure, self.unit, ok, self.bar, self.key, self.cell)

"""The cost of a run along the line, beside the printed values: one line of a table per method."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from limbik.papers.chin.methods import Contestant
from limbik.papers.chin.trajectory import TARGETS, LineRun
from limbik.papers.claim import Bar, Cell, Claim

MILLISECONDS = 1e3


@dataclass(frozen=True)
class Column:
    """A column of the tables: a description, the unit, the heading."""

    what: str
    unit: str
    heading: str


COLUMNS = {
    "iterations": Column("mean iterations", "iterations", "iterations"),
    "evaluations": Column("mean evaluations", "evaluations", "evaluations"),
    "reached": Column("targets reached", f"of {TARGETS}", f"reached of {TARGETS}"),
    "error": Column("largest pose error", "units, rad", "error [units, rad]"),
    "jump": Column("largest joint rotation", "deg", "rotation [deg]"),
    "time": Column("median time of a solve", "ms", "time [ms]"),
}


def values(contestant: Contestant, run: LineRun, prefix: str = "") -> dict[str, float]:
    """Return the values of a run by key: the prefix, the method's name and the column's."""
    found = {
        "iterations": float(run.iterations.mean()),
        "evaluations": float(run.evaluations.mean()),
        "reached": float(run.reached),
        "error": float(run.error.max()),
        "jump": float(run.jump.max()),
        "time": float(np.median(run.seconds)) * MILLISECONDS,
    }
    return {f"{prefix}{contestant.name} {name}": value for name, value in found.items()}


def claims(
    contestant: Contestant,
    where: str,
    table: str,
    printed: tuple[float | None, float | None],
    bars: Mapping[str, Bar | None],
    prefix: str = "",
    words: str = "",
    causes: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Claim, ...]:
    """Return the claims of one line of a table.

    printed: the thesis' iterations and evaluations. bars, causes (of a known miss): by column. words: what the thesis prints
    instead of numbers.
    """
    paper = dict(zip(("iterations", "evaluations"), printed, strict=True))
    return tuple(
        Claim(
            f"{prefix}{contestant.name} {name}",
            f"{where}, {contestant.name}: {column.what}",
            column.unit,
            paper.get(name),
            bars.get(name),
            Cell(table, f"{contestant.name} (thesis: {words})" if words else contestant.name, column.heading),
            causes.get(name, ""),
        )
        for name, column in COLUMNS.items()
    )

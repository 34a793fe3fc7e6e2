"""What a walk along the line cost, beside what the thesis printed: a line of a table for each method."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.papers.chin.trajectory import TARGETS, Contestant, Walk
from limbik.papers.claim import Bar, Cell, Claim

MILLISECONDS = 1e3


@dataclass(frozen=True)
class Figure:
    """A column of the tables: what it is in a sentence, its unit, its heading."""

    what: str
    unit: str
    heading: str


FIGURES = {
    "iterations": Figure("mean iterations", "iterations", "iterations"),
    "evaluations": Figure("mean evaluations", "evaluations", "evaluations"),
    "reached": Figure("targets reached", f"of {TARGETS}", f"reached of {TARGETS}"),
    "error": Figure("largest pose error", "units, rad", "error [units, rad]"),
    "jump": Figure("largest turn of a joint", "deg", "turn [deg]"),
    "time": Figure("time of a solve, median", "ms", "time [ms]"),
}


def values(contestant: Contestant, walk: Walk, prefix: str = "") -> dict[str, float]:
    """Return the figures of a walk under their keys, which are the prefix, the method's name and the figure's."""
    found = {
        "iterations": float(walk.iterations.mean()),
        "evaluations": float(walk.evaluations.mean()),
        "reached": float(walk.reached),
        "error": float(walk.error.max()),
        "jump": float(walk.jump.max()),
        "time": float(np.median(walk.seconds)) * MILLISECONDS,
    }
    if not contestant.iterates:
        del found["iterations"]
    return {f"{prefix}{contestant.name} {name}": figure for name, figure in found.items()}


def claims(
    contestant: Contestant,
    where: str,
    table: str,
    printed: tuple[float | None, float | None],
    bars: Mapping[str, Bar | None],
    prefix: str = "",
) -> tuple[Claim, ...]:
    """Return the claims of a line. printed: the thesis' iterations and evaluations; bars: by the figure's name."""
    paper = dict(zip(("iterations", "evaluations"), printed, strict=True))
    return tuple(
        Claim(
            f"{prefix}{contestant.name} {name}",
            f"{where}, {contestant.name}: {figure.what}",
            figure.unit,
            paper.get(name),
            bars.get(name),
            Cell(table, contestant.name, figure.heading),
        )
        for name, figure in FIGURES.items()
        if name != "iterations" or contestant.iterates
    )

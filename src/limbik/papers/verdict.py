"""What the measured figures say about a sentence of the paper: it holds, it holds in part, or it does not hold."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from limbik.papers.claim import Row

# The measured values of a paper: by the name of the experiment, then by the key of the claim. NaN where one is missing.
Figures = Mapping[str, Mapping[str, float]]
# What the numbers of a verdict's row mean.
UNIT = "1 holds, 0.5 in part, 0 not"


class Holds(Enum):
    """How far a sentence is borne out."""

    FULLY = "holds"
    PARTLY = "holds in part"
    NOT = "does not hold"

    @property
    def share(self) -> float:
        """As a number, for scripts."""
        return {Holds.FULLY: 1.0, Holds.PARTLY: 0.5, Holds.NOT: 0.0}[self]


@dataclass(frozen=True)
class Finding:
    """A judgement: how far it holds, a sentence made from the figures, and what was derived from them on the way."""

    holds: Holds
    sentence: str
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """A sentence of the paper, what the paper itself makes of it in the end, and what is found now."""

    claim: str
    paper: Holds
    ours: Finding

    def __str__(self) -> str:
        return f"{self.claim}: {self.ours.sentence}: {self.ours.holds.value}"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The derived figures, then the verdict as numbers."""
        verdict = Row(f"verdict: {self.claim}", self.paper.share, self.ours.holds.share, UNIT, None)
        return (*self.ours.rows, verdict)


@dataclass(frozen=True)
class Conclusion:
    """A sentence of the paper, and how to judge it by figures that were measured elsewhere."""

    claim: str
    paper: Holds
    judge: Callable[[Figures], Finding]

    def drawn(self, figures: Figures) -> Verdict:
        """Return the verdict."""
        return Verdict(self.claim, self.paper, self.judge(figures))


def value(row: Row) -> float:
    """Return the measured figure of a row, NaN where there is none."""
    return math.nan if row.ours is None else row.ours

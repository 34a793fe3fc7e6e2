"""Verdicts on sentences of a paper: by the measured values a sentence holds, holds in part, or does not hold."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from limbik.papers.claim import Row

# The measured values of a paper, by the name of the experiment, then by the key of the claim; NaN where a value is missing.
Figures = Mapping[str, Mapping[str, float]]
# The scale of the numbers in the row of a verdict.
UNIT = "1 holds, 0.5 in part, 0 not"


class Holds(Enum):
    """How far the measurements support a sentence."""

    FULLY = "holds"
    PARTLY = "holds in part"
    NOT = "does not hold"

    @property
    def share(self) -> float:
        """The verdict as a number, for scripts."""
        return {Holds.FULLY: 1.0, Holds.PARTLY: 0.5, Holds.NOT: 0.0}[self]

    @classmethod
    def by_parts(cls, *supported: bool) -> "Holds":
        """Return FULLY if every part of a sentence is supported, PARTLY if some part is, else NOT."""
        return cls.FULLY if all(supported) else cls.PARTLY if any(supported) else cls.NOT


@dataclass(frozen=True)
class Finding:
    """A judgement: how far a sentence holds, the evidence in one sentence, and rows of derived values."""

    holds: Holds
    sentence: str
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """A sentence of the paper, how far it holds according to the paper, and according to the measurements."""

    claim: str
    paper: Holds
    ours: Finding

    def __str__(self) -> str:
        return f"{self.claim}: {self.ours.sentence}: {self.ours.holds.value}"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The derived values, then the verdict as numbers."""
        verdict = Row(f"verdict: {self.claim}", self.paper.share, self.ours.holds.share, UNIT, None)
        return (*self.ours.rows, verdict)


@dataclass(frozen=True)
class Conclusion:
    """A sentence of the paper, how far it holds according to the paper, and the function that judges it by measured values."""

    claim: str
    paper: Holds
    judge: Callable[[Figures], Finding]

    def drawn(self, figures: Figures) -> Verdict:
        """Return the verdict."""
        return Verdict(self.claim, self.paper, self.judge(figures))


def value(row: Row) -> float:
    """Return the measured value of a row, NaN where there is none."""
    return math.nan if row.ours is None else row.ours

"""Verdicts on claims of a paper: a claim holds, fails, or depends on how the paper is read.

A paper leaves things open: a direction, a stop rule, the number of joints. The claim is judged in every reading. The verdict
follows from the share of readings in which it holds.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from limbik.errors import LimbikError
from limbik.papers.claim import Row

# The measured values of a paper, by the name of the experiment, then by the key of the claim; NaN where a value is missing.
Values = Mapping[str, Mapping[str, float]]
# The unit of the value in the row of a verdict.
UNIT = "share of readings"
# Readings up to this number are listed by name.
MOST_NAMED = 6


@dataclass(frozen=True)
class Finding:
    """A judgement of a claim.

    sentence: the evidence, made from the measured values. readings: whether the claim holds, by a description of each reading
    of the paper (or of each condition under which it was measured). rows: values derived on the way.
    """

    sentence: str
    readings: Mapping[str, bool]
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        if not self.readings:
            raise LimbikError(f"a finding needs at least one reading: {self.sentence}")

    @property
    def share(self) -> float:
        """The share of readings in which the claim holds, 0 to 1."""
        return sum(map(bool, self.readings.values())) / len(self.readings)

    @property
    def verdict(self) -> str:
        """The verdict: "holds" in all readings, "fails" in all, or "depends"."""
        return {1.0: "holds", 0.0: "fails"}.get(self.share, "depends")

    @property
    def where(self) -> str:
        """In which readings the claim holds, as text; empty for a single reading."""
        count = len(self.readings)
        if count == 1:
            return ""
        good = [name for name, holds in self.readings.items() if holds]
        if self.share in (0.0, 1.0):
            return f"in all {count} readings"
        if count > MOST_NAMED:
            return f"holds in {len(good)} of {count} readings"
        bad = [name for name, holds in self.readings.items() if not holds]
        return f"holds for {', '.join(good)}; fails for {', '.join(bad)}"


@dataclass(frozen=True)
class Verdict:
    """A claim of the paper and the finding about it."""

    claim: str
    finding: Finding

    def __str__(self) -> str:
        where = f" ({self.finding.where})" if self.finding.where else ""
        return f"{self.claim}: {self.finding.verdict}{where}. {self.finding.sentence}"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The derived values, then the share of readings in which the claim holds."""
        finding = self.finding
        own = Row(f"verdict: {self.claim}", None, finding.share, UNIT, None, verdict=finding.verdict)
        return (*finding.rows, own)


@dataclass(frozen=True)
class Conclusion:
    """A claim of the paper, and the function that judges it by measured values."""

    claim: str
    judge: Callable[[Values], Finding]

    def drawn(self, values: Values) -> Verdict:
        """Return the verdict."""
        return Verdict(self.claim, self.judge(values))


def value(row: Row) -> float:
    """Return the measured value of a row, NaN where there is none."""
    return math.nan if row.ours is None else row.ours

"""What a reproduced paper is made of: sections of experiments, each with its claims and a way to measure them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limbik.errors import LimbikError
from limbik.papers.claim import Claim, Row
from limbik.papers.verdict import Conclusion, Figures, Verdict, value

# Every experiment draws from a generator of its own with this seed, so that rows do not depend on what ran before.
SEED = 1996


@dataclass(frozen=True)
class Setting:
    """How large the samples are: quick ones let a whole paper end within a minute."""

    quick: bool = False

    def size(self, full: int, quick: int) -> int:
        """Return how many samples to take."""
        return quick if self.quick else full

    def rng(self) -> np.random.Generator:
        """Return a fresh generator."""
        return np.random.default_rng(SEED)


@dataclass(frozen=True)
class Picture:
    """A drawing that an experiment can make: draw(path) writes it. Needs the extra `plot`, and only when drawn."""

    name: str
    draw: Callable[[Path], None]


@dataclass(frozen=True)
class Findings:
    """What an experiment found: a value for the key of each of its claims, and drawings of it."""

    values: Mapping[str, float]
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """Claims that are measured together. notes: why figures differ from the paper's, a sentence each."""

    name: str
    claims: tuple[Claim, ...]
    measure: Callable[[Setting], Findings]
    notes: tuple[str, ...] = ()

    def run(self, setting: Setting) -> tuple[list[Row], tuple[Picture, ...]]:
        """Measure, and return a row for each claim and the drawings. Raises LimbikError where keys do not match."""
        findings = self.measure(setting)
        keys = [claim.key for claim in self.claims]
        if sorted(keys) != sorted(findings.values):
            odd = ", ".join(sorted(set(keys) ^ set(findings.values)))
            raise LimbikError(f"the experiment '{self.name}' claims and measures different things: {odd}")
        return [claim.judged(findings.values[claim.key]) for claim in self.claims], findings.pictures


@dataclass(frozen=True)
class Section:
    """A part of a paper that is one table."""

    name: str
    experiments: tuple[Experiment, ...]


@dataclass(frozen=True)
class Paper:
    """A paper: name is what the shell calls it, title is the full reference. conclusions: its sentences that are judged."""

    name: str
    title: str
    sections: tuple[Section, ...]
    conclusions: tuple[Conclusion, ...] = ()

    def verdicts(self, rows: Mapping[str, list[Row]]) -> list[Verdict]:
        """Judge the conclusions by the rows of all experiments, which are given by their names."""
        figures: Figures = {name: {row.key: value(row) for row in found} for name, found in rows.items()}
        return [conclusion.drawn(figures) for conclusion in self.conclusions]

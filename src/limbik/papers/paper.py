"""The parts of a reproduced paper: sections of experiments, each with its claims and a function that measures them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limbik.errors import LimbikError
from limbik.papers.claim import Claim, Row
from limbik.papers.verdict import Conclusion, Values, Verdict, value

# Every experiment seeds its own generator with this number, so that no row depends on the experiments before it.
SEED = 1996


@dataclass(frozen=True)
class Setting:
    """The sizes of the samples. quick: small ones, so that a whole paper takes at most a minute."""

    quick: bool = False

    def size(self, full: int, quick: int) -> int:
        """Return the number of samples to take."""
        return quick if self.quick else full

    def rng(self) -> np.random.Generator:
        """Return a fresh generator."""
        return np.random.default_rng(SEED)


@dataclass(frozen=True)
class Picture:
    """A picture of an experiment: draw(path) writes it. Only drawing needs the extra `plot`."""

    name: str
    draw: Callable[[Path], None]


@dataclass(frozen=True)
class Findings:
    """The result of an experiment: a value for the key of each of its claims, and pictures."""

    values: Mapping[str, float]
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """Claims that are measured together. notes: why values differ from the paper's, one sentence each."""

    name: str
    claims: tuple[Claim, ...]
    measure: Callable[[Setting], Findings]
    notes: tuple[str, ...] = ()

    def run(self, setting: Setting) -> tuple[list[Row], tuple[Picture, ...]]:
        """Measure, and return a row for each claim and the pictures. Raises LimbikError if the keys do not match the claims."""
        findings = self.measure(setting)
        keys = [claim.key for claim in self.claims]
        if sorted(keys) != sorted(findings.values):
            unmatched = ", ".join(sorted(set(keys) ^ set(findings.values)))
            raise LimbikError(
                f"the keys of the claims and of the values of the experiment '{self.name}' differ: {unmatched}"
            )
        return [claim.judged(findings.values[claim.key]) for claim in self.claims], findings.pictures


@dataclass(frozen=True)
class Section:
    """Experiments of a paper under one heading."""

    name: str
    experiments: tuple[Experiment, ...]


@dataclass(frozen=True)
class Paper:
    """A paper. name: in the shell. title: the full reference. conclusions: its sentences that are judged."""

    name: str
    title: str
    sections: tuple[Section, ...]
    conclusions: tuple[Conclusion, ...] = ()

    def verdicts(self, rows: Mapping[str, list[Row]]) -> list[Verdict]:
        """Return a verdict on each conclusion. rows: those of all experiments, by the experiments' names."""
        values: Values = {name: {row.key: value(row) for row in found} for name, found in rows.items()}
        return [conclusion.drawn(values) for conclusion in self.conclusions]

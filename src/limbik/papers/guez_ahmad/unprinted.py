"""What the text leaves open, varied: the split of 1.9 m into two links, the number of examples, edges and epochs.

Every reading trains networks from several starts. After many numbers of epochs both errors are measured, as distances
and as errors of the coordinates X and Y. A network has the printed pair if its mean error rounds to 0.1 m and its
largest to 0.2 m. "Closest" is the network, of all starts and epochs, whose larger factor to 5 or 10 % is the smallest.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.guez_ahmad.printed import LENGTH, MAX_PERCENT, MEAN_PERCENT
from limbik.papers.guez_ahmad.quadrant import Quadrant
from limbik.papers.guez_ahmad.training import HIDDEN, PAPER, PERCENT, SOON, starts
from limbik.papers.guez_ahmad.training_over_time import EPOCHS
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.perceptron import Perceptron

SPLITS = ((1.0, 0.9), (0.95, 0.95), (1.2, 0.7))
SIDES = (20, 10)
# The epochs at which a reading is judged by itself, and the grid of the test.
JUDGED, TESTED = (SOON, PAPER), 51
# The mean and the largest error as printed [m].
PRINTED = (0.1, 0.2)
# How a position error is taken.
KINDS = ("distance", "X and Y")


@dataclass(frozen=True)
class Reading:
    """One reading of the text. edges: whether examples lie on the quadrant's edges and both singular circles."""

    lengths: tuple[float, float]
    side: int
    edges: bool

    @property
    def name(self) -> str:
        """The name in rows."""
        first, second = self.lengths
        return f"{first:g} + {second:g} m, {self.side} x {self.side} {'with' if self.edges else 'without'} edges"

    @property
    def quadrant(self) -> Quadrant:
        """The arm in the first quadrant."""
        return Quadrant(self.name, self.lengths)


READINGS = tuple(Reading(split, side, edges) for split in SPLITS for side in SIDES for edges in (True, False))


def measure(setting: Setting) -> Findings:
    """Train in every reading."""
    values: dict[str, float] = {}
    for reading in READINGS:
        found = trained(reading, starts(setting))
        for epochs in JUDGED:
            mean, most = np.median(found["distance"][EPOCHS.index(epochs)], axis=0)
            values |= {f"{reading.name} {epochs} mean": float(mean), f"{reading.name} {epochs} max": float(most)}
        for kind, errors in found.items():
            mean, most = closest(errors.reshape(-1, 2))
            values |= {f"{reading.name} {kind} mean": mean, f"{reading.name} {kind} max": most}
            values[f"{reading.name} {kind} share"] = PERCENT * float(printed(errors).mean())
            values[f"{reading.name} {kind} median"] = float(printed(np.median(errors, axis=1)).sum())
    return Findings(values)


def trained(reading: Reading, count: int) -> dict[str, Array]:
    """Return mean and largest errors of each kind [% of 1.9 m], (epochs, starts, 2)."""
    quadrant = reading.quadrant
    x = quadrant.places(reading.side, between=not reading.edges)
    y = quadrant.postures(x)
    ends = [np.stack([each.min(axis=0), each.max(axis=0)]) for each in (x, y)]
    training = BackPropagation().begin([Perceptron.random((2, *HIDDEN, 2), *ends, start=k) for k in range(count)], x, y)
    places = quadrant.places(TESTED)
    rows: dict[str, list[list[tuple[float, float]]]] = {kind: [] for kind in KINDS}
    for epochs in EPOCHS:
        training.run(epochs - training.epoch)
        off = [PERCENT / LENGTH * np.abs(quadrant.missed(places, network(places))) for network in training.networks]
        apart = [np.linalg.norm(each, axis=1) for each in off]
        for kind, found in zip(KINDS, (apart, off), strict=True):
            rows[kind].append([(float(each.mean()), float(each.max())) for each in found])
    return {kind: np.array(found) for kind, found in rows.items()}


def printed(errors: Array) -> Array:
    """Return which pairs (mean, largest) round to the printed 0.1 and 0.2 m, (..., 2) -> (...)."""
    return np.asarray((np.round(errors * LENGTH / PERCENT, 1) == PRINTED).all(axis=-1))


def closest(errors: Array) -> tuple[float, float]:
    """Return the pair (mean, largest) of many that is closest to the paper's, by the larger of both factors."""
    best = int(np.abs(np.log(errors / [MEAN_PERCENT, MAX_PERCENT])).max(axis=1).argmin())
    return float(errors[best, 0]), float(errors[best, 1])


def _claims(reading: Reading) -> tuple[Claim, ...]:
    after = "what the text leaves open: errors, median start [% of 1.9 m]"
    pair = "what the text leaves open: the pair (mean, largest) closest to 5 and 10 %"
    unit = "% of 1.9 m"

    def cell(table: str, key: str, column: str, unit: str, paper: float | None) -> Claim:
        line = reading.name
        return Claim(f"{line} {key}", f"{table}, {line}: {column}", unit, paper, None, Cell(table, line, column))

    claims = []
    for epochs in JUDGED:
        claims += [
            cell(after, f"{epochs} mean", f"mean, {epochs:,} epochs", unit, MEAN_PERCENT),
            cell(after, f"{epochs} max", f"largest, {epochs:,} epochs", unit, MAX_PERCENT),
        ]
    for kind in KINDS:
        claims += [
            cell(pair, f"{kind} mean", f"{kind}: mean", unit, MEAN_PERCENT),
            cell(pair, f"{kind} max", f"{kind}: largest", unit, MAX_PERCENT),
            cell(pair, f"{kind} share", f"{kind}: networks with the pair", "%", None),
            cell(pair, f"{kind} median", f"{kind}: epochs at which the median start has it", "numbers of epochs", None),
        ]
    return tuple(claims)


EXPERIMENT = Experiment(
    name="what the text leaves open",
    claims=tuple(claim for reading in READINGS for claim in _claims(reading)),
    measure=measure,
)

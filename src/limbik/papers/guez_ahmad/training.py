"""Training of the paper's networks: several starts side by side, by back-propagation and by Levenberg-Marquardt.

Networks are trained once per run and cached. One of several starts is chosen by its error on a validation grid, which
has no point in common with the examples or with the test grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.guez_ahmad.printed import LENGTH
from limbik.papers.guez_ahmad.quadrant import Quadrant
from limbik.papers.paper import Setting
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.marquardt_training import MarquardtTraining, best_of
from limbik.solvers.neural.perceptron import Perceptron

HIDDEN = (10, 10)
# Points along each side of the grids of examples, of validation, and of the test. The validation grid lies at odd
# multiples of 1/64, which are no multiples of 1/19 or 1/100.
EXAMPLES, CHOOSING, TESTED = 20, 32, 101
# The number of starts: as many as fill SIMD registers cost little more than one.
STARTS, QUICK_STARTS = 16, 4
# Epochs of back-propagation, and iterations of Levenberg-Marquardt.
EPOCHS = SOON, PAPER, LATE = 500, 5_000, 20_000
ITERATIONS, QUICK_ITERATIONS = 250, 120
PERCENT = 100.0


def starts(setting: Setting) -> int:
    """Return the number of networks to train."""
    return setting.size(STARTS, QUICK_STARTS)


def begun(quadrant: Quadrant, count: int, output: str = "tanh", hidden: Sequence[int] = HIDDEN) -> list[Perceptron]:
    """Return networks with initial weights for a quadrant."""
    x_range, y_range = quadrant.ranges(EXAMPLES)
    layers = (2, *hidden, len(quadrant.lengths))
    return [Perceptron.random(layers, x_range, y_range, output=output, start=k) for k in range(count)]


@cache
def by_epochs(quadrant: Quadrant, setting: Setting) -> dict[int, list[Perceptron]]:
    """Return the networks after each number of EPOCHS of back-propagation; with three links only up to PAPER."""
    x = quadrant.places(EXAMPLES)
    training = BackPropagation().begin(begun(quadrant, starts(setting)), x, quadrant.postures(x))
    found = {}
    for epoch in EPOCHS if quadrant.third is None else EPOCHS[:2]:
        training.run(epoch - training.epoch)
        found[epoch] = training.networks
    return found


@cache
def by_marquardt(quadrant: Quadrant, setting: Setting, output: str = "linear") -> list[Perceptron]:
    """Return the networks trained by Levenberg-Marquardt."""
    count, iterations = starts(setting), setting.size(ITERATIONS, QUICK_ITERATIONS)
    x = quadrant.places(EXAMPLES)
    return MarquardtTraining().train_all(begun(quadrant, count, output), x, quadrant.postures(x), iterations)


def chosen(quadrant: Quadrant, networks: Sequence[Perceptron]) -> int:
    """Return the index of the start with the least error on the validation grid."""
    x = quadrant.places(CHOOSING, between=True)
    return best_of(networks, x, quadrant.postures(x))


@dataclass(frozen=True)
class Errors:
    """Mean and largest position error of each start [% of 1.9 m]."""

    mean: Array
    max: Array

    @property
    def typical(self) -> tuple[float, float]:
        """The medians over the starts."""
        return float(np.median(self.mean)), float(np.median(self.max))


def distances(quadrant: Quadrant, network: Perceptron, places: Array) -> Array:
    """Return the position error at each target [% of 1.9 m]."""
    missed = quadrant.missed(places, network(places))
    return np.asarray(PERCENT / LENGTH * np.linalg.norm(missed, axis=-1))


def errors(quadrant: Quadrant, networks: Sequence[Perceptron], side: int = TESTED) -> Errors:
    """Return the position errors of networks on a uniform grid with a number of points per side."""
    places = quadrant.places(side)
    found = np.array([distances(quadrant, network, places) for network in networks])
    return Errors(found.mean(axis=1), found.max(axis=1))

"""The paper's networks, trained: several starts side by side, by back-propagation and by Levenberg and Marquardt.

Networks are trained once in a run, whatever asks for them. Which of several starts is used is decided on places of its own,
that are neither among the examples nor among those that figures are measured on.
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
# Places along each side of the grid: of examples, of those that choose a start, and of those that errors are measured at. Those
# that choose are none of the others: they lie at odd parts of 64, which no part of 19 or 100 is.
EXAMPLES, CHOOSING, TESTED = 20, 32, 101
# Starts: as many as fill registers cost little more than one.
STARTS, QUICK_STARTS = 16, 4
# Epochs of back-propagation, and iterations of Levenberg and Marquardt.
EPOCHS = SOON, PAPER, LATE = 500, 5_000, 20_000
ITERATIONS, QUICK_ITERATIONS = 250, 120
PERCENT = 100.0


def starts(setting: Setting) -> int:
    """How many networks are trained."""
    return setting.size(STARTS, QUICK_STARTS)


def begun(quadrant: Quadrant, count: int, output: str = "tanh", hidden: Sequence[int] = HIDDEN) -> list[Perceptron]:
    """Return networks to train for a quadrant."""
    x_range, y_range = quadrant.ranges(EXAMPLES)
    layers = (2, *hidden, len(quadrant.lengths))
    return [Perceptron.random(layers, x_range, y_range, output=output, start=k) for k in range(count)]


@cache
def by_epochs(quadrant: Quadrant, setting: Setting) -> dict[int, list[Perceptron]]:
    """Return the networks after each of EPOCHS of back-propagation, the paper's way; with three links only up to the paper's."""
    x = quadrant.places(EXAMPLES)
    course = BackPropagation().begin(begun(quadrant, starts(setting)), x, quadrant.postures(x))
    found = {}
    for epoch in EPOCHS if quadrant.third is None else EPOCHS[:2]:
        course.run(epoch - course.epoch)
        found[epoch] = course.networks
    return found


@cache
def by_marquardt(quadrant: Quadrant, setting: Setting, output: str = "linear") -> list[Perceptron]:
    """Return the networks as Levenberg and Marquardt's method trains them."""
    count, iterations = starts(setting), setting.size(ITERATIONS, QUICK_ITERATIONS)
    x = quadrant.places(EXAMPLES)
    return MarquardtTraining().train_all(begun(quadrant, count, output), x, quadrant.postures(x), iterations)


def chosen(quadrant: Quadrant, networks: Sequence[Perceptron]) -> int:
    """Return which start is best at places of its own."""
    x = quadrant.places(CHOOSING, between=True)
    return best_of(networks, x, quadrant.postures(x))


@dataclass(frozen=True)
class Errors:
    """Mean and greatest error of the place for each start [% of 1.9 m]."""

    mean: Array
    max: Array

    @property
    def typical(self) -> tuple[float, float]:
        """The medians over the starts."""
        return float(np.median(self.mean)), float(np.median(self.max))


def distances(quadrant: Quadrant, network: Perceptron, places: Array) -> Array:
    """Return the error of each place [% of 1.9 m]."""
    missed = quadrant.missed(places, network(places))
    return np.asarray(PERCENT / LENGTH * np.linalg.norm(missed, axis=-1))


def errors(quadrant: Quadrant, networks: Sequence[Perceptron], side: int = TESTED) -> Errors:
    """Return the errors of networks on an even grid."""
    places = quadrant.places(side)
    found = np.array([distances(quadrant, network, places) for network in networks])
    return Errors(found.mean(axis=1), found.max(axis=1))

"""The "natural fault tolerance" of the network (feature v, Discussion): weights are set to 0, or a unit is silent.

Beside the network of 5,000 epochs there is one of 10 epochs, whose mean error is near the paper's, and the best by
Levenberg-Marquardt.
"""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.graphs import draw_faults
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.tabled import columns
from limbik.papers.guez_ahmad.training import (
    EXAMPLES,
    PAPER,
    begun,
    by_epochs,
    by_marquardt,
    chosen,
    distances,
    starts,
)
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.perceptron import Perceptron

# The numbers of removed weights, of 162, and the draws of each number; a single removed weight is tried for all
# weights.
REMOVED = (1, 2, 4, 8, 16)
TRIALS, QUICK_TRIALS = 200, 40
# The epochs after which the mean error is near the paper's 5 %, and the grid of the test.
COARSE, TESTED = 10, 51
TRAININGS = (f"{COARSE} epochs", f"{PAPER:,} epochs", "Levenberg-Marquardt")
# The factor up to which an error counts as not increased.
HARMLESS = 2.0


def measure(setting: Setting) -> Findings:
    """Remove weights, or one hidden unit, and measure mean and largest error."""
    trials = setting.size(TRIALS, QUICK_TRIALS)
    best = by_marquardt(TWO_LINKS, setting)
    trained = (coarse(setting), by_epochs(TWO_LINKS, setting)[PAPER], [best[chosen(TWO_LINKS, best)]])
    values: dict[str, float] = {}
    curves = {}
    for training, networks in zip(TRAININGS, trained, strict=True):
        rng = setting.rng()
        intact = np.median([errors(network) for network in networks], axis=0)
        found = {str(removed): without(networks, removed, trials, rng) for removed in REMOVED}
        curves[training] = {removed: found[str(removed)][:, 0] for removed in REMOVED}
        one = found["1"]
        found["unit"] = np.array([errors(n) for network in networks for n in units_removed(network)])
        medians = {"0": intact, "worst": one.max(axis=0)} | {
            key: np.median(each, axis=0) for key, each in found.items()
        }
        for key, (mean, most) in medians.items():
            values |= {f"{training} {key} mean": float(mean), f"{training} {key} max": float(most)}
        values[f"{training} harmless"] = float(100.0 * (one[:, 0] <= HARMLESS * intact[0]).mean())
    return Findings(values, (Picture("fault_tolerance", partial(draw_faults, curves)),))


@cache
def coarse(setting: Setting) -> list[Perceptron]:
    """Return networks after a few epochs."""
    x = TWO_LINKS.places(EXAMPLES)
    training = BackPropagation().begin(begun(TWO_LINKS, starts(setting)), x, TWO_LINKS.postures(x))
    training.run(COARSE)
    return training.networks


def without(networks: Sequence[Perceptron], removed: int, trials: int, rng: np.random.Generator) -> Array:
    """Return mean and largest errors of networks without each weight, or without random draws of several, (k, 2)."""
    count = len(networks[0].weights)
    if removed == 1:
        draws = np.arange(count)[:, None]
    else:
        draws = np.array([rng.choice(count, removed, replace=False) for _ in range(trials)])
    found = np.empty((len(draws), 2))
    for k, zeroed in enumerate(draws):
        network = networks[k % len(networks)]
        weights = np.array(network.weights)
        weights[zeroed] = 0.0
        found[k] = errors(network.with_weights(weights))
    return found


def units_removed(network: Perceptron) -> list[Perceptron]:
    """Return networks that each lack one unit of the second hidden layer."""
    inputs, first, second, outputs = network.layers
    begin = (inputs + 1) * first + (first + 1) * second
    found = []
    for unit in range(second):
        weights = np.array(network.weights)
        weights[begin + unit + (second + 1) * np.arange(outputs)] = 0.0
        found.append(network.with_weights(weights))
    return found


def errors(network: Perceptron) -> tuple[float, float]:
    """Return the mean and the largest error of a network [% of 1.9 m]."""
    found = distances(TWO_LINKS, network, TWO_LINKS.places(TESTED))
    return float(found.mean()), float(found.max())


WORDS = {"mean": "mean error", "max": "largest error"}
COLUMNS = (
    ("0", "none"),
    *((str(n), f"{n}") for n in REMOVED),
    ("unit", "1 unit of the second hidden layer"),
    ("worst", "the worst 1 weight"),
)


def _claims(training: str) -> tuple[Claim, ...]:
    tables = (
        claim
        for word, text in WORDS.items()
        for claim in columns(
            f"two links, weights removed of 162, {text}, median over removals", training, training, "% of 1.9 m",
            [(f"{key} {word}", column) for key, column in COLUMNS],
        )
    )  # fmt: skip
    text = f"two links, {training}: weights whose removal at most doubles the mean error"
    return (*tables, Claim(f"{training} harmless", text, "%"))


EXPERIMENT = Experiment(
    name="fault tolerance",
    claims=tuple(claim for training in TRAININGS for claim in _claims(training)),
    measure=measure,
)

"""The "natural fault tolerance" of the network (feature v, Discussion): random weights are set to 0."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.graphs import draw_faults
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.tabled import columns
from limbik.papers.guez_ahmad.training import PAPER, TESTED, by_epochs, by_marquardt, chosen, distances, errors
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.perceptron import Perceptron

# The numbers of removed weights, of 162, and the draws of each number; a single removed weight is tried for all weights.
REMOVED = (1, 2, 4, 8, 16)
TRIALS, QUICK_TRIALS = 200, 40
TRAININGS = ("back-propagation", "Levenberg-Marquardt")


def measure(setting: Setting) -> Findings:
    """Remove weights, or one hidden unit, and measure the mean error."""
    trials = setting.size(TRIALS, QUICK_TRIALS)
    best = by_marquardt(TWO_LINKS, setting)
    trained = {
        "back-propagation": by_epochs(TWO_LINKS, setting)[PAPER],
        "Levenberg-Marquardt": [best[chosen(TWO_LINKS, best)]],
    }
    values, curves = {}, {}
    for training, networks in trained.items():
        rng = setting.rng()
        values[f"{training} 0"] = errors(TWO_LINKS, networks, TESTED).typical[0]
        curves[training] = {removed: without(networks, removed, trials, rng) for removed in REMOVED}
        for removed, found in curves[training].items():
            values[f"{training} {removed}"] = float(np.median(found))
        values[f"{training} worst"] = float(curves[training][1].max())
        values[f"{training} harmless"] = float(100.0 * (curves[training][1] <= 2.0 * values[f"{training} 0"]).mean())
        values[f"{training} unit"] = float(
            np.median([mean_error(n) for network in networks for n in units_removed(network)])
        )
    return Findings(values, (Picture("fault_tolerance", partial(draw_faults, curves)),))


def without(networks: Sequence[Perceptron], removed: int, trials: int, rng: np.random.Generator) -> Array:
    """Return mean errors of networks without each single weight, or without random draws of several [% of 1.9 m]."""
    count = len(networks[0].weights)
    if removed == 1:
        draws = np.arange(count)[:, None]
    else:
        draws = np.array([rng.choice(count, removed, replace=False) for _ in range(trials)])
    found = np.empty(len(draws))
    for k, zeroed in enumerate(draws):
        network = networks[k % len(networks)]
        weights = np.array(network.weights)
        weights[zeroed] = 0.0
        found[k] = mean_error(network.with_weights(weights))
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


def mean_error(network: Perceptron) -> float:
    """Return the mean position error of a network [% of 1.9 m]."""
    return float(distances(TWO_LINKS, network, TWO_LINKS.places(TESTED)).mean())


TABLE = "two links, weights removed of 162, mean error"


def _claims(training: str) -> tuple[Claim, ...]:
    medians = [
        ("0", "none"),
        *((str(n), f"{n}") for n in REMOVED),
        ("unit", "1 unit of the second hidden layer"),
        ("worst", "the worst 1 weight"),
    ]
    return (
        *columns(TABLE, training, training, "% of 1.9 m", medians),
        Claim(f"{training} harmless", f"two links, {training}: weights whose removal at most doubles the error", "%"),
    )


EXPERIMENT = Experiment(
    name="fault tolerance",
    claims=tuple(claim for training in TRAININGS for claim in _claims(training)),
    measure=measure,
    notes=("values are medians over removals; the last column is the worst single weight.",),
)

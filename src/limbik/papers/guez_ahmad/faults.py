"""The "natural fault tolerance" of the network (feature v, Discussion): weights are removed at random, set to 0."""

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

# How many of the 162 weights are removed; and how many draws there are of each number but 1, for which all are tried.
REMOVED = (1, 2, 4, 8, 16)
TRIALS, QUICK_TRIALS = 200, 40
WAYS = ("back-propagation", "Levenberg-Marquardt")


def measure(setting: Setting) -> Findings:
    """Remove weights, and one hidden unit; measure the mean error that is left."""
    trials = setting.size(TRIALS, QUICK_TRIALS)
    best = by_marquardt(TWO_LINKS, setting)
    ways = {
        "back-propagation": by_epochs(TWO_LINKS, setting)[PAPER],
        "Levenberg-Marquardt": [best[chosen(TWO_LINKS, best)]],
    }
    values, curves = {}, {}
    for way, networks in ways.items():
        rng = setting.rng()
        values[f"{way} 0"] = errors(TWO_LINKS, networks, TESTED).typical[0]
        curves[way] = {removed: without(networks, removed, trials, rng) for removed in REMOVED}
        for removed, found in curves[way].items():
            values[f"{way} {removed}"] = float(np.median(found))
        values[f"{way} worst"] = float(curves[way][1].max())
        values[f"{way} harmless"] = float(100.0 * (curves[way][1] <= 2.0 * values[f"{way} 0"]).mean())
        values[f"{way} unit"] = float(
            np.median([mean_error(n) for network in networks for n in units_removed(network)])
        )
    return Findings(values, (Picture("fault_tolerance", partial(draw_faults, curves)),))


def without(networks: Sequence[Perceptron], removed: int, trials: int, rng: np.random.Generator) -> Array:
    """Return the mean errors of networks without so many weights [% of 1.9 m]: one each in turn, of more so many draws."""
    count = len(networks[0].weights)
    if removed == 1:
        draws = np.arange(count)[:, None]
    else:
        draws = np.array([rng.choice(count, removed, replace=False) for _ in range(trials)])
    found = np.empty(len(draws))
    for k, lost in enumerate(draws):
        network = networks[k % len(networks)]
        weights = np.array(network.weights)
        weights[lost] = 0.0
        found[k] = mean_error(network.with_weights(weights))
    return found


def units_removed(network: Perceptron) -> list[Perceptron]:
    """Return the network without each of its units in the second hidden layer."""
    inputs, first, second, outputs = network.layers
    begin = (inputs + 1) * first + (first + 1) * second
    found = []
    for unit in range(second):
        weights = np.array(network.weights)
        weights[begin + unit + (second + 1) * np.arange(outputs)] = 0.0
        found.append(network.with_weights(weights))
    return found


def mean_error(network: Perceptron) -> float:
    """Return the mean error of a network."""
    return float(distances(TWO_LINKS, network, TWO_LINKS.places(TESTED)).mean())


TABLE = "two links, weights removed of 162, mean error"


def _claims(way: str) -> tuple[Claim, ...]:
    medians = [
        ("0", "none"),
        *((str(n), f"{n}") for n in REMOVED),
        ("unit", "1 upper hidden unit"),
        ("worst", "the worst 1"),
    ]
    return (
        *columns(TABLE, way, way, "% of 1.9 m", medians),
        Claim(f"{way} harmless", f"two links, {way}: weights whose removal at most doubles the error", "%"),
    )


EXPERIMENT = Experiment(
    name="fault tolerance",
    claims=tuple(claim for way in WAYS for claim in _claims(way)),
    measure=measure,
    notes=("figures are medians over removals; the last column is the worst single weight.",),
)

"""The "natural fault tolerance" of the network (feature v, Discussion): weights are removed at random, set to 0."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.arms import EPOCHS
from limbik.papers.guez_ahmad.graphs import draw_faults
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.training import PAPER, by_epochs, by_marquardt, chosen, distances, errors, starts
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.perceptron import Perceptron

# How many of the 162 weights are removed; and how often each is tried.
REMOVED = (1, 2, 4, 8, 16)
TRIALS, QUICK_TRIALS = 200, 40
TESTED = 31
WAYS = ("back-propagation", "Levenberg-Marquardt")


def measure(setting: Setting) -> Findings:
    """Remove weights, and one hidden unit; measure the mean error that is left."""
    count, trials = starts(setting), setting.size(TRIALS, QUICK_TRIALS)
    best = by_marquardt(TWO_LINKS, count)
    ways = {
        "back-propagation": by_epochs(TWO_LINKS, count, EPOCHS)[PAPER],
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
        values[f"{way} unit"] = float(np.median([mean_error(n) for network in networks for n in units_removed(network)]))
    return Findings(values, (Picture("fault_tolerance", partial(draw_faults, curves)),))


def without(networks: Sequence[Perceptron], removed: int, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Return the mean error of so many networks that have lost so many weights [% of 1.9 m]."""
    found = np.empty(trials)
    for k in range(trials):
        network = networks[k % len(networks)]
        weights = np.array(network.weights)
        weights[rng.choice(len(weights), removed, replace=False)] = 0.0
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
    """Return the mean error of a network on a coarse grid."""
    return float(distances(TWO_LINKS, network, TWO_LINKS.places(TESTED)).mean())


def _claims(way: str) -> tuple[Claim, ...]:
    what = f"two links, {way}"
    weights = [f"{n} weight{'s' * (n > 1)} of 162 removed" for n in REMOVED]
    return (
        Claim(f"{way} 0", f"{what}, whole: mean error", "% of 1.9 m"),
        *(Claim(f"{way} {n}", f"{what}, {text}: median of the mean error", "% of 1.9 m")
          for n, text in zip(REMOVED, weights, strict=True)),
        Claim(f"{way} worst", f"{what}, 1 weight removed: worst mean error", "% of 1.9 m"),
        Claim(f"{way} harmless", f"{what}, 1 weight removed: share of weights that at most double the error", "%"),
        Claim(f"{way} unit", f"{what}, 1 of 10 upper hidden units removed: median of the mean error", "% of 1.9 m"),
    )  # fmt: skip


EXPERIMENT = Experiment(
    name="fault tolerance",
    claims=tuple(claim for way in WAYS for claim in _claims(way)),
    measure=measure,
)

"""The arms in the first quadrant (figures 3 to 18): two links, and three with theta3 held at 90 degrees and at 0."""

from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Bar, Claim, at_most
from limbik.papers.guez_ahmad import figures
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, THIRD_MAX
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import EPOCHS, EXAMPLES, PAPER, TESTED, by_epochs, by_marquardt, chosen, errors
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# The output layers of networks that are trained by Levenberg-Marquardt.
OUTPUTS = ("linear", "tanh")
# The fraction of a joint's range at either end in which the paper's plots flatten.
EDGE = 1.0 / 6.0
UNIT = "% of 1.9 m"


def measure(quadrant: Quadrant, setting: Setting) -> Findings:
    """Train by back-propagation and by Levenberg-Marquardt; measure errors on a grid finer than that of the examples."""
    values: dict[str, float] = {}
    places = quadrant.places(TESTED)
    true = quadrant.postures(places)
    trained = by_epochs(quadrant, setting)
    for after, networks in trained.items():
        found, seen = errors(quadrant, networks), errors(quadrant, networks, EXAMPLES)
        mean, most = found.typical
        values |= {f"{after} mean": mean, f"{after} max": most}
        values |= {f"{after} worst mean": found.mean.max(), f"{after} worst max": found.max.max()}
        values[f"{after} examples"] = seen.typical[0]
        if quadrant.third is not None:
            off = np.array([network(places)[:, 2] - quadrant.third for network in networks])
            values[f"{after} third"] = float(np.median(np.abs(off).max(axis=1)))
            values[f"{after} third mean"] = float(np.median(off.mean(axis=1)))
    for output in OUTPUTS if quadrant.third is None else OUTPUTS[:1]:
        networks = by_marquardt(quadrant, setting, output)
        found, best = errors(quadrant, networks), chosen(quadrant, networks)
        values |= {f"{output} mean": found.mean[best], f"{output} max": found.max[best]}
        values |= {f"{output} worst mean": found.mean.max(), f"{output} worst max": found.max.max()}
    shown = trained[PAPER][0]
    if quadrant.third is None:
        values |= _edges(true, shown(places))
        pictures = figures.of_two_links(quadrant, shown, places)
    else:
        pictures = figures.of_three_links(quadrant, shown, places, 11 if quadrant is THIRD_AT_90 else 15)
    return Findings(values, tuple(Picture(name, draw) for name, draw in pictures.items()))


def _edges(true: Array, found: Array) -> dict[str, float]:
    """Return the slopes of found over desired angles, at both ends of their range and in the middle."""
    values = {}
    for k in (0, 1):
        low, high = true[:, k].min(), true[:, k].max()
        edge = EDGE * (high - low)
        parts = {"low": true[:, k] < low + edge, "high": true[:, k] > high - edge}
        parts["middle"] = ~(parts["low"] | parts["high"])
        for part, inside in parts.items():
            values[f"slope {k + 1} {part}"] = float(np.polyfit(true[inside, k], found[inside, k], 1)[0])
    return values


def _trained(name: str, epochs: int, mean: Bar | None, third: float | None) -> tuple[Claim, ...]:
    table, line = f"{name}: position error", f"{epochs:,} epochs"
    claims = [
        tabled(table, f"{epochs} mean", line, "mean, median start", UNIT, MEAN_PERCENT, mean),
        tabled(table, f"{epochs} max", line, "largest, median start", UNIT, MAX_PERCENT, mean and at_most(6.0)),
        tabled(table, f"{epochs} worst mean", line, "mean, worst start", UNIT, MEAN_PERCENT),
        tabled(table, f"{epochs} worst max", line, "largest, worst start", UNIT, MAX_PERCENT),
        tabled(table, f"{epochs} examples", line, "mean at the examples", UNIT),
    ]
    if third is not None:
        table = f"{name}: error of theta3"
        claims += [
            tabled(table, f"{epochs} third", line, "largest", "rad", third, mean and at_most(0.02)),
            tabled(table, f"{epochs} third mean", line, "signed mean", "rad"),
        ]
    return tuple(claims)


def _marquardt(name: str, output: str) -> tuple[Claim, ...]:
    table, line = f"{name}: Levenberg-Marquardt, position error", f"{output} output"
    bars = (at_most(0.05), at_most(1.0)) if output == "linear" else (None, None)
    return (
        tabled(table, f"{output} mean", line, "mean, chosen start", UNIT, MEAN_PERCENT, bars[0]),
        tabled(table, f"{output} max", line, "largest, chosen start", UNIT, MAX_PERCENT, bars[1]),
        tabled(table, f"{output} worst mean", line, "mean, worst start", UNIT, MEAN_PERCENT),
        tabled(table, f"{output} worst max", line, "largest, worst start", UNIT, MAX_PERCENT),
    )


TWO = Experiment(
    name=TWO_LINKS.name,
    claims=(
        *(claim for epochs in EPOCHS
          for claim in _trained(TWO_LINKS.name, epochs, at_most(0.5) if epochs == PAPER else None, None)),
        *(claim for output in OUTPUTS for claim in _marquardt(TWO_LINKS.name, output)),
        *(tabled("two links: slope of found over desired angles", f"slope {k} {part}", f"theta{k}", where, "rad/rad")
          for k in (1, 2) for part, where in (("low", "lowest sixth"), ("middle", "middle"), ("high", "highest sixth"))),
    ),
    measure=partial(measure, TWO_LINKS),
    notes=(
        "a network has the paper's 5 % after a few epochs; see the experiment 'training over time'.",
        "with a linear output layer the output can exceed 0.9 near the singular circle; with tanh it cannot follow the "
        "steep end.",
    ),
)  # fmt: skip


def _three(quadrant: Quadrant, printed: float) -> Experiment:
    return Experiment(
        name=quadrant.name,
        claims=(
            *(claim for epochs in EPOCHS[:2]
              for claim in _trained(quadrant.name, epochs, at_most(0.6) if epochs == PAPER else None, printed)),
            *_marquardt(quadrant.name, "linear"),
        ),
        measure=partial(measure, quadrant),
    )  # fmt: skip


THREE_AT_90 = _three(THIRD_AT_90, THIRD_MAX["90"])
THREE_AT_0 = _three(THIRD_AT_0, THIRD_MAX["0"])

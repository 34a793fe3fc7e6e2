"""The arms in the first quadrant (figures 3 to 18): two links, and three with theta3 held at 90 degrees and at 0."""

from functools import partial

import numpy as np

from limbik.papers.claim import Bar, Claim, at_most
from limbik.papers.guez_ahmad import figures
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, THIRD_MAX
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.training import (
    EXAMPLES,
    LATE,
    PAPER,
    SOON,
    TESTED,
    by_epochs,
    by_marquardt,
    chosen,
    errors,
    starts,
)
from limbik.papers.paper import Experiment, Findings, Picture, Setting

EPOCHS = (SOON, PAPER, LATE)
SHORTER = (SOON, PAPER)
# How networks that Levenberg and Marquardt trained answer: a line of claims each.
OUTPUTS = ("linear", "tanh")
# The sixth part of a joint's range at either end, in which the paper sees its plots flatten.
EDGE = 1.0 / 6.0
UNIT = "% of 1.9 m"


def measure(quadrant: Quadrant, epochs: tuple[int, ...], setting: Setting) -> Findings:
    """Train the paper's way and by Levenberg and Marquardt; errors on a grid that is finer than that of the examples."""
    count, values = starts(setting), {}
    places = quadrant.places(TESTED)
    true = quadrant.postures(places)
    courses = by_epochs(quadrant, count, epochs)
    for after, networks in courses.items():
        found, seen = errors(quadrant, networks), errors(quadrant, networks, EXAMPLES)
        mean, most = found.typical
        values |= {f"{after} mean": mean, f"{after} max": most}
        values |= {f"{after} worst mean": found.mean.max(), f"{after} worst max": found.max.max()}
        values[f"{after} examples"] = seen.typical[0]
        if quadrant.third is not None:
            turned = np.array([network(places)[:, 2] - quadrant.third for network in networks])
            values[f"{after} third"] = float(np.median(np.abs(turned).max(axis=1)))
            values[f"{after} third mean"] = float(np.median(turned.mean(axis=1)))
    for output in OUTPUTS if quadrant.third is None else OUTPUTS[:1]:
        networks = by_marquardt(quadrant, count, output)
        found, best = errors(quadrant, networks), chosen(quadrant, networks)
        values |= {f"{output} mean": found.mean[best], f"{output} max": found.max[best]}
        values |= {f"{output} worst mean": found.mean.max(), f"{output} worst max": found.max.max()}
    shown = courses[PAPER][0]
    if quadrant.third is None:
        values |= _edges(true, shown(places))
        pictures = figures.of_two_links(quadrant, shown, places)
    else:
        pictures = figures.of_three_links(quadrant, shown, places, 11 if quadrant is THIRD_AT_90 else 15)
    return Findings(values, tuple(Picture(name, draw) for name, draw in pictures.items()))


def _edges(true: np.ndarray, found: np.ndarray) -> dict[str, float]:
    """Return the slope of found against desired angles, at the ends of their range and between."""
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
    what = f"{name}, {epochs:,} epochs"
    claims = [
        Claim(f"{epochs} mean", f"{what}: mean error, median over the starts", UNIT, MEAN_PERCENT, mean),
        Claim(f"{epochs} max", f"{what}: greatest error, median over the starts", UNIT, MAX_PERCENT, mean and at_most(6.0)),
        Claim(f"{epochs} worst mean", f"{what}: mean error, worst start", UNIT, MEAN_PERCENT),
        Claim(f"{epochs} worst max", f"{what}: greatest error, worst start", UNIT, MAX_PERCENT),
        Claim(f"{epochs} examples", f"{what}: mean error at the examples themselves", UNIT),
    ]
    if third is not None:
        claims += [
            Claim(f"{epochs} third", f"{what}: greatest error of theta3", "rad", third, mean and at_most(0.02)),
            Claim(f"{epochs} third mean", f"{what}: mean error of theta3, with its sign", "rad"),
        ]
    return tuple(claims)


def _marquardt(name: str, output: str) -> tuple[Claim, ...]:
    what = f"{name}, Levenberg-Marquardt, {output} output"
    bars = (at_most(0.05), at_most(1.0)) if output == "linear" else (None, None)
    return (
        Claim(f"{output} mean", f"{what}, chosen start: mean error", UNIT, MEAN_PERCENT, bars[0]),
        Claim(f"{output} max", f"{what}, chosen start: greatest error", UNIT, MAX_PERCENT, bars[1]),
        Claim(f"{output} worst mean", f"{what}, worst start: mean error", UNIT, MEAN_PERCENT),
        Claim(f"{output} worst max", f"{what}, worst start: greatest error", UNIT, MAX_PERCENT),
    )


TWO = Experiment(
    name=TWO_LINKS.name,
    claims=(
        *(claim for epochs in EPOCHS
          for claim in _trained(TWO_LINKS.name, epochs, at_most(0.5) if epochs == PAPER else None, None)),
        *(claim for output in OUTPUTS for claim in _marquardt(TWO_LINKS.name, output)),
        *(Claim(f"slope {k} {part}", f"two links, theta{k}: slope of found against desired angles, {where}", "rad/rad")
          for k in (1, 2) for part, where in (("low", "lowest sixth"), ("middle", "between"), ("high", "highest sixth"))),
    ),
    measure=partial(measure, TWO_LINKS, EPOCHS),
    notes=(
        "the paper's 5 % is what a network has after a few epochs; see the course of training.",
        "with a linear output layer the network passes 0.9 near the singular circle; with tanh it cannot follow the steep end.",
    ),
)  # fmt: skip


def _three(quadrant: Quadrant, printed: float) -> Experiment:
    return Experiment(
        name=quadrant.name,
        claims=(
            *(claim for epochs in SHORTER
              for claim in _trained(quadrant.name, epochs, at_most(0.6) if epochs == PAPER else None, printed)),
            *_marquardt(quadrant.name, "linear"),
        ),
        measure=partial(measure, quadrant, SHORTER),
    )  # fmt: skip


THREE_AT_90 = _three(THIRD_AT_90, THIRD_MAX["90"])
THREE_AT_0 = _three(THIRD_AT_0, THIRD_MAX["0"])

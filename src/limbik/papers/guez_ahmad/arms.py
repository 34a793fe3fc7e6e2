"""The arms in the first quadrant (figures 3 to 18): two links, and three with theta3 held at 90 degrees and at 0."""

from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, at_most
from limbik.papers.guez_ahmad import figures
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT, THIRD_MAX
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import (
    EPOCHS,
    EXAMPLES,
    PAPER,
    SOON,
    TESTED,
    by_epochs,
    by_marquardt,
    chosen,
    errors,
)
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# The output layers of networks that are trained by Levenberg-Marquardt.
OUTPUTS = ("linear", "tanh")
# The parts of a joint's range at either end that are taken as "the edges" where the paper's plots flatten; "most of
# the range" is between the widest edges.
EDGES = (1.0 / 6.0, 1.0 / 20.0)
PARTS = (*(f"{end} 1/{round(1 / edge)}" for edge in EDGES for end in ("low", "high")), "middle")
# The epochs after which the plots are judged.
PLOTTED = (SOON, PAPER)
# The rounding of forward kinematics [m].
ROUNDING = 1e-9
UNIT = "% of 1.9 m"


def measure(quadrant: Quadrant, setting: Setting) -> Findings:
    """Train by back-propagation and by Levenberg-Marquardt; measure errors on a finer grid than the examples'."""
    examples = quadrant.places(EXAMPLES)
    off = np.linalg.norm(quadrant.missed(examples, quadrant.postures(examples)), axis=1)
    values: dict[str, float] = {"examples off": float(off.max())}
    places = quadrant.places(TESTED)
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
        values[f"{output} part"] = found.mean[best] / values[f"{PAPER} mean"]
        values |= {f"{output} worst mean": found.mean.max(), f"{output} worst max": found.max.max()}
    shown = trained[PAPER][0]
    if quadrant.third is None:
        fine = quadrant.places_by_bend(TESTED)
        for epochs in PLOTTED:
            slopes = [_slopes(quadrant.postures(fine), network(fine)) for network in trained[epochs]]
            values |= {f"{epochs} {key}": float(np.median([each[key] for each in slopes])) for key in slopes[0]}
        pictures = figures.of_two_links(quadrant, shown, places)
    else:
        pictures = figures.of_three_links(quadrant, shown, places, 11 if quadrant is THIRD_AT_90 else 15)
    return Findings(values, tuple(Picture(name, draw) for name, draw in pictures.items()))


def _slopes(true: Array, found: Array) -> dict[str, float]:
    """Return the slopes of found over desired angles, in parts of their range."""
    values = {}
    for k in (0, 1):
        low, high = true[:, k].min(), true[:, k].max()
        widths = [edge * (high - low) for edge in EDGES]
        inside = [part for width in widths for part in (true[:, k] < low + width, true[:, k] > high - width)]
        inside.append((true[:, k] >= low + max(widths)) & (true[:, k] <= high - max(widths)))
        for part, rows in zip(PARTS, inside, strict=True):
            values[f"slope {k + 1} {part}"] = float(np.polyfit(true[rows, k], found[rows, k], 1)[0])
    return values


def _trained(name: str, epochs: int, third: float | None) -> tuple[Claim, ...]:
    table, line = f"{name}: position error", f"{epochs:,} epochs"
    judged = epochs == PAPER
    claims = [
        tabled(table, f"{epochs} mean", line, "mean, median start", UNIT, MEAN_PERCENT,
               at_most(MEAN_PERCENT) if judged else None),
        tabled(table, f"{epochs} max", line, "largest, median start", UNIT, MAX_PERCENT,
               at_most(MAX_PERCENT) if judged else None),
        tabled(table, f"{epochs} worst mean", line, "mean, worst start", UNIT),
        tabled(table, f"{epochs} worst max", line, "largest, worst start", UNIT),
        tabled(table, f"{epochs} examples", line, "mean at the examples", UNIT),
    ]  # fmt: skip
    if third is not None:
        table = f"{name}: error of theta3"
        claims += [
            tabled(table, f"{epochs} third", line, "largest", "rad", third, at_most(third) if judged else None),
            tabled(table, f"{epochs} third mean", line, "signed mean", "rad"),
        ]
    return tuple(claims)


def _marquardt(name: str, output: str) -> tuple[Claim, ...]:
    table, line = f"{name}: Levenberg-Marquardt, position error", f"{output} output"
    return (
        tabled(table, f"{output} mean", line, "mean, chosen start", UNIT),
        tabled(table, f"{output} max", line, "largest, chosen start", UNIT),
        tabled(table, f"{output} worst mean", line, "mean, worst start", UNIT),
        tabled(table, f"{output} worst max", line, "largest, worst start", UNIT),
        Claim(f"{output} part", f"{table}, {line}: mean relative to back-propagation, {PAPER:,} epochs", "ratio",
              bar=at_most(1.0) if output == "linear" else None),
    )  # fmt: skip


def _examples(name: str) -> Claim:
    text = f"{name}: largest distance of an example's posture from its target, by forward kinematics"
    return Claim("examples off", text, "m", bar=at_most(ROUNDING))


SLOPES = "two links: slope of found over desired angles, median start"
TWO = Experiment(
    name=TWO_LINKS.name,
    claims=(
        _examples(TWO_LINKS.name),
        *(claim for epochs in EPOCHS for claim in _trained(TWO_LINKS.name, epochs, None)),
        *(claim for output in OUTPUTS for claim in _marquardt(TWO_LINKS.name, output)),
        *(tabled(SLOPES, f"{epochs} slope {k} {part}", f"theta{k}, {epochs:,} epochs", part, "rad/rad")
          for epochs in PLOTTED for k in (1, 2) for part in PARTS),
    ),
    measure=partial(measure, TWO_LINKS),
    notes=(
        "the paper's output layer has tanh; Levenberg-Marquardt also trains networks with a linear one, which is "
        "not bounded.",
    ),
)  # fmt: skip


def _three(quadrant: Quadrant, printed: float) -> Experiment:
    return Experiment(
        name=quadrant.name,
        claims=(
            _examples(quadrant.name),
            *(claim for epochs in EPOCHS[:2] for claim in _trained(quadrant.name, epochs, printed)),
            *_marquardt(quadrant.name, "linear"),
        ),
        measure=partial(measure, quadrant),
    )


THREE_AT_90 = _three(THIRD_AT_90, THIRD_MAX["90"])
THREE_AT_0 = _three(THIRD_AT_0, THIRD_MAX["0"])

"""Guez and Ahmad's perceptrons at full size: errors beside their bars, spread over the starts, training time."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.ended_builds import SHELL
from benchmarks.measurement import Measurement, at_most
from limbik.papers.guez_ahmad import refinement, sine
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.training import LATE, PAPER, TESTED, begun, by_epochs, by_marquardt, chosen, errors
from limbik.papers.paper import Setting
from limbik.solvers.neural.backpropagation import BackPropagation

FULL = Setting()
# Bars: a quick run of the paper, and the training of one network for 20,000 epochs [s].
QUICK, SECONDS = 60.0, 10.0


def perceptrons(_: Path) -> list[Measurement]:
    """Measure the paper's networks against their bars: medians over 16 starts, and how many starts meet them."""
    return [*_arms(), *_sine(), *_marquardt(), *_newton(), *_training()]


def _median(what: str, starts: Sequence[float], bar: float, unit: str, paper: str) -> Measurement:
    met = sum(value <= bar for value in starts)
    note = (
        f"median of {len(starts)} starts; first {starts[0]:.3g}, smallest {min(starts):.3g}, largest {max(starts):.3g}, "
        f"{met} of {len(starts)} meet it; paper {paper}"
    )
    return at_most(what, float(np.median(starts)), bar, unit, note)


def _arms() -> list[Measurement]:
    measured = []
    for quadrant, bar in ((TWO_LINKS, 0.5), (THIRD_AT_90, 0.6), (THIRD_AT_0, 0.6)):
        networks = by_epochs(quadrant, FULL)[PAPER]
        found = errors(quadrant, networks)
        what = f"{quadrant.name}, {PAPER} epochs of back-propagation"
        measured.append(_median(f"{what}: mean error", found.mean, bar, "% of 1.9 m", "5"))
        measured.append(_median(f"{what}: largest error", found.max, 6.0, "% of 1.9 m", "10"))
        if quadrant.third is not None:
            off = [float(np.abs(n(quadrant.places(TESTED))[:, 2] - quadrant.third).max()) for n in networks]
            measured.append(_median(f"{what}: theta3", off, 0.02, "rad", "0.05" if quadrant.third else "0.12"))
    return measured


def _sine() -> list[Measurement]:
    rows = {row.key: row for row in sine.EXPERIMENT.run(FULL)[0]}
    most = sine.EPOCHS[-1]
    return [
        at_most(
            f"sine, {most} epochs: largest error, median start",
            rows[f"{most} max"].ours,
            0.01,
            "1",
            f"worst of 16 starts {rows[f'{most} worst'].ours:.3g}; paper 0.25",
        ),
        at_most(
            "sine, Levenberg-Marquardt: largest error, start chosen by other examples",
            rows["lm max"].ours,
            1e-4,
            "1",
            f"median of 16 starts {rows['lm median'].ours:.3g}",
        ),
    ]


def _marquardt() -> list[Measurement]:
    measured = []
    for quadrant in (TWO_LINKS, THIRD_AT_90, THIRD_AT_0):
        measured += _of_marquardt(quadrant)
    return measured


def _of_marquardt(quadrant: Quadrant) -> list[Measurement]:
    networks = by_marquardt(quadrant, FULL)
    found, best = errors(quadrant, networks), chosen(quadrant, networks)
    what = f"{quadrant.name}, Levenberg-Marquardt, linear output"
    note = "start chosen on places between; of 16 starts {:.3g} to {:.3g}"
    return [
        at_most(
            f"{what}: mean error", found.mean[best], 0.05, "% of 1.9 m", note.format(found.mean.min(), found.mean.max())
        ),
        at_most(
            f"{what}: largest error", found.max[best], 1.0, "% of 1.9 m", note.format(found.max.min(), found.max.max())
        ),
    ]


def _newton() -> list[Measurement]:
    arm, places = TWO_LINKS.arm, TWO_LINKS.places(TESTED)
    fixed = refinement.refine(arm, places, np.tile([0.0, np.pi / 2], (len(places), 1)), "Newton").values
    measured = []
    for name, networks, bar in (
        (f"network, {LATE} epochs", by_epochs(TWO_LINKS, FULL)[LATE], 2.1),
        ("network, Levenberg-Marquardt", by_marquardt(TWO_LINKS, FULL), 1.3),
    ):
        rows = [refinement.refine(arm, places, network(places), "Newton").values for network in networks]
        beside = f"the fixed seed (0, 90 deg): {fixed['steps']:.2f} steps, {fixed['failed']:.2g} % failed"
        measured.append(
            _median(
                f"Newton steps to 1e-6 m from {name}", [row["steps"] for row in rows], bar, "steps", f"none; {beside}"
            )
        )
        worst = max(row["failed"] for row in rows)
        measured.append(
            at_most(
                f"Newton from {name}: failures, worst start", worst, 0.0, "%", f"of {len(places)} targets; {beside}"
            )
        )
    return measured


def _training() -> list[Measurement]:
    x = TWO_LINKS.places(20)
    y = TWO_LINKS.postures(x)
    start = perf_counter()
    BackPropagation().train(begun(TWO_LINKS, 1)[0], x, y, LATE)
    one = perf_counter() - start
    trainings = [BackPropagation().begin(begun(TWO_LINKS, 16), x, y, threads) for threads in (1, 2, 3)]
    for training in trainings:
        training.run(200)
    differing = sum(
        a != b for training in trainings[1:] for a, b in zip(training.networks, trainings[0].networks, strict=True)
    )
    start = perf_counter()
    subprocess.run([*SHELL, "reproduce", "guez_ahmad", "--quick", "--json"], capture_output=True, check=True)
    return [
        at_most(
            f"2-10-10-2 network, 400 examples, {LATE} epochs: time of training",
            one,
            SECONDS,
            "s",
            "one network, one thread",
        ),
        at_most(
            "networks that differ when trained by 1, 2 or 3 threads", differing, 0, "networks", "16 starts, bit for bit"
        ),
        at_most("limbik reproduce guez_ahmad --quick --json: time", perf_counter() - start, QUICK, "s", "exit code 0"),
    ]

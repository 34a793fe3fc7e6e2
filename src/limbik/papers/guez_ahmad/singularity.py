"""The error near singular postures.

It increased "when theta2 was near 0 radians. This is one of the two singular positions, the other occurs at pi". With
theta2 = acos c, d theta2 / dr = -r / (l1 l2 sin theta2), which is unbounded as the arm stretches. A network is smooth,
so it cannot follow there. Where the arm is folded, sin theta2 is 0 too, but r is 0.1 m instead of 1.9 m: the derivative
is 19 times smaller. Errors are measured on a grid that is uniform in theta2 and phi. With three joints theta2 is that
of the two-link arm whose second link reaches from the elbow to the tip.
"""

from functools import partial

import numpy as np

from limbik.papers.guez_ahmad.graphs import draw_singularity
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, TWO_LINKS
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import PAPER, SOON, TESTED, by_epochs, by_marquardt, chosen, distances
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.perceptron import Perceptron

QUADRANTS = (TWO_LINKS, THIRD_AT_90, THIRD_AT_0)
# The largest distances of theta2 from 0 or pi that count as near [rad]; "between" is outside the larger one.
NEAR = (0.1, 0.3)
ZONES = (*(f"near 0 ({near:g} rad)" for near in NEAR), "between", *(f"near pi ({near:g} rad)" for near in NEAR))
EPOCHS = (SOON, PAPER)
MARQUARDT = "Levenberg-Marquardt"
# The networks in the picture.
SHOWN = (f"{PAPER:,} epochs", MARQUARDT)
MEASURES = ("position", "theta2")


def measure(setting: Setting) -> Findings:
    """Measure the mean errors in zones of theta2, of networks by back-propagation and by Levenberg-Marquardt."""
    values, curves = {}, {}
    for quadrant in QUADRANTS:
        places = quadrant.places_by_bend(TESTED)
        true, bend = quadrant.postures(places)[:, 1], quadrant.bend(places)
        zones = dict(zip(ZONES, [*(bend < near for near in NEAR), (bend >= NEAR[-1]) & (bend <= np.pi - NEAR[-1]),
                                 *(bend > np.pi - near for near in NEAR)], strict=True))  # fmt: skip
        trained: dict[str, list[Perceptron]] = {f"{e:,} epochs": by_epochs(quadrant, setting)[e] for e in EPOCHS}
        best = by_marquardt(quadrant, setting)
        trained[MARQUARDT] = [best[chosen(quadrant, best)]]
        for training, networks in trained.items():
            missed = np.mean([distances(quadrant, network, places) for network in networks], axis=0)
            off = np.mean([np.abs(network(places)[:, 1] - true) for network in networks], axis=0)
            for what, errors in zip(MEASURES, (missed, off), strict=True):
                for zone, inside in zones.items():
                    values[f"{quadrant.name} {training} {what} {zone}"] = float(errors[inside].mean())
            if quadrant is TWO_LINKS and training in SHOWN:
                curves[training] = (missed, off)
    places = TWO_LINKS.places_by_bend(TESTED)
    picture = Picture("singularity", partial(draw_singularity, places, TWO_LINKS.bend(places), curves))
    return Findings(values, (picture,))


TRAININGS = (*(f"{epochs:,} epochs" for epochs in EPOCHS), MARQUARDT)
UNITS = {"position": "% of 1.9 m", "theta2": "rad"}
EXPERIMENT = Experiment(
    name="singularity",
    claims=tuple(
        tabled(f"mean error by theta2: {what}", f"{quadrant.name} {training} {what} {zone}",
               f"{quadrant.name}, {training}", zone, UNITS[what])
        for what in MEASURES for quadrant in QUADRANTS for training in TRAININGS for zone in ZONES
    ),
    measure=measure,
)  # fmt: skip

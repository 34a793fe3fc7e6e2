"""The error near singular postures.

It increased "when theta2 was near 0 radians. This is one of the two singular positions, the other occurs at pi". With
theta2 = acos c, d theta2 / dr = -r / (l1 l2 sin theta2), which is unbounded as the arm stretches. A network is smooth,
so it cannot follow there. Where the arm is folded, sin theta2 is 0 too, but r is 0.1 m instead of 1.9 m: the derivative
is 19 times smaller.
"""

from functools import partial

import numpy as np

from limbik.papers.guez_ahmad.graphs import draw_singularity
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import PAPER, TESTED, by_epochs, by_marquardt, chosen, distances
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# The largest distance of theta2 from 0 or pi that counts as near [rad].
NEAR = 0.3
ZONES = ("near 0", "between", "near pi")


def measure(setting: Setting) -> Findings:
    """Measure the errors in zones of theta2, of networks trained by back-propagation and by Levenberg-Marquardt."""
    places = TWO_LINKS.places(TESTED)
    true = TWO_LINKS.postures(places)
    bend = true[:, 1]
    zones = {"near 0": bend < NEAR, "near pi": bend > np.pi - NEAR}
    zones["between"] = ~(zones["near 0"] | zones["near pi"])
    best = by_marquardt(TWO_LINKS, setting)
    networks = {
        "back-propagation": by_epochs(TWO_LINKS, setting)[PAPER],
        "Levenberg-Marquardt": [best[chosen(TWO_LINKS, best)]],
    }
    values, curves = {}, {}
    for training, trained in networks.items():
        missed = np.mean([distances(TWO_LINKS, network, places) for network in trained], axis=0)
        off = np.mean([np.abs(network(places) - true)[:, 1] for network in trained], axis=0)
        for zone, inside in zones.items():
            values[f"{training} {zone}"] = float(missed[inside].mean())
            values[f"{training} {zone} angle"] = float(off[inside].mean())
        curves[training] = (missed, off)
    return Findings(values, (Picture("singularity", partial(draw_singularity, places, bend, curves)),))


TRAININGS = ("back-propagation", "Levenberg-Marquardt")
POSITION, ANGLE = "two links by theta2: position error", "two links by theta2: error of theta2"
EXPERIMENT = Experiment(
    name="singularity",
    claims=(
        *(tabled(POSITION, f"{each} {zone}", each, zone, "% of 1.9 m") for each in TRAININGS for zone in ZONES),
        *(tabled(ANGLE, f"{each} {zone} angle", each, zone, "rad") for each in TRAININGS for zone in ZONES),
    ),
    measure=measure,
)

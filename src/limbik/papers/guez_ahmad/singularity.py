"""Where the error grows: "when theta2 was near 0 radians. This is one of the two singular positions, the other occurs at pi".

With theta2 = acos c the angle turns ever faster with r as the arm is stretched: d theta2 / dr = -r / (l1 l2 sin theta2). A
network is smooth, so it cannot follow there. Where the arm is folded sin theta2 is 0 too, but r is 0.1 m and not 1.9: the
angle turns 19 times less fast.
"""

from functools import partial

import numpy as np

from limbik.papers.guez_ahmad.graphs import draw_singularity
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import PAPER, TESTED, by_epochs, by_marquardt, chosen, distances
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# theta2 this near to 0 or to pi counts as near [rad].
NEAR = 0.3
ZONES = ("near 0", "between", "near pi")


def measure(setting: Setting) -> Findings:
    """Measure the error by theta2, of the paper's network and of Levenberg and Marquardt's."""
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
    for way, trained in networks.items():
        missed = np.mean([distances(TWO_LINKS, network, places) for network in trained], axis=0)
        turned = np.mean([np.abs(network(places) - true)[:, 1] for network in trained], axis=0)
        for zone, inside in zones.items():
            values[f"{way} {zone}"] = float(missed[inside].mean())
            values[f"{way} {zone} angle"] = float(turned[inside].mean())
        curves[way] = (missed, turned)
    return Findings(values, (Picture("singularity", partial(draw_singularity, places, bend, curves)),))


WAYS = ("back-propagation", "Levenberg-Marquardt")
PLACE, ANGLE = "two links by theta2: error of the place", "two links by theta2: error of theta2"
EXPERIMENT = Experiment(
    name="singularity",
    claims=(
        *(tabled(PLACE, f"{way} {zone}", way, zone, "% of 1.9 m") for way in WAYS for zone in ZONES),
        *(tabled(ANGLE, f"{way} {zone} angle", way, zone, "rad") for way in WAYS for zone in ZONES),
    ),
    measure=measure,
)

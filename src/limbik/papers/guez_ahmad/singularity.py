"""Where the error grows: "when theta2 was near 0 radians. This is one of the two singular positions, the other occurs at pi".

With theta2 = acos c the angle turns ever faster with r as the arm is stretched: d theta2 / dr = -r / (l1 l2 sin theta2). A network is
smooth, so it cannot follow there. What it misses in theta2 moves the tip along r by the inverse of that, so that the place is missed
by less than the angle.
"""

from functools import partial

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.graphs import draw_singularity
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.training import PAPER, TESTED, by_epochs, by_marquardt, chosen, distances, starts
from limbik.papers.guez_ahmad.arms import EPOCHS
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
    best = by_marquardt(TWO_LINKS, starts(setting))
    networks = {
        "back-propagation": by_epochs(TWO_LINKS, starts(setting), EPOCHS)[PAPER],
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


EXPERIMENT = Experiment(
    name="singularity",
    claims=tuple(
        claim
        for way in ("back-propagation", "Levenberg-Marquardt")
        for zone in ZONES
        for claim in (
            Claim(f"{way} {zone}", f"two links, {way}, theta2 {zone}: mean error", "% of 1.9 m"),
            Claim(f"{way} {zone} angle", f"two links, {way}, theta2 {zone}: mean error of theta2", "rad"),
        )
    ),
    measure=measure,
)

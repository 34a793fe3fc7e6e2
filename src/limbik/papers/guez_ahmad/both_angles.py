"""theta3 at 90 degrees and at 0 in one network, which the paper trains in two.

Trained on both without an input that selects one, the network answers with the mean: least squares has no branches. With a third
input that selects one, it learns both.
"""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.guez_ahmad.printed import LENGTH
from limbik.papers.guez_ahmad.quadrant import THIRD_AT_0, THIRD_AT_90, THIRD_RANGE, TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import EXAMPLES, HIDDEN, PAPER, PERCENT, starts
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.perceptron import Perceptron

QUICK_EPOCHS = 1000
TESTED = 51
BOTH = (THIRD_AT_90, THIRD_AT_0)


@dataclass(frozen=True)
class Way:
    """Whether a network has the angle as a third input."""

    told: bool

    def inputs(self, quadrant: Quadrant, side: int) -> tuple[Array, Array]:
        """Return inputs, and the places (r, phi) in them; of the two-link arm's reach, which both have."""
        places = TWO_LINKS.places(side)
        third = np.full((len(places), 1), quadrant.third or 0.0)
        return (np.concatenate([places, third], axis=1) if self.told else places), places


WAYS = {"untold": Way(False), "told": Way(True)}


def measure(setting: Setting) -> Findings:
    """Train one network for both angles."""
    values = {}
    for name, way in WAYS.items():
        pairs = [(way.inputs(quadrant, EXAMPLES), quadrant) for quadrant in BOTH]
        x = np.concatenate([inputs for (inputs, _), _ in pairs])
        y = np.concatenate([quadrant.postures(places) for (_, places), quadrant in pairs])
        y_range = np.stack([y.min(axis=0), y.max(axis=0)])
        y_range[:, 2] = THIRD_RANGE
        layers = (x.shape[1], *HIDDEN, y.shape[1])
        x_range = np.stack([x.min(axis=0), x.max(axis=0)])
        networks = [Perceptron.random(layers, x_range, y_range, start=k) for k in range(starts(setting))]
        course = BackPropagation().begin(networks, x, y)
        course.run(setting.size(PAPER, QUICK_EPOCHS))
        for quadrant in BOTH:
            inputs, places = way.inputs(quadrant, TESTED)
            answers = np.array([network(inputs) for network in course.networks])
            missed = PERCENT / LENGTH * np.linalg.norm(quadrant.missed(places, answers), axis=-1)
            key = f"{name} {quadrant.name}"
            values[f"{key} mean"] = float(np.median(missed.mean(axis=1)))
            values[f"{key} third"] = float(np.degrees(np.median(answers[..., 2])))
    return Findings(values)


PLACE, ANGLE = "one network for both angles: mean error", "one network for both angles: its theta3"
EXPERIMENT = Experiment(
    name="both angles in one network",
    claims=(
        *(
            tabled(PLACE, f"{name} {quadrant.name} mean", f"{name} which", quadrant.name, "% of 1.9 m")
            for name in WAYS
            for quadrant in BOTH
        ),
        *(
            tabled(ANGLE, f"{name} {quadrant.name} third", f"{name} which", quadrant.name, "deg")
            for name in WAYS
            for quadrant in BOTH
        ),
    ),
    measure=measure,
)

"""One network for theta3 at 90 degrees and at 0, for which the paper trains two.

Trained on both without an input that selects one, the network answers with the mean: least squares has no branches.
With a third input that selects one, it learns both.
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
class Design:
    """A network with or without theta3 as a third input, which selects the posture."""

    selects: bool

    def inputs(self, quadrant: Quadrant, side: int) -> tuple[Array, Array]:
        """Return the inputs of the network and the targets (r, phi); these are the two-link arm's, for both angles."""
        places = TWO_LINKS.places(side)
        third = np.full((len(places), 1), quadrant.third or 0.0)
        return (np.concatenate([places, third], axis=1) if self.selects else places), places


# The names of the designs in rows and keys.
UNSELECTED, SELECTED = "theta3 not given", "theta3 given"
DESIGNS = {UNSELECTED: Design(False), SELECTED: Design(True)}


def measure(setting: Setting) -> Findings:
    """Train one network of each design for both angles."""
    values = {}
    for name, design in DESIGNS.items():
        pairs = [(design.inputs(quadrant, EXAMPLES), quadrant) for quadrant in BOTH]
        x = np.concatenate([inputs for (inputs, _), _ in pairs])
        y = np.concatenate([quadrant.postures(places) for (_, places), quadrant in pairs])
        y_range = np.stack([y.min(axis=0), y.max(axis=0)])
        y_range[:, 2] = THIRD_RANGE
        layers = (x.shape[1], *HIDDEN, y.shape[1])
        x_range = np.stack([x.min(axis=0), x.max(axis=0)])
        networks = [Perceptron.random(layers, x_range, y_range, start=k) for k in range(starts(setting))]
        training = BackPropagation().begin(networks, x, y)
        training.run(setting.size(PAPER, QUICK_EPOCHS))
        for quadrant in BOTH:
            inputs, places = design.inputs(quadrant, TESTED)
            answers = np.array([network(inputs) for network in training.networks])
            missed = PERCENT / LENGTH * np.linalg.norm(quadrant.missed(places, answers), axis=-1)
            key = f"{name} {quadrant.name}"
            values[f"{key} mean"] = float(np.median(missed.mean(axis=1)))
            values[f"{key} max"] = float(np.median(missed.max(axis=1)))
            values[f"{key} third"] = float(np.degrees(np.median(answers[..., 2])))
    return Findings(values)


COLUMNS = {
    "mean": ("mean error", "% of 1.9 m"),
    "max": ("largest error", "% of 1.9 m"),
    "third": ("median theta3", "deg"),
}
EXPERIMENT = Experiment(
    name="both angles in one network",
    claims=tuple(
        tabled(f"one network for both angles: {column}", f"{name} {quadrant.name} {key}", name, quadrant.name, unit)
        for key, (column, unit) in COLUMNS.items() for name in DESIGNS for quadrant in BOTH
    ),
    measure=measure,
)  # fmt: skip

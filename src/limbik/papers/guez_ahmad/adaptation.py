"""The "ability to adapt to changes occurring in the environment and within the system" (feature iv): a link gets shorter.

The second link of the arm shortens to 0.8 m after training. Training continues with examples of the changed arm; beside it a new
network starts. Measured is the error for the changed arm, with 20 x 20 examples and with only 6 x 6.
"""

from functools import partial

from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.graphs import draw_adaptation
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.tabled import columns
from limbik.papers.guez_ahmad.training import EXAMPLES, PAPER, begun, by_epochs, errors, starts
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.backpropagation import BackPropagation

CHANGED = Quadrant("second link 0.8 m", (1.0, 0.8))
CHECKED = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
FEW = 6
# The error that counts as adapted [% of 1.9 m].
ADAPTED = 1.0
TESTED = 51


def measure(setting: Setting) -> Findings:
    """Continue the training of trained networks, and train new ones."""
    count = starts(setting)
    trained = by_epochs(TWO_LINKS, setting)[PAPER]
    runs = {
        "trained": (trained, EXAMPLES),
        "new": (begun(TWO_LINKS, count), EXAMPLES),
        "few": (trained, FEW),
        "few new": (begun(TWO_LINKS, count), FEW),
    }
    values: dict[str, float] = {}
    curves = {}
    for name, (networks, side) in runs.items():
        x = CHANGED.places(side)
        training = BackPropagation().begin(networks, x, CHANGED.postures(x))
        means = []
        for epochs in CHECKED:
            training.run(epochs - training.epoch)
            means.append(errors(CHANGED, training.networks, TESTED).typical[0])
        curves[name] = means
        values |= {f"{name} {epochs}": mean for epochs, mean in zip(CHECKED, means, strict=True) if epochs in SHOWN}
        reached = [epochs for epochs, mean in zip(CHECKED, means, strict=True) if mean <= ADAPTED]
        values[f"{name} adapted"] = float(reached[0]) if reached else float("nan")
    values["before"] = errors(TWO_LINKS, trained, TESTED).typical[0]
    return Findings(values, (Picture("adaptation", partial(draw_adaptation, CHECKED, curves, ADAPTED)),))


SHOWN = (0, 10, 100, 1000)
TITLES = {
    "trained": "training continues, 20 x 20 examples",
    "new": "new network, 20 x 20 examples",
    "few": "training continues, 6 x 6 examples",
    "few new": "new network, 6 x 6 examples",
}


TABLE = "second link 0.8 m, mean error by epochs"
EXPERIMENT = Experiment(
    name="adaptation",
    claims=(
        Claim("before", "before the change of the link: mean error", "% of 1.9 m"),
        *(claim for name, title in TITLES.items()
          for claim in columns(TABLE, name, title, "% of 1.9 m", [(str(epochs), str(epochs)) for epochs in SHOWN])),
        *(Claim(f"{name} adapted", f"after the change, {title}: epochs until the mean is below {ADAPTED:g} %", "epochs")
          for name, title in TITLES.items()),
    ),
    measure=measure,
    notes=("the network does not organise itself: it needs example postures of the changed arm.",),
)  # fmt: skip

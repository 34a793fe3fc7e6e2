"""The "ability to adapt to changes occurring in the environment and within the system" (feature iv): a link gets shorter.

The second link of the trained arm becomes 0.8 m long. Training goes on with examples of the arm as it now is, and beside it a
new network begins. What is measured is the error of the changed arm, in 20 x 20 examples and in only 6 x 6.
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
LOOKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
FEW = 6
# The error that counts as adapted [% of 1.9 m].
ADAPTED = 1.0
TESTED = 51


def measure(setting: Setting) -> Findings:
    """Go on with trained networks, and begin with new ones."""
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
        course = BackPropagation().begin(networks, x, CHANGED.postures(x))
        means = []
        for epochs in LOOKS:
            course.run(epochs - course.epoch)
            means.append(errors(CHANGED, course.networks, TESTED).typical[0])
        curves[name] = means
        values |= {f"{name} {epochs}": mean for epochs, mean in zip(LOOKS, means, strict=True) if epochs in SAID}
        reached = [epochs for epochs, mean in zip(LOOKS, means, strict=True) if mean <= ADAPTED]
        values[f"{name} adapted"] = float(reached[0]) if reached else float("nan")
    values["before"] = errors(TWO_LINKS, trained, TESTED).typical[0]
    return Findings(values, (Picture("adaptation", partial(draw_adaptation, LOOKS, curves, ADAPTED)),))


SAID = (0, 10, 100, 1000)
TITLES = {
    "trained": "training goes on, 20 x 20 examples",
    "new": "new network, 20 x 20 examples",
    "few": "training goes on, 6 x 6 examples",
    "few new": "new network, 6 x 6 examples",
}


TABLE = "second link 0.8 m, mean error after so many epochs"
EXPERIMENT = Experiment(
    name="adaptation",
    claims=(
        Claim("before", "link not yet changed: mean error", "% of 1.9 m"),
        *(claim for name, title in TITLES.items()
          for claim in columns(TABLE, name, title, "% of 1.9 m", [(str(epochs), str(epochs)) for epochs in SAID])),
        *(Claim(f"{name} adapted", f"link changed, {title}: epochs until the mean is below {ADAPTED:g} %", "epochs")
          for name, title in TITLES.items()),
    ),
    measure=measure,
    notes=("the network does not organise itself: somebody has to show it postures of the changed arm.",),
)  # fmt: skip

"""The "ability to adapt to changes [...] within the system" (feature iv): a link changes its length.

After training a link of the arm gets shorter or longer. Training continues with examples of the changed arm; beside it
a new network starts. Measured is the error for the changed arm, with 20 x 20 examples, with 10 x 10 and with 6 x 6.
Before the first epoch the network has seen no example of the changed arm. It counts as adapted from the epoch on at
which its mean error is, and remains, at most twice that before the change; or by the paper's own figures, 5 and 10 %.
"""

from functools import partial

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.graphs import draw_adaptation
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS, Quadrant
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import EXAMPLES, PAPER, begun, by_epochs, errors, starts
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.backpropagation import BackPropagation

CHANGED = tuple(
    Quadrant(name, lengths)
    for name, lengths in (
        ("second link 0.8 m", (1.0, 0.8)),
        ("second link 0.6 m", (1.0, 0.6)),
        ("first link 1.1 m", (1.1, 0.9)),
    )
)
CHECKED = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
SIDES = (EXAMPLES, 10, 6)
# The mean error that counts as adapted, relative to that before the change.
ADAPTED = 2.0
TESTED = 51
TRAINED, NEW = "training continues", "new network"


def measure(setting: Setting) -> Findings:
    """Continue the training of trained networks, and train new ones."""
    trained = by_epochs(TWO_LINKS, setting)[PAPER]
    before = errors(TWO_LINKS, trained, TESTED).typical
    values: dict[str, float] = dict(zip(("before mean", "before max"), before, strict=True))
    curves: dict[str, list[float]] = {}
    for changed in CHANGED:
        for side in SIDES:
            x = changed.places(side)
            for start, networks in ((TRAINED, trained), (NEW, begun(TWO_LINKS, starts(setting)))):
                training = BackPropagation().begin(networks, x, changed.postures(x))
                found = []
                for epochs in CHECKED:
                    training.run(epochs - training.epoch)
                    found.append(errors(changed, training.networks, TESTED).typical)
                means = [mean for mean, _ in found]
                key = f"{changed.name} {side} {start}"
                for epochs, (mean, most) in zip(CHECKED, found, strict=True):
                    if epochs in SHOWN:
                        values |= {f"{key} {epochs} mean": mean, f"{key} {epochs} max": most}
                values[f"{key} adapted"] = since([mean <= ADAPTED * before[0] for mean in means])
                good = [mean <= MEAN_PERCENT and most <= MAX_PERCENT for mean, most in found]
                values[f"{key} within"] = since(good)
                if changed is CHANGED[0] and side in DRAWN:
                    curves[f"{start} {side}"] = means
    ordered = {name: curves[f"{start} {side}"]
               for name, (start, side) in zip(("trained", "new", "few", "few new"), LINES, strict=True)}  # fmt: skip
    return Findings(values, (Picture("adaptation", partial(draw_adaptation, CHECKED, ordered, ADAPTED * before[0])),))


def since(good: list[bool]) -> float:
    """Return the number of epochs from which on something remains true, NaN if it is not true at the end."""
    if not good[-1]:
        return float("nan")
    missed = np.flatnonzero(~np.array(good))
    return float(CHECKED[missed[-1] + 1 if len(missed) else 0])


SHOWN = (0, 1, 10, 100, 1000)
# The numbers of examples and the starts in the picture.
DRAWN = (EXAMPLES, 6)
LINES = tuple((start, side) for side in DRAWN for start in (TRAINED, NEW))
UNTIL = {
    "adapted": f"epochs until the mean error stays within {ADAPTED:g} times that before the change",
    "within": "epochs until mean and largest error stay within the paper's 5 and 10 %",
}
WORDS = {"mean": "mean error", "max": "largest error"}


def _claims(changed: Quadrant, side: int, start: str) -> tuple[Claim, ...]:
    key, line = f"{changed.name} {side} {start}", f"{start}, {side} x {side} examples"
    errors_by = tuple(
        tabled(f"{changed.name}: {text} by epochs", f"{key} {epochs} {word}", line, str(epochs), "% of 1.9 m")
        for word, text in WORDS.items()
        for epochs in SHOWN
    )
    return (*errors_by, *(tabled(text, f"{key} {word}", line, changed.name, "epochs") for word, text in UNTIL.items()))


EXPERIMENT = Experiment(
    name="adaptation",
    claims=(
        Claim("before mean", "before the change of a link: mean error", "% of 1.9 m"),
        Claim("before max", "before the change of a link: largest error", "% of 1.9 m"),
        *(claim for changed in CHANGED for side in SIDES for start in (TRAINED, NEW)
          for claim in _claims(changed, side, start)),
    ),
    measure=measure,
)  # fmt: skip

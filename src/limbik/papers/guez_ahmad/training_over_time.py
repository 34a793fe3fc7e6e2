"""The epochs at which the paper's 5 and 10 % occur, with 20 x 20 examples and with 10 x 10."""

from functools import partial

import numpy as np

from limbik.papers.claim import Cell, Claim
from limbik.papers.guez_ahmad.graphs import draw_training
from limbik.papers.guez_ahmad.printed import MAX_PERCENT, MEAN_PERCENT
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.training import PAPER, begun, errors, starts
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.backpropagation import BackPropagation

EPOCHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000, 2000, PAPER)
QUICK_EPOCHS = tuple(epochs for epochs in EPOCHS if epochs <= 1000)
SIDES = (20, 10)
# The grid on which errors are measured; coarser than elsewhere, because there are many networks.
TESTED = 51


def measure(setting: Setting) -> Findings:
    """Train, and measure errors after many numbers of epochs."""
    values: dict[str, float] = {}
    curves = {}
    checked = QUICK_EPOCHS if setting.quick else EPOCHS
    for side in SIDES:
        x = TWO_LINKS.places(side)
        training = BackPropagation().begin(begun(TWO_LINKS, starts(setting)), x, TWO_LINKS.postures(x))
        rows = []
        for epochs in checked:
            training.run(epochs - training.epoch)
            found = errors(TWO_LINKS, training.networks, TESTED)
            rows.append((*found.typical, found.mean.min(), found.mean.max(), found.max.min(), found.max.max()))
        table = np.array(rows)
        curves[side] = table
        average, most = (
            int(np.abs(np.log(table[:, k] / p)).argmin()) for k, p in ((0, MEAN_PERCENT), (1, MAX_PERCENT))
        )
        values |= {
            f"{side} mean at": float(checked[average]),
            f"{side} mean": table[average, 0],
            f"{side} then max": table[average, 1],
            f"{side} max at": float(checked[most]),
            f"{side} max": table[most, 1],
            f"{side} then mean": table[most, 0],
        }
    return Findings(values, (Picture("training_over_time", partial(draw_training, checked, curves)),))


def _claims(side: int) -> tuple[Claim, ...]:
    table = f"two links, {side} x {side} examples: errors [% of 1.9 m] after some epochs"
    average, most = "where the mean is nearest to 5 %", "where the largest is nearest to 10 %"

    def claim(key: str, line: str, column: str, unit: str, paper: float | None) -> Claim:
        return Claim(f"{side} {key}", f"{table}, {line}: {column}", unit, paper, None, Cell(table, line, column))

    return (
        claim("mean at", average, "epochs", "epochs", None),
        claim("mean", average, "mean", "% of 1.9 m", MEAN_PERCENT),
        claim("then max", average, "largest", "% of 1.9 m", MAX_PERCENT),
        claim("max at", most, "epochs", "epochs", None),
        claim("then mean", most, "mean", "% of 1.9 m", MEAN_PERCENT),
        claim("max", most, "largest", "% of 1.9 m", MAX_PERCENT),
    )


EXPERIMENT = Experiment(
    name="training over time",
    claims=tuple(claim for side in SIDES for claim in _claims(side)),
    measure=measure,
)

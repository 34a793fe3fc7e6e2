"""The ability "to generalize from a scarce set of data points" (feature iii): the error against the number of examples.

Every network is trained with as many examples in total as in 5,000 epochs of 20 x 20. Others learn from random postures
and their tips by forward kinematics, so they need no programmed inverse kinematics (feature i): of the branch alone,
and of both branches, between which forward kinematics does not choose.
"""

from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim
from limbik.papers.guez_ahmad.graphs import draw_scarce
from limbik.papers.guez_ahmad.quadrant import TWO_LINKS
from limbik.papers.guez_ahmad.tabled import columns
from limbik.papers.guez_ahmad.training import EXAMPLES, ITERATIONS, PAPER, Errors, begun, chosen, errors, starts
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.marquardt_training import MarquardtTraining

SIDES = (4, 5, 7, 10, 14, 20, 28, 40)
SHOWN, QUICK_SHOWN = PAPER * EXAMPLES**2, 250 * EXAMPLES**2
QUICK_ITERATIONS = 40
# The postures that networks learn from by forward kinematics alone.
FORWARD = {"forward": "one branch", "both branches": "both branches"}


def measure(setting: Setting) -> Findings:
    """Train with grids of several sizes."""
    shown = setting.size(SHOWN, QUICK_SHOWN)
    values: dict[str, float] = {}
    curves: dict[str, list[tuple[float, float]]] = {"back-propagation": [], "Levenberg-Marquardt": []}
    most = setting.size(ITERATIONS, QUICK_ITERATIONS)
    for side in SIDES:
        x = TWO_LINKS.places(side)
        y = TWO_LINKS.postures(x)
        training = BackPropagation().begin(begun(TWO_LINKS, starts(setting)), x, y)
        training.run(shown // len(x))
        found = errors(TWO_LINKS, training.networks)
        values |= dict(zip((f"{side} mean", f"{side} max"), found.typical, strict=True))
        curves["back-propagation"].append(found.typical)
        networks = MarquardtTraining().train_all(begun(TWO_LINKS, starts(setting), "linear"), x, y, most)
        best = _of(errors(TWO_LINKS, networks), chosen(TWO_LINKS, networks))
        values |= dict(zip((f"{side} lm mean", f"{side} lm max"), best, strict=True))
        curves["Levenberg-Marquardt"].append(best)
    for name, q in zip(FORWARD, random_postures(setting), strict=True):
        x = np.stack([np.hypot(*tips(q).T), np.arctan2(*tips(q).T[::-1])], axis=-1)
        networks = MarquardtTraining().train_all(begun(TWO_LINKS, starts(setting), "linear"), x, q, most)
        of_chosen = _of(errors(TWO_LINKS, networks), chosen(TWO_LINKS, networks))
        values |= dict(zip((f"{name} mean", f"{name} max"), of_chosen, strict=True))
    counts = [side**2 for side in SIDES]
    return Findings(values, (Picture("examples_needed", partial(draw_scarce, counts, curves)),))


def random_postures(setting: Setting) -> tuple[Array, Array]:
    """Return 400 random postures with tips in the quadrant: of the trained branch, and every second of the other."""
    low, high = TWO_LINKS.ranges(EXAMPLES)[1]
    q = setting.rng().uniform([low[0] - np.pi / 2, low[1]], high, (20 * EXAMPLES**2, 2))
    q = q[(tips(q) >= 0.0).all(axis=1)][: EXAMPLES**2]
    mirrored = np.array(q)
    at = tips(q)[::2]
    mirrored[::2] = np.stack([2.0 * np.arctan2(at[:, 1], at[:, 0]) - q[::2, 0], -q[::2, 1]], axis=-1)
    return q, mirrored


def tips(q: Array) -> Array:
    """Return the tips of postures in X and Y [m]."""
    return np.asarray(TWO_LINKS.arm.forward(q)[:, :2, 3])


def _of(found: Errors, start: int) -> tuple[float, float]:
    return float(found.mean[start]), float(found.max[start])


TABLE = "two links by number of examples"
COLUMNS = (
    ("mean", "back-propagation, mean"),
    ("max", "back-propagation, largest"),
    ("lm mean", "Levenberg-Marquardt, mean"),
    ("lm max", "Levenberg-Marquardt, largest"),
)
EXPERIMENT = Experiment(
    name="number of examples",
    claims=(
        *(claim for side in SIDES for claim in columns(TABLE, str(side), f"{side} x {side}", "% of 1.9 m", COLUMNS)),
        *(Claim(f"{name} {key}", f"two links, 400 random postures by forward kinematics, {text}: {word}", "% of 1.9 m")
          for name, text in FORWARD.items() for key, word in (("mean", "mean error"), ("max", "largest error"))),
    ),
    measure=measure,
)  # fmt: skip

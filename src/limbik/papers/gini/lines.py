"""Straight lines in steps of 2.5 cm (section 5: "easily executed for points at 2.5 cm apart")."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, at_most
from limbik.papers.gini.arm import CM
from limbik.papers.gini.printed import LINE_STEP, WANTED
from limbik.papers.gini.tracking import by_default, by_descent, by_gauss_newton
from limbik.papers.paper import Experiment, Findings, Setting

# The lines are not printed. Ours: from a point in front of the chest to the right, forward and up, eight steps each [cm].
FROM = (-10.0, 30.0, -25.0)
LINES = {"lateral": (1.0, 0.0, 0.0), "forward": (0.0, 1.0, 0.0), "upward": (0.0, 0.0, 1.0)}
COUNT = 8
STEPS = 11


def points(direction: tuple[float, ...]) -> Array:
    """Return the points of a line, (COUNT + 1, 3) [m]."""
    return np.asarray((np.array(FROM) + np.arange(COUNT + 1)[:, None] * LINE_STEP * np.array(direction)) * CM)


def measure(setting: Setting) -> Findings:
    """Follow each line by each method."""
    values: dict[str, float] = {}
    for name, direction in LINES.items():
        path = points(direction)
        values[f"{name} descent"] = by_descent(path, STEPS).mean
        newton, closed = by_gauss_newton(path, 3), by_default(path)
        values[f"{name} newton"] = newton.worst if newton.inside else np.inf
        values[f"{name} closed"] = closed.worst if closed.inside else np.inf
    return Findings(values)


EXPERIMENT = Experiment(
    name="lines",
    claims=tuple(
        claim
        for name in LINES
        for claim in (
            Claim(
                f"{name} descent",
                f"{name} line, steps of 2.5 cm: descent with {STEPS} steps, mean error",
                "cm",
                WANTED,
                at_most(WANTED),
            ),
            Claim(
                f"{name} newton", f"{name} line: Gauss-Newton with 3 steps, largest error", "cm", None, at_most(1e-3)
            ),
            Claim(f"{name} closed", f"{name} line: closed form, largest error", "cm", None, at_most(1e-7)),
        )
    ),
    measure=measure,
    notes=("the paper does not give the lines.",),
)

"""Straight lines in steps of 2.5 cm (section 5: "easily executed for points at 2.5 cm apart")."""

from dataclasses import replace
from itertools import product

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, at_most
from limbik.papers.gini.arm import CM
from limbik.papers.gini.printed import LINE_STEP, WANTED
from limbik.papers.gini.steps import ALPHAS, MILLIMETRES, STATISTICS
from limbik.papers.gini.tracking import ALONG, by_default, by_descent, by_gauss_newton
from limbik.papers.paper import Experiment, Findings, Setting

# The lines are not printed. Ours: from a point in front of the chest to the right, forward and up, eight steps each [cm].
FROM = (-10.0, 30.0, -25.0)
LINES = {"lateral": (1.0, 0.0, 0.0), "forward": (0.0, 1.0, 0.0), "upward": (0.0, 0.0, 1.0)}
COUNT = 8
STEPS = 11
# The numbers of steps whose errors are compared.
COUNTED = (7, 11)


def points(direction: tuple[float, ...]) -> Array:
    """Return the points of a line, (COUNT + 1, 3) [m]."""
    return np.asarray((np.array(FROM) + np.arange(COUNT + 1)[:, None] * LINE_STEP * np.array(direction)) * CM)


def measure(setting: Setting) -> Findings:
    """Follow each line by each method."""
    values: dict[str, float] = {}
    for name, direction in LINES.items():
        path = points(direction)
        run = by_descent(path, STEPS)
        values[f"{name} descent"], values[f"{name} descent max"] = run.mean, run.worst
        for steps, alpha in product(COUNTED, ALPHAS):
            run = by_descent(path, steps, replace(ALONG, alpha=alpha))
            values[f"{name} {steps} {alpha:g} mean"], values[f"{name} {steps} {alpha:g} max"] = run.mean, run.worst
        newton, closed = by_gauss_newton(path, 3), by_default(path)
        values[f"{name} newton"] = newton.worst if newton.inside else np.inf
        values[f"{name} closed"] = closed.worst if closed.inside else np.inf
    return Findings(values)


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for name in LINES:
        what = f"{name} line, steps of 2.5 cm: descent with {STEPS} steps"
        claims += [
            Claim(f"{name} descent", f"{what}, mean error", "cm", WANTED, at_most(WANTED)),
            Claim(f"{name} descent max", f"{what}, largest error", "cm"),
            Claim(f"{name} newton", f"{name} line: Gauss-Newton with 3 steps, largest error", "cm"),
            Claim(f"{name} closed", f"{name} line: closed form, largest error", "cm", None, at_most(1e-7)),
        ]
        for steps, alpha, statistic in product(COUNTED, ALPHAS, STATISTICS):
            line = f"{name}, {steps} steps, {statistic}"
            column = f"alpha {MILLIMETRES * alpha:g} mm"
            claims.append(
                Claim(f"{name} {steps} {alpha:g} {statistic}", f"{line}, {column}", "cm", None, None,
                      Cell("lines with points 2.5 cm apart: error of the descent [cm]", line, column))
            )  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="lines",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper gives neither the lines, nor their precision, nor the steps: its 1 cm and its 11 steps are taken.",
    ),
)

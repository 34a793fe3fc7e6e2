"""How many steps of the descent keep 1 cm on a circle (section 6), in every reading of what the paper leaves open.

The paper prints neither the number of points of a circle, nor alpha, nor Sub(i), nor the first posture, nor whether its 1 cm
is the mean (16) or the largest error. The descent is run for each of these, with 3 to 11 steps at every point.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.gini.arm import circle
from limbik.papers.gini.printed import CENTRES, DIAMETER, LINE_STEP, STEPS, WANTED
from limbik.papers.gini.tracking import ALONG, BEGINNINGS, by_descent
from limbik.papers.paper import Experiment, Findings, Setting

# Points of a lap: 2.5 cm apart, the only distance that the paper prints (of lines), and closer.
LAPS_OF = (round(np.pi * DIAMETER / LINE_STEP), 50, 100)
# alpha of (17) [m].
ALPHAS = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3)
SUBSETS = {"all": "four muscles a step", "pairs": "couples"}
# Whether a temperature scales the step; without one, (17) is as printed.
TEMPERATURES = {True: "cooling step", False: "constant step"}
MILLIMETRES = 1e3
COUNTS = tuple(range(min(STEPS), max(STEPS) + 1))
# Errors of a lap [cm]: the paper's E (16), and the largest.
STATISTICS = ("mean", "max")


@dataclass(frozen=True)
class Reading:
    """One reading of the paper. points: of a lap. subsets: Sub(i). cools: whether the temperature scales the step.

    beginning: which posture at the first point.
    """

    centre: tuple[float, ...]
    points: int
    subsets: str
    cools: bool
    beginning: str

    @property
    def line(self) -> str:
        """The reading without its circle."""
        return f"{self.points} points, {SUBSETS[self.subsets]}, {TEMPERATURES[self.cools]}, {self.beginning}"

    @property
    def circle(self) -> str:
        """The circle."""
        return f"({', '.join(f'{x:g}' for x in self.centre)})"

    def errors(self, steps: int, alpha: float) -> Array:
        """Return the errors along a lap, (points,) [cm]."""
        settings = replace(ALONG, alpha=alpha, subsets=self.subsets, annealing=self.cools)
        return by_descent(circle(self.centre, self.points), steps, settings, self.beginning).errors


def all_readings() -> Iterator[Reading]:
    """Yield every reading, the circles of one after another."""
    for points, subsets, cools, beginning, centre in product(LAPS_OF, SUBSETS, TEMPERATURES, BEGINNINGS, CENTRES):
        yield Reading(centre, points, subsets, cools, beginning)


def least_steps(kept: list[bool]) -> float:
    """Return the number of steps from which on the error stays within the wanted centimetre; inf for none. kept: by COUNTS."""
    found = np.inf
    for steps, good in reversed(list(zip(COUNTS, kept, strict=True))):
        if not good:
            break
        found = float(steps)
    return found


def measure(setting: Setting) -> Findings:
    """Follow a lap of each circle in every reading with every alpha. A quick run does the same: a lap takes milliseconds."""
    kept: dict[tuple[Reading, str, float], list[bool]] = {}
    few: dict[tuple[Reading, str], float] = {}
    for reading, alpha in product(all_readings(), ALPHAS):
        errors = [reading.errors(steps, alpha) for steps in COUNTS]
        for statistic, value in (("mean", np.mean), ("max", np.max)):
            by_count = [float(value(e)) for e in errors]
            kept[reading, statistic, alpha] = [error <= WANTED for error in by_count]
            few[reading, statistic] = min(few.get((reading, statistic), np.inf), by_count[0])
    values: dict[str, float] = {}
    for statistic in STATISTICS:
        for reading in all_readings():
            values[f"{reading.line}, {reading.circle}, {statistic}"] = min(
                least_steps(kept[reading, statistic, alpha]) for alpha in ALPHAS
            )
            values[f"{reading.line}, {reading.circle}, {statistic}, few"] = few[reading, statistic]
        for alpha, steps in product(ALPHAS, STEPS):
            good = [kept[reading, statistic, alpha][COUNTS.index(steps)] for reading in all_readings()]
            values[f"alpha {alpha:g}, {steps}, {statistic}"] = 100.0 * float(np.mean(good))
    return Findings(values)


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    title = "steps from which on the error of a lap stays within 1 cm, at the best alpha (the paper: 7)"
    for statistic, reading in product(STATISTICS, all_readings()):
        what = f"{reading.line}, circle {reading.circle}: least steps for a {statistic} error of 1 cm"
        claims.append(
            Claim(f"{reading.line}, {reading.circle}, {statistic}", what, "steps", None, None,
                  Cell(title, reading.line, f"{statistic} {reading.circle}"))
        )  # fmt: skip
    title = f"error of a lap with {COUNTS[0]} steps at the best alpha [cm]"
    for statistic, reading in product(STATISTICS, all_readings()):
        what = f"{reading.line}, circle {reading.circle}: {statistic} error with {COUNTS[0]} steps"
        claims.append(
            Claim(f"{reading.line}, {reading.circle}, {statistic}, few", what, "cm", None, None,
                  Cell(title, reading.line, f"{statistic} {reading.circle}"))
        )  # fmt: skip
    title = "readings and circles in which a lap stays within 1 cm [%], by alpha and steps"
    for statistic, alpha, steps in product(STATISTICS, ALPHAS, STEPS):
        line = f"alpha {MILLIMETRES * alpha:g} mm"
        what = f"{line}: readings in which {steps} steps keep a {statistic} error of 1 cm"
        claims.append(Claim(f"alpha {alpha:g}, {steps}, {statistic}", what, "%", None, None,
                            Cell(title, line, f"{statistic}, {steps} steps")))  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="steps",
    claims=_claims(),
    measure=measure,
    notes=(
        f"the paper does not print the points of a lap, alpha, Sub(i), the first posture, or whether its 1 cm is the mean "
        f"(16) or the largest error. {LAPS_OF[0]} points are 2.5 cm apart, the distance that the paper prints for lines. "
        f"'none': {max(COUNTS)} steps do not keep 1 cm with any alpha.",
        "'constant step' is (17) as printed; with 'cooling step' the temperature scales the term with alpha, as limbik does.",
    ),
)

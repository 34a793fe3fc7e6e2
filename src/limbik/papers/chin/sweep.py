"""What the thesis leaves open, swept: directions of the line, stop rules, exact or differenced gradients.

A reading is one choice of all three. Each method runs along the line of ten targets in every reading. Directions are spread
evenly over those that keep all targets in reach, and include those that the thesis prints: Translate(1, 1, 0) of Example 1 and
of abduction, and Translate(0, 1, 1) of flexion.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi, sqrt
from typing import cast

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin import methods
from limbik.papers.chin.arm import UNIT
from limbik.papers.chin.methods import Contestant
from limbik.papers.chin.trajectory import REACHED, LineRun, nearest_turns, run_along
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The sums of squares at which methods end [units and radians, squared]; STOP is that of the tables.
STOPS = (1e-4, methods.STOP, 1e-12)
QUICK_STOPS = (1e-4, methods.STOP)
# The number of directions.
DIRECTIONS, QUICK_DIRECTIONS = 20, 5
# A method may end with an error of this many roots of the sum of squares at which it ends.
ROOTS = 2.0
GOLDEN_ANGLE = pi * (3.0 - sqrt(5.0))


@dataclass(frozen=True)
class Case:
    """A chain and a residual. steepest: the largest angle between a direction and `towards` at which ten targets are in reach.

    At residual 200 the vertical line is left out: it leads through the shoulder, where the arm cannot fold far enough.

    planar: whether the directions lie in the x-y plane. printed: directions that come first.
    """

    name: str
    model: str
    unit: float
    residual: float
    objective: str
    towards: tuple[float, float, float]
    steepest: float
    planar: bool = False
    printed: tuple[tuple[float, float, float], ...] = ()


PRINTED = ((1.0, 1.0, 0.0), (0.0, 1.0, 1.0), (0.0, 1.0, 0.0))
UP, DOWN = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
SIX_4 = Case("6 joints, residual 4", "human_arm_6", UNIT, 4.0, "5.22", UP, np.radians(80), printed=PRINTED)
SIX_200 = Case("6 joints, residual 200", "human_arm_6", UNIT, 200.0, "5.22", UP, np.radians(49), printed=PRINTED[:2])
EIGHT = Case("8 joints, residual 4", "human_arm_8", UNIT, 4.0, "5.26", UP, pi, printed=PRINTED)
THREE = Case("3 joints, residual 4", "planar3_chin", 1.0, 4.0, "5.22", DOWN, np.radians(55), True, ((1.0, -1.0, 0.0),))
CASES = (SIX_4, SIX_200, EIGHT, THREE)

METHODS: tuple[Contestant, ...] = (
    methods.NEWTON,
    methods.BFGS,
    replace(methods.POWELL_STOPPED, name="POWELL"),
    methods.FRPRM,
    *methods.PRAXIS,
    methods.FLETCHER,
    methods.BROYDN,
)


@dataclass(frozen=True)
class Reading:
    """A direction (3,) of length 1, the sum of squares at which methods end, and whether gradients are exact."""

    direction: tuple[float, float, float]
    stop: float
    exact: bool

    @property
    def tolerance(self) -> float:
        """The largest error of a pose that counts as reached [units, and radians]."""
        return max(REACHED, ROOTS * sqrt(self.stop))


@dataclass(frozen=True)
class Outcome:
    """The runs of a reading by the names of the methods, without and with Broyden's box."""

    reading: Reading
    runs: Mapping[str, LineRun]

    def met(self, name: str) -> bool:
        """Return whether a method ended below its sum of squares at every target."""
        run = self.runs[name]
        return bool((run.value <= self.reading.stop).all()) and run.reached == len(run.value)

    def mean(self, name: str, column: str) -> float:
        """Return the mean of a method's counts per target."""
        return float(getattr(self.runs[name], column).mean())


def directions(case: Case, count: int) -> list[tuple[float, float, float]]:
    """Return directions of a case: those that are printed, then others spread over the cone (or the fan) in which it may move."""
    found = [_unit(d) for d in case.printed][:count]
    rest = count - len(found)
    towards = np.array(case.towards)
    for k in range(rest):
        if case.planar:
            angle = case.steepest * (2.0 * (k + 0.5) / rest - 1.0)
            side = np.array([towards[1], -towards[0], 0.0])
            d = np.cos(angle) * towards + np.sin(angle) * side
        else:
            height = 1.0 - (1.0 - np.cos(case.steepest)) * (k + 0.5) / rest
            around = GOLDEN_ANGLE * k
            flat = np.sqrt(1.0 - height**2)
            d = np.array([flat * np.cos(around), height * towards[1], flat * np.sin(around)])
        found.append(_unit(d))
    return found


def _unit(d: Array | tuple[float, ...]) -> tuple[float, float, float]:
    x, y, z = (np.array(d) / np.linalg.norm(d)).tolist()
    return x, y, z


@lru_cache(maxsize=16)
def swept(case: Case, quick: bool) -> tuple[Outcome, ...]:
    """Return the outcome of every reading of a case."""
    return tuple(_outcomes(case, quick))


@lru_cache(maxsize=128)
def needed(case: Case, direction: tuple[float, float, float]) -> Array:
    """Return the largest joint rotation that the closed form's nearest posture needs to each target [deg]; of 6 or 3 joints."""
    arm = cast(Chain, load(case.model))
    return nearest_turns(arm, _step(case, direction), case.unit)


def _step(case: Case, direction: tuple[float, float, float]) -> tuple[float, ...]:
    return tuple((sqrt(case.residual) * np.array(direction)).tolist())


def _outcomes(case: Case, quick: bool) -> Iterator[Outcome]:
    arm = cast(Chain, load(case.model))
    contestants = [replace(c, objective=case.objective) for c in METHODS]
    if case is SIX_200:
        contestants.append(methods.BROYDN_BOX)
    for direction in directions(case, QUICK_DIRECTIONS if quick else DIRECTIONS):
        step = _step(case, direction)
        for stop in QUICK_STOPS if quick else STOPS:
            without: dict[str, LineRun] = {}
            for exact in (True, False):
                reading = Reading(direction, stop, exact)
                runs = dict(without)
                for c in contestants:
                    if c.name in runs:  # without derivatives both are the same
                        continue
                    found = run_along(arm, step, c.at(stop, not exact), case.unit, reading.tolerance)
                    runs[c.name] = found
                    if not c.derivatives:
                        without[c.name] = found
                yield Outcome(reading, runs)

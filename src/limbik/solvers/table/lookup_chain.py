"""The data of a chain that a table needs."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from limbik._core import ROTATION_TOLERANCE, Candidates, Kernel, TableLayout, TableSolver
from limbik.model.model import Model, position_tolerance
from limbik.model.ranges import Ranges
from limbik.model.reach import Reach


class Arm(Protocol):
    """What a table design needs of a chain: its model. Stages keep it, so it is picklable."""

    @property
    def model(self) -> Model: ...


@dataclass(frozen=True, eq=False)
class ModelArm:
    """An `Arm` made of a model."""

    model: Model


@dataclass(frozen=True)
class LookupChain:
    """The parts of a chain that a table is made from, as the core takes them.

    low, high: (n,) the finite range from which postures are sampled [rad or m]. scale: the chain's length [m].
    """

    kernel: Kernel
    ranges: Ranges
    reach: Reach
    low: list[float]
    high: list[float]
    scale: float

    @property
    def layout(self) -> TableLayout:
        """The reduced coordinates of a target, which index a table."""
        return TableLayout(self.kernel, self.scale)

    def solver(
        self,
        table: Candidates,
        *,
        limits: bool = True,
        position: float | None = None,
        rotation: float | None = None,
        method: str = "table",
    ) -> TableSolver:
        """Return the solver that corrects and verifies candidates.

        position [m], rotation [rad]: tolerances; the defaults if None. method: the name of the method in its answers.
        """
        n = len(self.low)
        lower, upper = self.ranges.lower, self.ranges.upper
        if not limits:
            lower, upper = np.full(n, -math.inf), np.full(n, math.inf)
        return TableSolver(
            self.kernel,
            table,
            lower.tolist(),
            upper.tolist(),
            self.ranges.home.tolist(),
            self.scale,
            position_tolerance(self.reach) if position is None else position,
            ROTATION_TOLERANCE if rotation is None else rotation,
            method,
        )


def lookup_chain(model: Model) -> LookupChain:
    """Return the parts of a chain from which its table is made."""
    reach = model.reach
    scale = reach.span if math.isfinite(reach.span) and reach.span > 0 else 1.0
    low, high = model.ranges.drawing(scale)
    return LookupChain(model.kernel, model.ranges, reach, low.tolist(), high.tolist(), scale)

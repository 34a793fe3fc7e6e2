"""A trust region inside the limits: least squares by reflection (Branch, Coleman and Li 1999), SciPy's.

Each step minimises |r + J dx| within a region scaled by the distance to the limits, so limits shorten steps before they are
reached; steps that would violate a limit are reflected. Iterates stay strictly inside: a solution on a limit is only approached.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.recorded import Recorded


def _region(joints: int) -> str:
    """Return SciPy's name of the solver for the trust-region step.

    "exact" divides by the damping of a redundant arm's null space; "lsmr" searches a plane, which needs two joints.
    """
    return "exact" if joints == 1 else "lsmr"


@dataclass(frozen=True)
class Trf(Iterative):
    """Stops below the relative `change` of the value or of x, below `gradient`, or after `evaluations`."""

    name = "trf"
    title = "trust region inside the limits, by reflection (TRF)"

    change: float = 1e-15
    gradient: float = 1e-15
    evaluations: int = 300

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step of the routine, which evaluates the Jacobian once per step."""
        from scipy.optimize import least_squares

        record = Recorded(problem, x)
        if not record.moving.any():
            return

        def jacobian(part: Array) -> Array:
            full = record.whole(part)
            record.keep(full)
            return problem.jacobian(full)[:, record.moving]

        least_squares(
            lambda part: problem.residual(record.whole(part)),
            record.start,
            jac=jacobian,
            method="trf",
            tr_solver=_region(int(record.moving.sum())),
            bounds=(record.lower, record.upper),
            ftol=self.change,
            xtol=self.change,
            gtol=self.gradient,
            max_nfev=self.evaluations,
        )
        yield from record.iterates(1)  # the first is the start

"""Sequential quadratic programming inside the limits: SLSQP (Kraft 1988), SciPy's.

Minimises f = r'r subject to lower <= x <= upper: each step solves a least-squares problem with the limits as linear
constraints and a Hessian updated as in BFGS, then searches along the line to its solution. The limits are kept in every step.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.recorded import Recorded


@dataclass(frozen=True)
class Sqp(Iterative):
    """Stops when the value changes by less than `value`, or after `steps`."""

    name = "sqp"
    title = "sequential quadratic programming inside the limits (SLSQP)"

    value: float = 1e-22
    steps: int = 300

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step of the routine."""
        from scipy.optimize import minimize

        record = Recorded(problem, x)
        if not record.moving.any():
            return

        # the routine evaluates the value and the gradient at the same x, one after the other
        known: dict[bytes, Array] = {}

        def value(part: Array) -> float:
            r = problem.residual(record.whole(part))
            known.clear()
            known[part.tobytes()] = r
            return float(r @ r)

        def gradient(part: Array) -> Array:
            return problem.gradient(record.whole(part), known.get(part.tobytes()))[record.moving]

        minimize(
            value,
            record.start,
            jac=gradient,
            method="SLSQP",
            bounds=list(zip(record.lower, record.upper, strict=True)),
            options={"maxiter": self.steps, "ftol": self.value},
            callback=lambda part: record.keep(record.whole(part)),
        )
        yield from record.iterates()

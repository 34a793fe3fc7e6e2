"""Sequential quadratic programming inside the limits: SLSQP (Kraft 1988), SciPy's.

Minimises f = r'r subject to lower <= x <= upper: each step solves a least-squares problem with the limits as linear
constraints and a Hessian updated as in BFGS, then searches along the way to its answer. The limits are kept in every step.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.recorded import Recorded


@dataclass(frozen=True)
class Settings:
    """When it ends: a value that changes by less than this, or so many steps."""

    value: float = 1e-22
    steps: int = 300


SETTINGS = Settings()


def steps(problem: Problem, x: Array, settings: Settings) -> Iterator[Array]:
    """Yield x after every step of the routine."""
    from scipy.optimize import minimize

    x = problem.inside(x)
    moving = problem.lower < problem.upper
    if not moving.any():
        return
    record = Recorded(problem)

    def whole(part: Array) -> Array:
        full = np.array(x)
        full[moving] = part
        return problem.inside(full)

    # the value and the gradient are asked for at the same place, one after the other
    known: dict[bytes, Array] = {}

    def value(part: Array) -> float:
        r = problem.residual(whole(part))
        known.clear()
        known[part.tobytes()] = r
        return float(r @ r)

    def gradient(part: Array) -> Array:
        return problem.gradient(whole(part), known.get(part.tobytes()))[moving]

    minimize(
        value,
        x[moving],
        jac=gradient,
        method="SLSQP",
        bounds=list(zip(problem.lower[moving], problem.upper[moving], strict=True)),
        options={"maxiter": settings.steps, "ftol": settings.value},
        callback=lambda part: record.keep(whole(part)),
    )
    yield from record.told()

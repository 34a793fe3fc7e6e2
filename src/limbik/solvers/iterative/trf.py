"""A trust region inside the limits: least squares by reflection (Branch, Coleman and Li 1999), SciPy's.

Each step lowers |r + J dx| within a region whose shape is scaled by the distance to the limits, so that a joint feels its
limit before it is there; steps that would leave are reflected. Iterates stay strictly inside: an answer on a limit is only
approached.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.recorded import Recorded


@dataclass(frozen=True)
class Settings:
    """When it ends: relative changes of the value and of x, and a gradient, this small; or so many evaluations."""

    change: float = 1e-15
    gradient: float = 1e-15
    evaluations: int = 300


SETTINGS = Settings()


def steps(problem: Problem, x: Array, settings: Settings) -> Iterator[Array]:
    """Yield x after every step of the routine: it asks for the Jacobian once at each."""
    from scipy.optimize import least_squares

    x = problem.inside(x)
    moving = problem.lower < problem.upper
    if not moving.any():
        return
    record = Recorded(problem)

    def whole(part: Array) -> Array:
        full = np.array(x)
        full[moving] = part
        return problem.inside(full)

    def jacobian(part: Array) -> Array:
        full = whole(part)
        record.keep(full)
        return problem.jacobian(full)[:, moving]

    least_squares(
        lambda part: problem.residual(whole(part)),
        x[moving],
        jac=jacobian,
        method="trf",
        tr_solver="lsmr",  # the other one divides by the damping of a redundant arm's null space
        bounds=(problem.lower[moving], problem.upper[moving]),
        ftol=settings.change,
        xtol=settings.change,
        gtol=settings.gradient,
        max_nfev=settings.evaluations,
    )
    yield from record.told(1)  # the first is the start

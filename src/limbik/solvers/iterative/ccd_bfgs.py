"""Cyclic coordinate descent until it is near, then BFGS (Wang and Chen 1991).

Either does what the other cannot: sweeps over single joints come near from any start, and keep the ranges while they do;
BFGS goes the last way quickly, but only from nearby. The change is made when the value is small, or when sweeps have become
slow. BFGS knows no ranges; near the goal it seldom needs them, and whether they were kept is checked as for every method.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative import bfgs, ccd, quasi_newton
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class Settings:
    """When BFGS takes over: a value this small, a sweep that lowers it by less than this share, or so many sweeps."""

    near: float = 1e-3
    progress: float = 0.02
    sweeps: int = 60
    finish: quasi_newton.Settings = bfgs.SETTINGS


SETTINGS = Settings()


def steps(problem: Problem, x: Array, settings: Settings) -> Iterator[Array]:
    """Yield x after every sweep, then after every step of BFGS."""
    sweeps = ccd.Settings(value=settings.near, progress=settings.progress, steps=settings.sweeps)
    for after in ccd.steps(problem, x, sweeps):
        x = after
        yield x
    yield from bfgs.steps(problem, problem.inside(x), settings.finish)

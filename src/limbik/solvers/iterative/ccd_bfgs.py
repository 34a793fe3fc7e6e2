"""Cyclic coordinate descent until it is near, then BFGS (Wang and Chen 1991).

Either does what the other cannot: sweeps over single joints come near from any start, and keep the ranges while they do;
BFGS goes the last way quickly, but only from nearby. The change is made when the value is small, or when sweeps have become
slow. BFGS knows no ranges; near the goal it seldom needs them, and whether they were kept is checked as for every method.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.bfgs import Bfgs
from limbik.solvers.iterative.ccd import Ccd
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem


@dataclass(frozen=True)
class CcdBfgs(Iterative):
    """When BFGS takes over: a value this small, a sweep that lowers it by less than this share, or so many sweeps."""

    name = "ccd_bfgs"
    title = "cyclic coordinate descent until near, then BFGS"

    near: float = 1e-3
    progress: float = 0.02
    sweeps: int = 60
    finish: Bfgs = field(default_factory=Bfgs)

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every sweep, then after every step of BFGS."""
        sweeps = Ccd(value=self.near, progress=self.progress, steps=self.sweeps)
        for after in sweeps.iterate(problem, x):
            x = after
            yield x
        yield from self.finish.iterate(problem, problem.inside(x))

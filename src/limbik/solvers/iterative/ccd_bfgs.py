"""Cyclic coordinate descent, then BFGS near the target (Wang and Chen 1991).

The two complement each other: sweeps approach the target from any start and keep the limits; BFGS converges fast, but only from
nearby. The method switches when the value is small, or when sweeps have become slow. BFGS ignores the limits; near the target it
seldom violates them, and the verification checks them as for every method.
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
    """BFGS follows below the value `near`, after a sweep with less than the share `progress`, or after `sweeps`."""

    name = "ccd_bfgs"
    title = "cyclic coordinate descent, then BFGS near the target"

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

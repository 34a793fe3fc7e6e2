"""PRAXIS: the principal axis method (Brent 1973), by NLopt.

Powell's method, with the directions replaced from time to time by the principal axes of the estimated quadratic, so that they
never become dependent. It needs no derivatives. NLopt's LN_PRAXIS is a maintained version of Brent's program. It draws random
numbers from a seed that is set here before every run. It keeps the limits, because joints without influence would drift far.

NLopt does not report its iterations: a step is a configuration (posture) with a lower value than all before. The routine runs to
its end first; its steps are yielded afterwards, each with its count of evaluations.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from limbik.formats.source import need
from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem

# Bound of the numbers [rad, or half spans].
FAR = 1e6


@dataclass(frozen=True)
class Praxis(Iterative):
    """Stops below `value` or after `evaluations`. first: the initial step [rad, or half spans].

    seed: of NLopt's random numbers.
    """

    name = "praxis"
    title = "Brent's principal axes, no derivatives; by NLopt"

    value: float = 1e-20
    evaluations: int = 5000
    first: float = 0.1
    seed: int = 1973

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield every x with a lower value than all before. Raises MissingExtra without NLopt."""
        need("nlopt", "methods", "method='praxis'")
        import nlopt

        least = problem.value(x)
        if least <= self.value:
            return
        found: list[tuple[Array, int]] = []

        def value(at: Array, _: Array) -> float:
            nonlocal least
            if not np.abs(at).max() < FAR:
                return np.inf
            here = problem.value(at)
            if here < least:
                least = here
                found.append((np.array(at), problem.evaluations))
            return here

        search = nlopt.opt(nlopt.LN_PRAXIS, problem.n)
        search.set_min_objective(value)
        search.set_stopval(self.value)
        search.set_maxeval(self.evaluations)
        search.set_initial_step(self.first)
        search.set_lower_bounds(problem.lower)
        search.set_upper_bounds(problem.upper)
        nlopt.srand(self.seed)
        with suppress(RuntimeError, nlopt.RoundoffLimited):  # limited by rounding: the result so far is kept
            search.optimize(problem.inside(x))
        spent = problem.evaluations
        for at, count in found:
            problem.evaluations = count
            yield at
        problem.evaluations = spent

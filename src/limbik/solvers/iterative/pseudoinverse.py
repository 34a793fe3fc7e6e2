"""The pseudoinverse of the Jacobian: resolved motion rate control (Whitney 1969), iterated to convergence.

The least-squares joint step of least norm is dx = J+ e, with J+ = V S+ U' from the singular value decomposition J = U S V'; S+
holds the reciprocals of the singular values, without those near 0. Near a solution it is Newton's method: the correct digits
double with each step. Near a singularity the reciprocals are large, so the step is bounded. Far from a solution it may increase
the error.

Errata of the thesis: (3.11) speaks of reciprocals of eigenvalues; singular values are meant. (3.12), A+ = lim (A'A + x^2
I)^-1 A', holds for x to 0, not to infinity. A Jacobian is singular when its rank is below full, not when it is zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.resolved_motion import bounded_steps


@dataclass(frozen=True)
class Pseudoinverse(Iterative):
    """Stops below `value` or `step`, or after `steps`.

    bound: the largest step of a number of x. negligible: singular values below this share of the greatest count as 0.
    """

    name = "pseudoinverse"
    title = "resolved motion: pseudoinverse of the Jacobian, bounded steps"

    value: float = 1e-20
    step: float = 1e-14
    steps: int = 200
    bound: float = 0.3
    negligible: float = 1e-7

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""

        def direction(J: Array, r: Array) -> Array:
            return np.asarray(-np.linalg.pinv(J, rcond=self.negligible) @ r)

        return bounded_steps(problem, x, self, direction)

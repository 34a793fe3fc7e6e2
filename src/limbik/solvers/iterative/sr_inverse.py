"""The singularity-robust inverse: damping only where the arm is near a singularity (Nakamura and Hanafusa 1986).

dx = J' (J J' + k I)^-1 e, with k by the manipulability w, the product of the singular values of J:

    k = k0 (1 - w / w0)^2 where w < w0, else 0.

Away from singularities it is the pseudoinverse, and converges as fast; near one it is damped least squares. w is often written
sqrt(det JJ'), which is 0 for every arm with fewer than six joints; the product over min(rows, joints) singular values is the same
where that is not 0, and is right for all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.resolved_motion import bounded_steps


@dataclass(frozen=True)
class SrInverse(Iterative):
    """damping: k0, manipulability: w0 above.

    Stops below `value` or `step`, or after `steps`. bound: the largest step of a number of x.
    negligible: undamped singular values below this share of the greatest count as 0.
    """

    name = "sr_inverse"
    title = "singularity-robust inverse: damping by manipulability"

    damping: float = 1e-2
    manipulability: float = 1e-3
    value: float = 1e-20
    step: float = 1e-14
    steps: int = 500
    bound: float = 0.5
    negligible: float = 1e-12

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""

        def direction(J: Array, r: Array) -> Array:
            U, s, V = np.linalg.svd(J, full_matrices=False)
            w = float(np.prod(s))
            k = self.damping * max(0.0, 1.0 - w / self.manipulability) ** 2
            kept = s > self.negligible * max(float(s[0]), 1e-300)
            return np.asarray(-V.T @ (np.where(kept, s, 0.0) / np.where(kept, s * s + k, 1.0) * (U.T @ r)))

        return bounded_steps(problem, x, self, direction)

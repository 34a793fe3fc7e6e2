"""Conjugate gradients after Fletcher and Reeves (1964): beta = g_new'g_new / g'g.

It is the first nonlinear method of conjugate gradients. After a short step it keeps the same bad direction, because beta stays
near 1; hence the restarts.

Erratum. It is (3.14) of Chin's thesis, which attributes (3.15), the formula of Polak and Ribiere, to Fletcher and Reeves.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.conjugate import ConjugateGradients, descend
from limbik.solvers.iterative.problem import Problem


def beta(new: Array, last: Array) -> float:
    """Return the share of the last direction that is kept."""
    return float(new @ new) / float(last @ last)


@dataclass(frozen=True)
class FletcherReeves(ConjugateGradients):
    """Conjugate gradients, Fletcher-Reeves."""

    name = "fletcher_reeves"
    title = "conjugate gradients, Fletcher-Reeves"

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, beta)

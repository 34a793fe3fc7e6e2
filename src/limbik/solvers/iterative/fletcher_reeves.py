"""Conjugate gradients after Fletcher and Reeves (1964): beta = g_new'g_new / g'g.

This is (3.14) of the thesis, which gives (3.15), Polak and Ribiere's, as Fletcher and Reeves'.

The first method of this kind. After a short step it keeps the same bad direction, because beta stays near 1; hence the restarts.
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

"""Conjugate gradients after Polak and Ribiere (1969): beta = g_new'(g_new - g) / g'g, and 0 where that is negative.

After a step with little change, beta is near 0 and the direction restarts by itself.

Errata. Chin's thesis calls the method "Fletcher-Reeves-Polak-Ribiere" and swaps the labels of (3.14) and (3.15): (3.14) is
Fletcher and Reeves', (3.15) Polak and Ribiere's. Step 6 of its box prints beta = g_new'g / g'g, with which it does not converge
at all; step 5 returns the last x but one. On the thesis' trajectory it is slow: the arm begins nearly straight, where the
curvatures of f differ by a factor of 400,000.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.conjugate import ConjugateGradients, descend
from limbik.solvers.iterative.problem import Problem


def beta(new: Array, last: Array) -> float:
    """Return the share of the last direction that is kept."""
    return max(0.0, float(new @ (new - last)) / float(last @ last))


@dataclass(frozen=True)
class Frprm(ConjugateGradients):
    """Conjugate gradients, Polak-Ribiere."""

    name = "frprm"
    title = "conjugate gradients, Polak-Ribiere"

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""
        yield from descend(problem, x, self, beta)

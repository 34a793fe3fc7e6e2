"""Learning from the solver's corrections: what the network offers for a target, made exact, is an example too.

A posture drawn at random teaches the head that is nearest to it where it happens to lie: on a redundant arm anywhere along the
family of postures of its target, so that a head learns a mean, which lies beside the family. The corrections of what the heads
themselves offer lie next to them, on the family; they pull each head onto it and across nothing. By themselves they would let
heads that are never the best forget their branch, so they make up half of what is learned.
"""

from functools import cached_property

import numpy as np

from limbik._core import PoseSolver, TargetView
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.iterative.levenberg_marquardt import make_solver
from limbik.solvers.neural.content import starts_of
from limbik.solvers.neural.learner import Learner

# The part of a step's examples that are corrections, of how many of a target's best postures, and the step from which on
# there are any: before, what the network offers is too far away to be worth it.
PART, BEST, BEGIN = 0.5, 4, 1000


class Corrections:
    """The solver of a chain, as a teacher."""

    def __init__(self, model: Model, view: TargetView) -> None:
        self._model, self._view = model, view

    @cached_property
    def _solver(self) -> PoseSolver:
        return make_solver(self._model)

    def mixed(self, learner: Learner, T: Array, q: Array) -> tuple[Array, Array]:
        """Return examples, (B, 4, 4) and (B, n), a part of which are replaced by corrections where the solver has found any."""
        best = min(BEST, learner.settings.heads)
        count = int(PART * len(T)) // best
        if not count:
            return T, q
        starts = starts_of(learner.network, learner.scale, learner.settings.heads, self._model, self._view, limits=True)
        asked = np.repeat(T[:count], best, axis=0)
        offered = starts.propose(T[:count], None, 1)[:, :best].reshape(-1, self._model.n)
        exact, solved, _ = self._solver.attempt_from(asked, offered, 1)
        asked, exact = asked[solved], exact[solved]
        kept = len(T) - len(exact)  # where it has not, postures at random stay
        return np.concatenate([asked, T[-kept:]]), np.concatenate([exact, q[-kept:]])

"""Training on the solver's corrections: proposals of the network, solved exactly, are further examples.

A random posture (configuration) trains the head closest to it. On a redundant arm it lies anywhere on the self-motion manifold of
its target, so a head learns a mean that lies off the manifold. Corrections of the heads' own proposals lie close to them, on the
manifold, and pull each head onto it. With corrections alone, heads that are never the best would lose their branch, so
corrections are half of the examples.
"""

from functools import cached_property

import numpy as np

from limbik._core import PoseSolver, TargetView
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.levenberg_marquardt import make_solver
from limbik.solvers.neural.content import starts_of
from limbik.solvers.neural.learner import Learner

# The share of corrections in a step's examples, the number of best proposals per target, and the first step with corrections:
# earlier proposals are too inaccurate.
PART, BEST, FIRST_STEP = 0.5, 4, 1000


class Corrections:
    """The source of corrected examples: the solver of a chain."""

    def __init__(self, model: Model, view: TargetView) -> None:
        self._model, self._view = model, view

    @cached_property
    def _solver(self) -> PoseSolver:
        return make_solver(self._model)

    def mixed(self, learner: Learner, T: Array, q: Array) -> tuple[Array, Array]:
        """Return examples, (B, 4, 4) and (B, n), a share of which is replaced by corrections that the solver found."""
        best = min(BEST, learner.settings.heads)
        count = int(PART * len(T)) // best
        if not count:
            return T, q
        starts = starts_of(learner.network, learner.scale, learner.settings.heads, self._model, self._view, limits=True)
        targets = np.repeat(T[:count], best, axis=0)
        proposals = starts.propose(T[:count], None, 1)[:, :best].reshape(-1, self._model.n)
        exact, solved, _ = self._solver.attempt_from(targets, proposals, 1)
        targets, exact = targets[solved], exact[solved]
        kept = len(T) - len(exact)  # of the random postures
        return np.concatenate([targets, T[-kept:]]), np.concatenate([exact, q[-kept:]])

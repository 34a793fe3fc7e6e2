"""What a chain does with a target: `solve`, `solve_batch`."""

import operator
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from limbik._core import Answer, PoseSolver
from limbik.errors import BadOption, shown
from limbik.model.reach import Reach, reach
from limbik.model.transform import number
from limbik.robot.kinematic import Kinematic
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.budget import Budget
from limbik.solvers.iterative.levenberg_marquardt import ROTATION_TOLERANCE, make_solver, position_tolerance
from limbik.solvers.preference import Preference, Score, Valid, checked_score, checked_valid
from limbik.solvers.registry import choose

NEAREST = "nearest"

# More threads than this do not help any batch.
MOST_THREADS = 256


class Solving(Kinematic):
    """The solving verbs of a chain."""

    @cached_property
    def _reach(self) -> Reach:
        return reach(self._compiled, self._compiled.tip)

    @cached_property
    def _limited(self) -> PoseSolver:
        return make_solver(self._compiled, self._ranges, self._reach)

    @cached_property
    def _unlimited(self) -> PoseSolver:
        return make_solver(self._compiled, self._ranges, self._reach, limits=False)

    def solve(
        self,
        T: Any,
        seed: Any = None,
        method: str | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Return a posture whose tip is at T, verified, or the nearest one with the reason.

        T: (4, 4) in the base frame. seed: where to start, and what `nearest` refers to; None means `home`. limits: keep
        joint limits. valid: a function of q that says whether a posture may be used (collisions ...); the next attempt is
        asked when it refuses. prefer: "nearest" (the seed's own solution first), "limits" (far from them), "manipulable",
        or a function of q whose greatest value wins among the solutions found. position_tolerance [m] and
        rotation_tolerance [rad]: what counts as reached; by default 1e-8 m (or 1e-9 of the reach, if that is more) and 1e-8.
        seconds: the time after which no further attempt is begun; answers then depend on the machine's speed.

        Not reaching T is an answer, not an error: see `answer.status` and `answer.why`. Raises NotRigid, ShapeError,
        NotFinite or BadOption for what cannot be meant.
        """
        if limits is True and position_tolerance is None and rotation_tolerance is None:
            solver = self._limited
        else:
            solver = self._solver(limits, position_tolerance, rotation_tolerance)
        if method is None and branch is None and valid is None and prefer is NEAREST and seconds is None:
            return solver.solve(T, seed)
        preference, budget = self._preference(method, branch, valid, prefer), Budget(seconds)
        answer = solver.solve(T, seed, 0, budget.left())
        if preference is None:
            return answer
        return preference.pick(answer, lambda first: solver.solve(T, seed, first, budget.left()), budget)

    def solve_batch(
        self,
        Ts: Any,
        seeds: Any = None,
        threads: int | None = None,
        *,
        method: str | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        invalid: str = "raise",
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
    ) -> BatchAnswer:
        """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit.

        seeds: None (home), one seed for all, or one per row. threads: None for as many as there are cores. invalid:
        "raise" names the first row that is no rigid pose, "mark" gives such rows the status INVALID. The other options
        are those of `solve`; `valid` and a function given as `prefer` are asked in this thread, one posture at a time,
        and `seconds` is for all rows together. Ctrl-C ends it.
        """
        preference = self._preference(method, branch, valid, prefer)
        if not isinstance(invalid, str) or invalid not in ("raise", "mark"):
            raise BadOption(f"invalid={shown(invalid)} is not known; use 'raise' or 'mark'")
        count = _threads(threads)
        solver, budget = self._solver(limits, position_tolerance, rotation_tolerance), Budget(seconds)
        found = solver.solve_batch(Ts, seeds, count, invalid == "mark", budget.left())
        batch = BatchAnswer(*found, choose(method).name)
        if preference is None:
            return batch
        starts = None if seeds is None else np.asarray(seeds, np.float64)

        def further(row: int) -> Callable[[int], Answer]:
            seed = starts[row] if starts is not None and starts.ndim == 2 else starts
            return lambda first: solver.solve(batch.target[row], seed, first, budget.left())

        solved = map(int, np.flatnonzero(batch.ok))
        return batch.replaced({row: preference.pick(batch[row], further(row), budget) for row in solved})

    @cached_property
    def _tolerant(self) -> dict[tuple[bool, float, float], PoseSolver]:
        """Solvers with tolerances of the caller's, kept because making one takes longer than a solve."""
        return {}

    def _solver(self, limits: object, position: float | None = None, rotation: float | None = None) -> PoseSolver:
        if not isinstance(limits, bool | np.bool_):
            raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
        if position is None and rotation is None:
            return self._limited if limits else self._unlimited
        key = (
            bool(limits),
            position_tolerance(self._reach) if position is None else number(position, "position_tolerance"),
            ROTATION_TOLERANCE if rotation is None else number(rotation, "rotation_tolerance"),
        )
        if not (key[1] > 0 and key[2] > 0):
            raise BadOption(f"tolerances must be above 0; got {key[1]:g} m and {key[2]:g} rad")
        if key not in self._tolerant:
            solver = make_solver(
                self._compiled, self._ranges, self._reach, limits=key[0], position=key[1], rotation=key[2]
            )
            self._tolerant[key] = solver
        return self._tolerant[key]

    def _preference(self, method: Any, branch: Any, valid: Any, prefer: Any) -> Preference | None:
        """Return what is wanted of a solution, None where the first one will do. Raises BadOption."""
        choose(method)
        if branch is not None:
            raise BadOption("branch= needs a closed form, which 'lm' has not; choose by seed= or prefer=")
        preference = Preference(checked_valid(valid), self._score(prefer))
        return None if preference == Preference() else preference

    def _score(self, prefer: Any) -> Score | None:
        """Return the function whose greatest value is preferred; None where the first solution is."""
        if callable(prefer):
            return checked_score(prefer)
        if not isinstance(prefer, str):
            raise BadOption(f"prefer={shown(prefer)} is neither a name nor a function of q")
        if prefer == NEAREST:
            return None
        if prefer == "limits":
            limited = np.isfinite(self.lower) & np.isfinite(self.upper) & (self.upper > self.lower)
            low, high = self.lower[limited], self.upper[limited]
            return lambda q: float(np.min(np.minimum(q[limited] - low, high - q[limited]) / (high - low), initial=1.0))
        if prefer == "manipulable":
            return lambda q: float(np.linalg.svd(self._kernel.jacobian(q), compute_uv=False).min(initial=np.inf))
        raise BadOption(f"prefer={prefer!r} is not known; use 'nearest', 'limits', 'manipulable' or a function of q")


def _threads(given: Any) -> int:
    """Return how many threads a batch may use, 0 for as many as there are cores. Raises BadOption."""
    if given is None:
        return 0
    try:
        count = operator.index(given)
    except TypeError:
        count = 0
    if isinstance(given, bool) or count < 1:
        raise BadOption(f"threads={shown(given)}: give a whole number from 1, or None for all cores")
    return min(count, MOST_THREADS)

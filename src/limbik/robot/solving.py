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
from limbik.solvers.answer import BatchAnswer, Status
from limbik.solvers.iterative.levenberg_marquardt import ROTATION_TOLERANCE, make_solver, position_tolerance
from limbik.solvers.registry import choose

# Postures that `prefer` chooses among: the attempts that are looked at for them.
CANDIDATES = 48

NEAREST = "nearest"

# More threads than this do not help any batch.
MOST_THREADS = 256

Score = Callable[[Any], float]


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
        valid: Callable[[Any], bool] | None = None,
        prefer: str | Score = NEAREST,
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
    ) -> Answer:
        """Return a posture whose tip is at T, verified, or the nearest one with the reason.

        T: (4, 4) in the base frame. seed: where to start, and what `nearest` refers to; None means `home`. limits: keep
        joint limits. valid: a function of q that says whether a posture may be used (collisions ...); the next attempt is
        asked when it refuses. prefer: "nearest" (the seed's own solution first), "limits" (far from them), "manipulable",
        or a function of q whose greatest value wins among the solutions found. position_tolerance [m] and
        rotation_tolerance [rad]: what counts as reached; by default 1e-8 m (or 1e-9 of the reach, if that is more) and 1e-8.

        Not reaching T is an answer, not an error: see `answer.status` and `answer.why`. Raises NotRigid, ShapeError,
        NotFinite or BadOption for what cannot be meant.
        """
        if limits is True and position_tolerance is None and rotation_tolerance is None:
            solver = self._limited
        else:
            solver = self._solver(limits, position_tolerance, rotation_tolerance)
        if method is None and branch is None and valid is None and prefer is NEAREST:
            return solver.solve(T, seed)
        choose(method)
        if branch is not None:
            raise BadOption("branch= needs a closed form, which 'lm' has not; choose by seed= or prefer=")
        may_use = _checked(valid)
        if isinstance(prefer, str) and prefer == NEAREST:
            return _first_valid(solver, T, seed, may_use)
        return _preferred(solver, T, seed, may_use, self._score(prefer))

    def solve_batch(
        self,
        Ts: Any,
        seeds: Any = None,
        threads: int | None = None,
        method: str | None = None,
        limits: bool = True,
        invalid: str = "raise",
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
    ) -> BatchAnswer:
        """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit.

        seeds: None (home), one seed for all, or one per row. threads: None for as many as there are cores. invalid:
        "raise" names the first row that is no rigid pose, "mark" gives such rows the status INVALID. Tolerances
        as in `solve`. Ctrl-C ends it.
        """
        choose(method)
        if not isinstance(invalid, str) or invalid not in ("raise", "mark"):
            raise BadOption(f"invalid={shown(invalid)} is not known; use 'raise' or 'mark'")
        try:
            count = 0 if threads is None else min(operator.index(threads), MOST_THREADS)
        except TypeError:
            count = -1
        if isinstance(threads, bool) or count < (threads is not None):
            raise BadOption(f"threads={shown(threads)}: give a whole number from 1, or None for all cores")
        solver = self._solver(limits, position_tolerance, rotation_tolerance)
        return BatchAnswer(*solver.solve_batch(Ts, seeds, count, invalid == "mark"))

    @cached_property
    def _tolerant(self) -> dict[tuple[bool, float, float], PoseSolver]:
        """Solvers with tolerances of the caller's, kept because each makes a table of starts."""
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

    def _score(self, prefer: str | Score) -> Score:
        """Return the function whose greatest value is preferred."""
        if callable(prefer):
            return lambda q: _number(prefer(q), "prefer")
        if not isinstance(prefer, str):
            raise BadOption(f"prefer={shown(prefer)} is neither a name nor a function of q")
        if prefer == "limits":
            limited = np.isfinite(self.lower) & np.isfinite(self.upper) & (self.upper > self.lower)
            low, high = self.lower[limited], self.upper[limited]
            return lambda q: float(np.min(np.minimum(q[limited] - low, high - q[limited]) / (high - low), initial=1.0))
        if prefer == "manipulable":
            return lambda q: float(np.linalg.svd(self._kernel.jacobian(q), compute_uv=False).min(initial=np.inf))
        raise BadOption(f"prefer={prefer!r} is not known; use 'nearest', 'limits', 'manipulable' or a function of q")


def _checked(valid: Callable[[Any], bool] | None) -> Callable[[Any], bool] | None:
    """Return `valid` as a function that answers yes or no, or raise BadOption."""
    if valid is None:
        return None
    if not callable(valid):
        raise BadOption(f"valid={shown(valid)} is not a function of q")

    def answers(q: Any) -> bool:
        said = valid(q)
        if not isinstance(said, bool | np.bool_):
            raise BadOption(f"valid must return True or False; it returned {shown(said)}")
        return bool(said)

    return answers


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadOption(f"{what} must return a number; it returned {shown(value)}") from None


def _first_valid(solver: PoseSolver, T: Any, seed: Any, valid: Callable[[Any], bool] | None) -> Answer:
    """Return the first attempt's solution that `valid` accepts; BLOCKED when it accepts none."""
    answer = solver.solve(T, seed)
    refused: Answer | None = None
    while answer.ok and valid is not None and not valid(answer.q):
        refused = answer
        answer = solver.solve(T, seed, answer.attempt + 1)
    return answer if answer.ok or refused is None else _blocked(refused, max(answer.tried, refused.tried))


def _preferred(solver: PoseSolver, T: Any, seed: Any, valid: Callable[[Any], bool] | None, score: Score) -> Answer:
    """Return the best valid solution among those of the first attempts."""
    answer = solver.solve(T, seed)
    best: tuple[float, Answer] | None = None
    refused: Answer | None = None
    last = answer
    while last.ok and last.attempt < CANDIDATES:
        if valid is None or valid(last.q):
            value = float(score(last.q))
            if best is None or value > best[0]:
                best = (value, last)
        else:
            refused = last
        last = solver.solve(T, seed, last.attempt + 1)
    if best is not None:
        return best[1]
    if refused is not None:
        return _first_valid(solver, T, seed, valid)
    return answer


def _blocked(answer: Answer, tried: int) -> Answer:
    return Answer(answer.q, int(Status.BLOCKED), -1, tried, answer.position_error, answer.rotation_error, answer.target,
                  answer.method, "")  # fmt: skip

"""What a chain does with a target: `solve`, `solve_batch`."""

import math
import operator
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from limbik._core import ROTATION_TOLERANCE, Answer, PoseSolver, PostureSolver, Starts, Status, TableSolver
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number
from limbik.goals.clearance import Clearance, Obstacles
from limbik.goals.goal import Goal
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.model import position_tolerance
from limbik.model.recent import Recent
from limbik.robot.carrying import TABLE
from limbik.robot.learning import NEURAL
from limbik.robot.looking_up import LookingUp, said_by
from limbik.robot.pursuing import NEAREST, Frozen, Goals, Named, is_goals
from limbik.robot.relaxing import METHOD, pursue_relaxed
from limbik.robot.stepping import goes_by_steps
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.budget import Budget
from limbik.solvers.closed_form.form import Form
from limbik.solvers.closed_form.postures import make_postures
from limbik.solvers.closed_form.swivel import best_swivels, spread_swivels
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.iterative.levenberg_marquardt import make_solver
from limbik.solvers.preference import Preference, Score, Valid, checked_valid
from limbik.solvers.registry import choose
from limbik.solvers.weights import Weights, checked_weights

# More threads than this do not help any batch.
MOST_THREADS = 256
# Tolerances of the caller's whose solvers a chain keeps; a set of solvers holds about 10 kB, more with a table.
MOST_TOLERANCES = 16


class Solvers(NamedTuple):
    """What solves for a tip: attempts, all postures at once, how these come apart (None where they do not), a table, and, where
    there is no closed form, a search for all postures.
    """

    pose: PoseSolver
    postures: PostureSolver
    form: Form | None
    table: TableSolver | None
    search: TableSolver | None


class Solving(LookingUp):
    """The solving verbs of a chain."""

    @cached_property
    def _limited(self) -> Solvers:
        return self._make_solvers(True, position_tolerance(self.model.reach), ROTATION_TOLERANCE)

    @cached_property
    def _unlimited(self) -> Solvers:
        return self._make_solvers(False, position_tolerance(self.model.reach), ROTATION_TOLERANCE)

    @cached_property
    def _quick(self) -> Callable[[Any, Any], Answer]:
        """The ordinary solve, without a detour."""
        return self._limited.pose.solve

    @cached_property
    def _quick_attempts(self) -> Callable[[Any, Any], Answer]:
        return self._limited.pose.solve_by_attempts

    @cached_property
    def _quick_network(self) -> Callable[[Any, Any], Answer]:
        solve, starts = self._limited.pose.solve, self._network_for_poses(True)
        return lambda T, seed: solve(T, seed, 0, math.inf, False, 0.0, 0.0, starts)

    def _make_solvers(self, limits: bool, position: float, rotation: float) -> Solvers:
        postures, form = make_postures(self.model, limits=limits, position=position, rotation=rotation)
        pose = make_solver(self.model, limits=limits, position=position, rotation=rotation, postures=postures)
        table = self._make_lookup(limits, position, rotation)
        search = None if form is not None else self._make_search(limits, position, rotation)
        return Solvers(pose, postures, form, table, search)

    @overload
    def solve(
        self,
        T: Goals,
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
        weights: tuple[float, float] | None = None,
        frozen: Frozen = None,
        obstacles: Obstacles | None = None,
    ) -> GoalAnswer: ...

    @overload
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
        weights: tuple[float, float] | None = None,
        frozen: Frozen = None,
        obstacles: Obstacles,
    ) -> GoalAnswer: ...

    @overload
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
        weights: tuple[float, float] | None = None,
        frozen: Named,
        obstacles: Obstacles | None = None,
    ) -> GoalAnswer: ...

    @overload
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
        weights: tuple[float, float] | None = None,
        frozen: None = None,
        obstacles: None = None,
    ) -> Answer: ...

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
        weights: tuple[float, float] | None = None,
        frozen: Frozen = None,
        obstacles: Obstacles | None = None,
    ) -> Answer | GoalAnswer:
        """Return a posture whose tip is at T, verified, or the nearest one with the reason.

        T: (4, 4) in the base frame; or goals, one or several, or {frame: pose or point}: the answer is then a `GoalAnswer`.
        seed: what the posture should be near, and where attempts start; None means `home`. method: a name of
        `limbik.METHODS`; None takes the closed form where the chain has one, else "lm", or the table (`with_table`) where
        `valid` or `prefer` choose among several postures. branch: a number of `branch_names`, to
        have that posture. limits: keep joint limits. valid: a function of q that says whether a posture may be used
        (collisions ...); the next one is asked when it refuses. prefer: "nearest" to the seed, "limits" (far from them),
        "manipulable", or a function of q whose greatest value wins among the solutions. position_tolerance [m] and
        rotation_tolerance [rad]: what counts as reached; by default 1e-8 m (or 1e-9 of the reach, if that is more) and 1e-8.
        seconds: the time after which no further attempt is begun; answers then depend on the machine's speed. weights: what a
        metre and a radian count, to have the posture with the least (position weight * position error)^2 + (rotation weight *
        rotation error)^2 where T cannot be reached; None puts the position first, then the rotation. frozen: joints that stay
        where the seed has them, by name, or {joint: value}. obstacles: Spheres, Capsules and Boxes in the base frame that no
        link may touch, nor links each other (the goal `Clearance` has more to say); `answer.unchecked` names the links and pairs
        that this does not hold for.

        Not reaching T is an answer, not an error: see `answer.status` and `answer.why`. Raises NotRigid, ShapeError,
        NotFinite or BadOption for what cannot be meant.
        """
        ordinary = limits is True and prefer is NEAREST and branch is None and valid is None and weights is None
        ordinary = ordinary and position_tolerance is None and rotation_tolerance is None and seconds is None
        if ordinary and method is None and frozen is None and obstacles is None and type(T) is np.ndarray:
            return self._quick(T, seed)
        stepping = method is not None and goes_by_steps(method)
        if method == METHOD and (frozen is not None or obstacles is not None or self._is_for_goals(T)):
            goals = self._with_tolerances(T, position_tolerance, rotation_tolerance)
            goals = goals if obstacles is None else (*goals, Clearance(obstacles))
            self._check_for_steps(method, branch, weights)
            options: dict[str, Any] = {"valid": valid, "prefer": prefer, "seconds": seconds}
            return pursue_relaxed(self, goals, seed, limits=limits, frozen=frozen, **options)
        if frozen is not None or obstacles is not None or (type(T) is not np.ndarray and not stepping and is_goals(T)):
            goals = self._with_tolerances(T, position_tolerance, rotation_tolerance)
            if method == NEURAL and frozen is None and obstacles is None:
                self._check_for_goals(None, branch, weights)
                return self._from_learned_place(goals, seed, limits, valid, prefer, seconds)
            if obstacles is not None:
                goals = (*goals, Clearance(obstacles))
            self._check_for_goals(method, branch, weights)
            return self._pursue(goals, seed, limits=limits, frozen=frozen, valid=valid, prefer=prefer, seconds=seconds)
        if stepping:
            assert method is not None
            self._check_for_steps(method, branch, weights)
            task = self._task(T, limits, position_tolerance, rotation_tolerance)
            return self._by_steps(task, method, seed, self._preference(valid, prefer), Budget(seconds))
        if ordinary:
            if method is None:
                return self._quick(T, seed)
            if method == "lm":
                return self._quick_attempts(T, seed)
            if method == NEURAL:
                return self._quick_network(T, seed)
        solvers = self._solvers(limits, position_tolerance, rotation_tolerance)
        preference, budget, weigh = self._preference(valid, prefer), Budget(seconds), checked_weights(weights)
        chosen = self._chosen(method, solvers, preference)
        closed = chosen == "closed_form"
        if branch is not None:
            return self._on_branch(solvers, T, seed, closed, branch, preference, budget, weigh)
        starts = self._starts_of(chosen, solvers, limits)
        if starts is not None:
            answer = solvers.pose.solve(T, seed, 0, budget.left(), False, *weigh, starts)
        else:
            answer = self._nearest(solvers, T, seed, method, budget.left(), weigh)
        return self._preferred(solvers, answer, seed, closed, preference, budget)

    def _with_tolerances(self, given: Any, position: float | None, rotation: float | None) -> tuple[Goal, ...]:
        """Return goals; a pose becomes one, with the tolerances of the caller."""
        if type(given) is np.ndarray or not is_goals(given):
            model = self.model
            wanted = (
                model.tolerance("m") if position is None else position,
                model.tolerance("rad") if rotation is None else rotation,
            )
            return (Pose(None, given, tolerance=wanted),)
        if position is not None or rotation is not None:
            raise BadOption("goals have tolerances of their own: Pose(..., tolerance=(metres, radians))")
        return self._goals(given)

    def _is_for_goals(self, given: Any) -> bool:
        """Tell whether relaxation has more to do than a pose or a position of a tip behind joints of one axis each."""
        alone = isinstance(given, Position) or type(given) is np.ndarray or not is_goals(given)
        return not alone or any(v.joint.kind.size != 1 for v in self.model.compiled.variables)

    @staticmethod
    def _check_for_goals(method: str | None, branch: object, weights: object) -> None:
        """Raise BadOption for options that goals do not go with."""
        if method is not None and "*" not in choose(method, closed=True).goals:
            raise BadOption(f"method={method!r} takes one pose alone; goals, frozen joints and obstacles need 'lm'")
        if branch is not None or weights is not None:
            raise BadOption("branch= and weights= are for one pose; goals have weights of their own")

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
        weights: tuple[float, float] | None = None,
    ) -> BatchAnswer:
        """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit.

        seeds: None (home), one seed for all, or one per row. threads: None for as many as there are cores. invalid:
        "raise" names the first row that is no rigid pose, "mark" gives such rows the status INVALID. The other options
        are those of `solve`; `valid` and a function given as `prefer` are asked in this thread, one posture at a time,
        and `seconds` is for all rows together. Ctrl-C ends it.
        """
        preference = self._preference(valid, prefer)
        if method is not None and goes_by_steps(method):
            self._check_for_steps(method, branch, weights)
            tolerances = position_tolerance, rotation_tolerance
            return self._batch_by_steps(Ts, seeds, method, limits, tolerances, preference, Budget(seconds), invalid)
        solvers = self._solvers(limits, position_tolerance, rotation_tolerance)
        chosen = self._chosen(method, solvers, preference)
        closed = chosen == "closed_form"
        if not isinstance(invalid, str) or invalid not in ("raise", "mark"):
            raise BadOption(f"invalid={shown(invalid)} is not known; use 'raise' or 'mark'")
        count, budget, weigh = thread_count(threads), Budget(seconds), checked_weights(weights)
        batch = BatchAnswer(
            *solvers.pose.solve_batch(
                Ts, seeds, count, invalid == "mark", budget.left(), chosen not in ("lm", TABLE, NEURAL), *weigh,
                self._starts_of(chosen, solvers, limits),
            ),
            form=solvers.form,
            method=chosen if chosen in (TABLE, NEURAL) else "lm",
        )  # fmt: skip
        # one by one where a joint is held
        held = closed and method is not None and not _answers_solve(solvers.form)
        if preference is None and branch is None and not held:
            return batch
        starts = None if seeds is None else np.asarray(seeds, np.float64)
        rows: dict[int, Answer] = {}
        for row in range(len(batch)):
            if batch.status[row] == Status.INVALID:
                continue
            seed = starts[row] if starts is not None and starts.ndim == 2 else starts
            if branch is not None:
                rows[row] = self._on_branch(solvers, batch.target[row], seed, closed, branch, preference, budget, weigh)
                continue
            answer = (
                self._nearest(solvers, batch.target[row], seed, method, budget.left(), weigh) if held else batch[row]
            )
            rows[row] = self._preferred(solvers, answer, seed, closed, preference, budget)
        return batch.replaced(rows)

    @cached_property
    def _tolerant(self) -> Recent[tuple[bool, float, float], Solvers]:
        """Solvers with tolerances of the caller's, kept because making them takes longer than a solve."""
        return Recent(MOST_TOLERANCES)

    def _solvers(self, limits: object, position: float | None = None, rotation: float | None = None) -> Solvers:
        if not isinstance(limits, bool | np.bool_):
            raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
        if position is None and rotation is None:
            return self._limited if limits else self._unlimited
        key = (
            bool(limits),
            position_tolerance(self.model.reach) if position is None else number(position, "position_tolerance"),
            ROTATION_TOLERANCE if rotation is None else number(rotation, "rotation_tolerance"),
        )
        if not (key[1] > 0 and key[2] > 0):
            raise BadOption(f"tolerances must be above 0; got {key[1]:g} m and {key[2]:g} rad")
        return self._tolerant.get(key, lambda: self._make_solvers(*key))

    # ---- one of several --------------------------------------------------------------------------------------------

    def _nearest(
        self, solvers: Solvers, T: Any, seed: Any, method: str | None, seconds: float, weights: Weights
    ) -> Answer:
        """Return the first solution by a method."""
        if method == "closed_form" and not _answers_solve(solvers.form):  # a joint is held where the seed has it
            nearest = _by_distance(solvers.postures.solve_all(T, seed), self.home if seed is None else seed)
            if nearest:
                return nearest[0]
        return solvers.pose.solve(T, seed, 0, seconds, method != "lm", *weights)

    @staticmethod
    def _chosen(method: str | None, solvers: Solvers, preference: Preference | None) -> str:
        """Return the method to take. A table leads to all postures; the first one is found sooner without."""
        several = preference is not None and solvers.table is not None
        return choose(method, closed=solvers.form is not None, table=several).name

    def _starts_of(self, method: str, solvers: Solvers, limits: bool) -> Starts | None:
        """Return what a method offers attempts to begin with, None where it offers nothing. Raises BadOption."""
        if method == TABLE:
            return self._needed_table(solvers.table)
        return self._network_for_poses(limits) if method == NEURAL else None

    def _preferred(
        self, solvers: Solvers, answer: Answer, seed: Any, closed: bool, preference: Preference | None, budget: Budget
    ) -> Answer:
        """Return the solution that the caller prefers, given the first one."""
        if preference is None or not answer.ok:
            return answer
        if closed and answer.method == "closed_form":
            return preference.pick_from(self._candidates(solvers, answer.target, seed, preference), budget)
        T = answer.target
        if answer.method == TABLE and solvers.table is not None:
            every = solvers.table.solve_all(T, seed)
            if len(every):
                return preference.pick_from(_by_distance(every, self.home if seed is None else seed), budget)

        def further(first: int) -> Answer:
            found = solvers.pose.solve(T, seed, first, budget.left(), False)
            return said_by(answer.method, found) if answer.method in (NEURAL, TABLE) else found

        return preference.pick(answer, further, budget)

    def _candidates(self, solvers: Solvers, T: Any, seed: Any, preference: Preference) -> list[Answer]:
        """Return all postures, the nearest first; of an arm with a swivel, several of each feasible range."""
        start = self.home if seed is None else np.asarray(seed, np.float64).reshape(-1)
        if (
            solvers.form is not None
            and solvers.form.redundancy is not None
            and solvers.form.redundancy.kind == "swivel"
        ):
            if preference.score is not None:
                return list(best_swivels(solvers.postures, T, start, preference.score))
            return _by_distance(spread_swivels(solvers.postures, T, start), start)
        return _by_distance(solvers.postures.solve_all(T, seed), start)

    def _on_branch(
        self,
        solvers: Solvers,
        T: Any,
        seed: Any,
        closed: bool,
        branch: Any,
        preference: Preference | None,
        budget: Budget,
        weights: Weights,
    ) -> Answer:
        """Return the posture of one branch; LIMITS where it breaks them, NOT_FOUND where it does not exist here."""
        if not closed or solvers.form is None:
            raise BadOption("branch= needs a closed form: leave method out, or choose by seed= or prefer=")
        if isinstance(branch, bool) or not isinstance(branch, int | np.integer) or not 0 <= branch < solvers.form.most:
            raise BadOption(
                f"branch={shown(branch)}: give a number from 0 to {solvers.form.most - 1}, see `branch_names`"
            )
        found = [a for a in self._candidates(solvers, T, seed, preference or Preference()) if a.branch == branch]
        if found:
            return found[0] if preference is None else preference.pick_from(found, budget)
        answer = solvers.pose.solve(T, seed, 0, budget.left(), True, *weights)
        if not answer.ok:
            return answer
        elsewhere = [a for a in self._unlimited.postures.solve_all(T, seed) if a.branch == branch]
        name = solvers.form.branch_names[branch]
        why = (
            f"branch {branch} ({name}) reaches it only outside the limits; q is branch {answer.branch}"
            if elsewhere
            else f"branch {branch} ({name}) does not reach it; q is branch {answer.branch}"
        )
        # the ranges of a swivel are exact; one value of a joint that may take any, or one member of a family, proves nothing
        exact = solvers.form.redundancy is not None or not any(a.family for a in elsewhere)
        proven = _answers_solve(solvers.form) and exact
        status = Status.LIMITS if elsewhere and proven else Status.NOT_FOUND
        return Answer(answer.q, int(status), -1, 0, answer.position_error, answer.rotation_error, answer.target,
                      "closed_form", why, False, -1 if answer.branch is None else answer.branch)  # fmt: skip

    def _preference(self, valid: Any, prefer: Any) -> Preference | None:
        """Return what is wanted of a solution, None where the first one will do. Raises BadOption."""
        preference = Preference(checked_valid(valid), self._score(prefer))
        return None if preference == Preference() else preference

    def _scores(self) -> dict[str, Score]:
        """Return the preferences that have a name."""
        return super()._scores() | {
            "manipulable": lambda q: float(
                np.linalg.svd(self.model.kernel.jacobian(q), compute_uv=False).min(initial=np.inf)
            )
        }


def _answers_solve(form: Form | None) -> bool:
    """Tell whether a closed form answers `solve` by itself: with a joint to be held it does not."""
    return form is not None and (form.redundancy is None or form.redundancy.kind == "swivel")


def _by_distance(answers: Iterable[Answer], seed: Any) -> list[Answer]:
    """Return answers in the order of their distance from a seed: the largest difference, then all, then their order."""
    start = np.asarray(seed, np.float64).reshape(-1)

    def distance(answer: Answer) -> tuple[float, float]:
        gap = np.abs(answer.q - start)
        return float(gap.max(initial=0.0)), float(gap @ gap)

    return sorted(answers, key=distance)


def thread_count(given: Any) -> int:
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

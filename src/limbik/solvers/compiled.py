"""The methods with compiled solvers: closed form, Levenberg-Marquardt, and attempts from proposed starts.

For a pose they run the strategy of `core/solve/pose_solver.hpp`, which verifies its results and gives proofs where possible;
for goals, `goal_solver.py`.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik._core import Answer, Starts, Status
from limbik.errors import shown
from limbik.goals.given import goals_from, start_from
from limbik.model.model import Model
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.swivel import best_swivels, spread_swivels
from limbik.solvers.deadline import Deadline
from limbik.solvers.goal_solver import GoalProblem, goal_candidates
from limbik.solvers.method import Found, Proof, Solver
from limbik.solvers.query import Options, Query
from limbik.solvers.solver_set import SolverSet, solver_set

GOAL_TOLERANCES = "goals have tolerances of their own: Pose(..., tolerance=(metres, radians))"
GOAL_OPTIONS = "branch= and weights= are for one pose; goals have weights of their own"
NO_BRANCH = "branch= needs a closed form: leave method out, or choose by seed= or prefer="


def one_pose(name: str) -> str:
    """Return the error text of a method that takes no goals."""
    return f"method={name!r} takes one pose alone; goals, frozen joints and obstacles need 'lm'"


def goal_problem(query: Query, model: Model) -> GoalProblem:
    """Return the goals of a query as a problem."""
    start, held = start_from(query.seed, query.frozen, query.limits, model)
    return GoalProblem(model, query.goals, start, held, query.limits, query.deadline)


def first_answer(model: Model, given: Any, seed: Any) -> Any:
    """Return the answer to goals with the ordinary options."""
    start, held = start_from(seed, None, True, model)
    return next(goal_candidates(GoalProblem(model, goals_from(given, model), start, held, True, Deadline())))


def unfit_for_goals(query: Query) -> str | None:
    """Return why no method accepts the options of a query with goals; None if they are acceptable."""
    if query.options.position_tolerance is not None or query.options.rotation_tolerance is not None:
        return GOAL_TOLERANCES
    return GOAL_OPTIONS if query.branch is not None or query.weighted else None


def unfit_for_branch(model: Model, query: Query) -> str | None:
    """Return why no method accepts the branch of a query; None if it is acceptable."""
    given = query.branch
    if given is None:
        return None
    form = solver_set(model, *query.options).form
    if form is None:
        return NO_BRANCH
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given < form.most:
        return f"branch={shown(given)}: give a number from 0 to {form.most - 1}, see `branch_names`"
    return None


@dataclass(frozen=True, eq=False)
class AttemptSolver(Solver):
    """Attempts by Levenberg-Marquardt; for goals, one pose or many.

    starts: the source of start configurations, tried before the ordinary starts. name: the method named in answers.
    """

    trusted = True

    model: Model
    options: Options
    name: str = "lm"
    starts: Starts | None = None

    @property
    def solvers(self) -> SolverSet:
        """The compiled solvers."""
        return solver_set(self.model, *self.options)

    def unfit(self, query: Query) -> str | None:
        """Return why a query is not acceptable: branches need a closed form."""
        return None if query.branch is None else NO_BRANCH

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield the successful attempts, in their order; if there is none, the closest configuration."""
        if query.goals:
            yield from goal_candidates(goal_problem(query, self.model))
            return
        pose, T, seed = self.solvers.pose, query.target, query.seed
        answer = pose.solve(T, seed, 0, query.deadline.left(), False, *query.weights, self.starts)
        while answer.ok:
            yield answer
            answer = pose.solve(T, seed, answer.attempt + 1, query.deadline.left(), False)
            answer = answer if self.starts is None else named(self.name, answer)
        yield answer

    def bound(self) -> Callable[[Any, Any], Any] | None:
        """Return the compiled call; for a tree, the first attempt to meet goals."""
        if self.model.is_tree:
            return lambda goals, seed: first_answer(self.model, goals, seed)
        pose, starts = self.solvers.pose, self.starts
        if starts is None:
            return pose.solve_by_attempts
        return lambda T, seed: pose.solve(T, seed, 0, math.inf, False, 0.0, 0.0, starts)

    def rows(self, query: Query, Ts: Any, seeds: Any, threads: int, *, mark: bool) -> BatchAnswer | None:
        """Return the answers to many targets at once."""
        left = query.deadline.left()
        rows = self.solvers.pose.solve_batch(Ts, seeds, threads, mark, left, False, *query.weights, self.starts)
        return BatchAnswer(*rows, form=self.solvers.form, method=self.name, solver=self.solvers.pose)


@dataclass(frozen=True, eq=False)
class ClosedFormSolver(AttemptSolver):
    """The closed form, and attempts where it is inconclusive.

    listed: for a chain with one free joint, whether configurations at the seed's value of that joint come first.
    """

    trusted = True

    name: str = "closed_form"
    listed: bool = False

    def unfit(self, query: Query) -> str | None:
        """Return why a query is not acceptable: the method takes one pose."""
        return one_pose("closed_form") if query.goals else None

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield the closest configuration, or all in order of distance if the caller chooses among several."""
        if query.branch is not None:
            yield from self._every(query)
            return
        first = self._first(query)
        if not query.preference.chooses or not first.ok:
            yield first
            return
        if first.branch is not None:
            yield from self._every(query.at(first.target, query.seed))
            return
        pose, answer = self.solvers.pose, first
        while answer.ok:
            yield answer
            answer = pose.solve(first.target, query.seed, answer.attempt + 1, query.deadline.left(), False)
        yield answer

    def bound(self) -> Callable[[Any, Any], Answer] | None:
        """Return the compiled call."""
        return None if self._lists_first else self.solvers.pose.solve

    def rows(self, query: Query, Ts: Any, seeds: Any, threads: int, *, mark: bool) -> BatchAnswer | None:
        """Return the answers to many targets at once."""
        left = query.deadline.left()
        rows = self.solvers.pose.solve_batch(Ts, seeds, threads, mark, left, True, *query.weights)
        batch = BatchAnswer(*rows, form=self.solvers.form, method="lm", solver=self.solvers.pose)
        if not self._lists_first or query.chooses:
            return batch
        starts = None if seeds is None else np.asarray(seeds, np.float64)
        valid = [row for row in range(len(batch)) if batch.status[row] != Status.INVALID]
        return batch.replaced(
            {
                row: self._first(
                    query.at(batch.target[row], starts[row] if starts is not None and starts.ndim == 2 else starts)
                )
                for row in valid
            }
        )

    def proof(self, query: Query) -> Proof | None:
        """Return why the required branch does not reach the target: only outside the limits, or not at all."""
        form = self.solvers.form
        if query.branch is None or form is None:
            return None
        every = solver_set(self.model, False).postures.solve_all(query.target, query.seed)
        outside = [a for a in every if a.branch == query.branch]  # of the limits: inside them they would be candidates
        name = f"branch {query.branch} ({form.branch_names[query.branch]})"
        # swivel ranges are exact; one value of a free joint, or one member of a self-motion manifold, proves nothing
        exact = form.redundancy is not None or not any(a.family for a in outside)
        proven = self._conclusive and exact
        if outside:
            status = Status.LIMITS if proven else Status.NOT_FOUND
            return Proof(status, f"{name} reaches the target only outside the limits")
        return Proof(Status.NOT_FOUND, f"{name} does not reach the target")

    @property
    def _lists_first(self) -> bool:
        """Whether configurations at the seed's value of the free joint come first."""
        return self.listed and not self._conclusive

    @property
    def _conclusive(self) -> bool:
        """Whether the closed form alone is conclusive. With a free joint it is not."""
        form = self.solvers.form
        return form is not None and (form.redundancy is None or form.redundancy.kind == "swivel")

    def _first(self, query: Query) -> Answer:
        solvers = self.solvers
        if self._lists_first:  # the free joint is fixed at the seed's value
            closest = by_distance(solvers.postures.solve_all(query.target, query.seed), self._seed(query))
            if closest:
                return closest[0]
        left = query.deadline.left()
        return solvers.pose.solve(query.target, query.seed, 0, left, True, *query.weights)

    def _every(self, query: Query) -> Iterator[Answer]:
        """Yield all configurations, the closest first; for an arm with a swivel, samples of each feasible range."""
        solvers, start = self.solvers, self._seed(query)
        form, score = solvers.form, query.preference.score
        if form is None or form.redundancy is None or form.redundancy.kind != "swivel":
            yield from by_distance(solvers.postures.solve_all(query.target, query.seed), start)
        elif score is not None:
            yield from best_swivels(solvers.postures, query.target, start, score)
        else:
            yield from by_distance(spread_swivels(solvers.postures, query.target, start), start)

    def _seed(self, query: Query) -> Any:
        return self.model.ranges.home if query.seed is None else np.asarray(query.seed, np.float64).reshape(-1)


def named(method: str, answer: Answer) -> Answer:
    """Return an answer of follow-up attempts under the name of the first method."""
    return Answer(
        answer.q, answer.code, answer.attempt, answer.tried, answer.position_error, answer.rotation_error, answer.target,
        method, "", answer.timed_out, -1 if answer.branch is None else answer.branch, answer.family, answer.steps,
    )  # fmt: skip


def by_distance(answers: Iterable[Answer], seed: Any) -> list[Answer]:
    """Sort answers by distance from a seed: largest joint difference, then all differences, then original order."""
    start = np.asarray(seed, np.float64).reshape(-1)

    def distance(answer: Answer) -> tuple[float, float]:
        gap = np.abs(answer.q - start)
        return float(gap.max(initial=0.0)), float(gap @ gap)

    return sorted(answers, key=distance)

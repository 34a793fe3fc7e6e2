"""Verification of candidates against the query. Answers of trusted solvers do not pass here: the compiled core verifies them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import ShapeError
from limbik.geometry.arrays import Array, numbers
from limbik.goals.given import start_from, unchecked
from limbik.model.model import Model
from limbik.solvers.answer import explain
from limbik.solvers.closed_form.branch import branches_of
from limbik.solvers.compiled import goal_problem
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.goal_solver import GoalProblem
from limbik.solvers.method import Candidate
from limbik.solvers.query import Query
from limbik.solvers.solver_set import solver_set
from limbik.solvers.verify import Verification, verification_of


@dataclass(frozen=True, eq=False)
class Check:
    """The verification of candidates for one query of a model."""

    model: Model
    query: Query

    def answer(self, found: Candidate, method: str) -> Answer | GoalAnswer | None:
        """Return a candidate as an answer of a method; None if it is no solution. Raises NotNumeric, ShapeError."""
        q = np.array(numbers(found.q, f"method {method!r} gave a candidate whose q must be numbers"))  # its own copy
        if q.shape != self._start.shape:
            raise ShapeError(f"method {method!r} gave a candidate of shape {q.shape}; {self._start.shape} is needed")
        if not np.isfinite(q).all():
            return None
        return self._goals_answer(found, q, method) if self.query.goals else self._pose_answer(found, q, method)

    def _pose_answer(self, found: Candidate, q: Array, method: str) -> Answer | None:
        """Return the answer to one pose; each joint is at its 2-pi copy closest to the seed."""
        check, branch = self._pose, self.query.branch
        q = check.closest_copy(q, self._start)
        if not check.reached(q) or (branch is not None and branch not in branches_of(self.model, q)):
            return None

        pose = solver_set(self.model, *self.query.options).pose
        family = bool(pose.self_motions(q[None], np.ones(1))[0])

        def answer(why: str) -> Answer:
            return Answer(
                q, int(Status.SOLVED), int(found.attempt), int(found.tried), *check.errors(q), check.target, method, why,
                False, -1 if branch is None else branch, family, int(found.steps),
            )  # fmt: skip

        return answer(f"{explain(answer(''))}: {found.note}" if found.note else "")

    def _goals_answer(self, found: Candidate, q: Array, method: str) -> GoalAnswer | None:
        """Return the answer to goals if required goals are met, frozen joints unchanged and limits kept; else None."""
        problem, held = self._goals, list(self._goals.held)
        if (problem.limits and not bool(self.model.ranges.within(q))) or (q[held] != problem.start[held]).any():
            return None
        tried = int(found.attempt), int(found.tried)
        solved = GoalAnswer(q, Status.SOLVED, problem.goals, (), (), *tried, method=method, note=found.note)
        answer = problem.measured(solved, unchecked(problem.goals, self.model))
        met = zip(answer.goals, answer.met, strict=True)
        return answer if all(ok for goal, ok in met if goal.required) else None

    @cached_property
    def _pose(self) -> Verification:
        return verification_of(self.model, self.query)

    @cached_property
    def _goals(self) -> GoalProblem:
        return goal_problem(self.query, self.model)

    @cached_property
    def _start(self) -> Array:
        return start_from(self.query.seed, None, False, self.model)[0]

"""Iterative methods: runs, traces and candidates.

A method is a class with its settings as fields and `iterate(problem, x)`, a generator that yields x after every step and returns
when its own stopping criterion holds. It does not decide about success: the verification does, by forward kinematics, the
rotation logarithm and the limits. A method that stops at a false zero of its residual therefore gives no false answer.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik._core import Answer, Status
from limbik.geometry.arrays import Array
from limbik.goals.given import start_from
from limbik.model.model import Model
from limbik.solvers.compiled import goal_problem
from limbik.solvers.deadline import Deadline
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.task import Task, make_task, unfit_for_task
from limbik.solvers.method import Attempt, Candidate, Found, Method, Solver
from limbik.solvers.query import Options, Query
from limbik.solvers.trace import Trace

# Number of starts before a target counts as not found: the seed, then random configurations.
ATTEMPTS = 32
# Most restarts of a run that ends at the target but outside the limits, from the reflection at the limits.
RETURNS = 8
# Largest number of steps in one attempt, for all methods and settings.
MOST_STEPS = 5000


@dataclass(frozen=True)
class Iterative(Method):
    """An iterative method: a new one implements `iterate`."""

    family = "iterative"
    goals = ("Pose", "Position")

    @abstractmethod
    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""

    def prepare(self, model: Model, options: Options) -> "IterativeSolver":
        """Return the solver for a model."""
        return IterativeSolver(self, model, options)


@dataclass(frozen=True, eq=False)
class IterativeSolver(Solver):
    """An iterative method on a model: attempts from the seed and from random starts.

    It yields candidates. Its last, unsuccessful answer is NOT_FOUND, or OUT_OF_REACH for a target beyond the reach.
    """

    trusted = True

    method: Iterative
    model: Model
    options: Options

    @property
    def name(self) -> str:  # type: ignore[override]
        """The method's name."""
        return self.method.name

    def unfit(self, query: Query) -> str | None:
        """Return why a query is not acceptable: the method takes one pose, or one Position of the tip."""
        if query.branch is not None or query.weighted:
            return f"branch= and weights= are not for method={self.method.name!r}; leave method out"
        return unfit_for_task(query, self.model)

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield the end of every attempt that reaches the target; finally, the closest configuration of all attempts."""
        start = start_from(query.seed, None, False, self.model)[0]
        for found in attempts(self.task(query), self.method, start, query.deadline):
            yield self._of_goals(query, found) if query.goals and isinstance(found, Answer) else found

    def _of_goals(self, query: Query, found: Answer) -> GoalAnswer:
        """Return an unsuccessful answer as one to the query's goal."""
        problem = goal_problem(query, self.model)
        counts = found.attempt, found.tried, found.timed_out
        return problem.measured(GoalAnswer(found.q, found.status, problem.goals, (), (), *counts, method=self.name))

    def attempt(self, query: Query) -> Attempt | None:
        """Run the method once from the seed, until it reaches the target or stops."""
        task = self.task(query)
        problem, check = task.problem(), task.verification
        start = start_from(query.seed, None, False, self.model)[0]
        q, steps, ok = start, -1, False
        for x in run(problem, self.method, problem.x(start)):
            q, steps = check.closest_copy(problem.q(x), start), steps + 1
            ok = check.reached(q)
            if ok:
                break
        return Attempt(ok, q, steps, problem.evaluations + problem.jacobians)

    def trace(self, query: Query, objective: str) -> Trace:
        """Return every step from the seed until the method stops. One attempt, no restarts."""
        start = start_from(query.seed, None, False, self.model)[0]
        return trace(self.task(query).with_objective(objective), self.method, start)

    def task(self, query: Query) -> Task:
        """Return the task of a query."""
        return make_task(self.model, query)


def attempts(task: Task, method: Iterative, start: Array, deadline: Deadline) -> Iterator[Found]:
    """Yield the end of every attempt that reaches the target; finally, the closest configuration of all attempts."""
    best: tuple[float, Array] | None = None
    tried, late = 0, False
    for attempt in range(ATTEMPTS):
        q, solved, note = attempt_from(task, method, start, attempt)
        tried = attempt + 1
        if solved:
            yield Candidate(q, attempt, tried, note=note)
            continue
        position, rotation = task.verification.errors(q)
        missing = position / task.length + rotation
        if best is None or missing < best[0]:
            best = (missing, q)
        if task.beyond:
            break
        if deadline.over():
            late = tried < ATTEMPTS
            break
    status = Status.OUT_OF_REACH if task.beyond else Status.NOT_FOUND
    yield answer_of(task, method.name, start if best is None else best[1], status, -1, tried, late=late)


def attempt_from(task: Task, method: Iterative, start: Array, attempt: int) -> tuple[Array, bool, str]:
    """Return the end of an attempt, whether it reaches the target, and the method's note. Attempt 0 starts at `start`."""
    check, problem = task.verification, task.problem()
    q = start if attempt == 0 else check.ranges.sample(np.random.default_rng([attempt, 6]), (), task.length)
    q = check.ranges.clamp(q) if check.limits else q
    for _ in range(RETURNS):
        for x in run(problem, method, problem.x(q)):
            q = check.closest_copy(problem.q(x), start)
            if check.reached(q):
                return q, True, problem.note
        at_target, end = check.at_target(q), q
        q = check.ranges.clamp(end) if check.limits else end
        if check.reached(q):
            return q, True, problem.note
        if not at_target:
            break
        q = check.ranges.clamp(2 * q - end)
    return q, False, ""


def run(problem: Problem, method: Iterative, x: Array) -> Iterator[Array]:
    """Yield the start and every step of a method while its numbers are finite. Without joints there is no step."""
    yield x
    if not len(x):
        return
    for count, after in enumerate(method.iterate(problem, np.array(x))):
        if not np.isfinite(after).all() or count >= MOST_STEPS:
            return
        yield np.array(after)


def trace(task: Task, method: Iterative, seed: Array, problem: Problem | None = None) -> Trace:
    """Run a method once from a seed until it stops, and record every step."""
    problem = task.problem() if problem is None else problem
    check = task.verification
    rows: list[tuple[Any, ...]] = []
    for x in run(problem, method, problem.x(np.array(seed))):
        configuration = problem.q(x)
        counted = problem.evaluations, problem.jacobians
        rows.append((configuration, problem.value(x), *check.errors(configuration), *counted))
        problem.evaluations, problem.jacobians = counted
    q, value, position, rotation, evaluations, jacobians = map(np.array, zip(*rows, strict=True))
    ok = check.reached(check.closest_copy(q[-1], np.asarray(seed)))
    return Trace(method.name, q, value, position, rotation, evaluations, jacobians, ok)


def answer_of(
    task: Task, name: str, q: Array, status: Status, attempt: int, tried: int, *, late: bool = False, why: str = ""
) -> Answer:
    """Return a verified configuration as an answer."""
    errors = task.verification.errors(q)
    return Answer(q, int(status), attempt, tried, *errors, task.target, name, why, late)

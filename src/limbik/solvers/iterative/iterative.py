"""Iterative methods: how one is run, traced, and turned into candidates.

A method is a class with its settings as fields and `iterate(problem, x)`, a generator: it yields x after every step and returns
when its own tolerance is met or it gives up. It does not decide about success. The verification does, by forward kinematics, the
rotation logarithm and the limits, so that neither a residual with false zeros nor optimism decides.
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
from limbik.solvers.budget import Budget
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.task import Task, make_task, unfit_for_task
from limbik.solvers.method import Found, Method, Solver
from limbik.solvers.query import Options, Query
from limbik.solvers.trace import Trace

# Starts before a target counts as not found: the seed, and random configurations.
ATTEMPTS = 32
# A method that ends at the target but outside the limits is sent back, from its mirror image inside, so many times in all.
RETURNS = 8
# No method takes more steps than this in one attempt, whatever its settings say.
MOST_STEPS = 5000


@dataclass(frozen=True)
class Iterative(Method):
    """An iterative method: `iterate` is all that a new one adds."""

    family = "iterative"
    goals = ("Pose", "Position")
    iterative = True

    @abstractmethod
    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every step."""

    def prepare(self, model: Model, options: Options) -> "IterativeSolver":
        """Return the solver for a model."""
        return IterativeSolver(self, model, options)


@dataclass(frozen=True, eq=False)
class IterativeSolver(Solver):
    """An iterative method on a model: attempts from the seed and from random starts."""

    method: Iterative
    model: Model
    options: Options

    @property
    def name(self) -> str:  # type: ignore[override]
        """The method's name."""
        return self.method.name

    def unfit(self, query: Query) -> str | None:
        """Return why a query does not fit: it takes one pose, or one Position of the tip."""
        if query.branch is not None or query.weighted:
            return f"branch= and weights= are not for method={self.method.name!r}; leave method out"
        return unfit_for_task(query, self.model)

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield the end of every attempt that reaches the target; at last, the closest configuration of all."""
        start = start_from(query.seed, None, False, self.model)[0]
        yield from attempts(self.task(query), self.method, start, query.deadline)

    def trace(self, query: Query, objective: str) -> Trace:
        """Return every step from the seed to the method's own end. One attempt, no restarts."""
        start = start_from(query.seed, None, False, self.model)[0]
        return trace(self.task(query).with_objective(objective), self.method, start)

    def task(self, query: Query) -> Task:
        """Return the task of a query."""
        return make_task(query.goals[0] if query.goals else query.target, self.options, self.model)


def attempts(task: Task, method: Iterative, start: Array, deadline: Budget) -> Iterator[Answer]:
    """Yield the end of every attempt that reaches the target; at last, the closest configuration of all."""
    best: tuple[float, Array] | None = None
    tried, late = 0, False
    for attempt in range(ATTEMPTS):
        q, solved, note = attempt_from(task, method, start, attempt)
        tried = attempt + 1
        if solved:
            why = f"solved by {method.name} {_start_named(attempt)}: {note}" if note else ""
            yield answer_of(task, method.name, q, Status.SOLVED, attempt, tried, why=why)
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
    """Return where an attempt ends, whether the target is reached there, and the method's note. Attempt 0 is the start."""
    check, problem = task.verification, task.problem()
    q = start if attempt == 0 else check.ranges.sample(np.random.default_rng([attempt, 6]), (), task.length)
    q = check.ranges.clamp(q) if check.limits else q
    for _ in range(RETURNS):
        for x in run(problem, method, problem.x(q)):
            q = check.closest_copy(problem.q(x), start)
            if check.reached(q):
                return q, True, problem.note
        outside, end = check.there(q), q
        q = check.ranges.clamp(end) if check.limits else end
        if check.reached(q):
            return q, True, problem.note
        if not outside:
            break
        q = check.ranges.clamp(2 * q - end)
    return q, False, ""


def run(problem: Problem, method: Iterative, x: Array) -> Iterator[Array]:
    """Yield the start and every step of a method, as far as its numbers stay finite."""
    yield x
    for count, after in enumerate(method.iterate(problem, np.array(x))):
        if not np.isfinite(after).all() or count >= MOST_STEPS:
            return
        yield np.array(after)


def trace(task: Task, method: Iterative, seed: Array, problem: Problem | None = None) -> Trace:
    """Run a method once from a seed, to its own end, and record every step."""
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


def _start_named(attempt: int) -> str:
    return "from the seed" if attempt == 0 else f"at attempt {attempt}"

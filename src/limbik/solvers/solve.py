"""The dispatcher: a query goes to the solver of a method, its candidates pass the filters, one becomes the answer.

query -> prepared solver -> fits? -> candidates -> verified -> branch, valid, prefer -> answer
                                            \\-> none: proof, closest configuration
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import BadOption, LimbikError, ShapeError, shown
from limbik.geometry.se3 import matrices
from limbik.goals.given import start_from
from limbik.goals.pose import Pose
from limbik.model.model import Model
from limbik.solvers.all_postures import thread_count
from limbik.solvers.answer import restated
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.iterative.task import check_objective, unfit_for_task
from limbik.solvers.method import Candidate, Solver
from limbik.solvers.query import Query, make_query
from limbik.solvers.registry import iterative, prepared
from limbik.solvers.solver_set import solver_set
from limbik.solvers.trace import Trace
from limbik.solvers.verify import verification

# Attempts whose solutions are compared by `prefer`.
COMPARED = 48


def solve(model: Model, query: Query, method: Any = None) -> Answer | GoalAnswer:
    """Return the answer to a query by a method: its name, an object with settings, or None for the best there is.

    Raises BadOption where the query does not fit the method.
    """
    solver = prepared(model, query, method)
    _check_fit(solver, query)
    answer: Answer | GoalAnswer = choose(model, solver, query)
    return answer


def bind(model: Model, method: Any = None) -> Callable[[Any, Any], Any]:
    """Return a function of a target and a seed that solves with the ordinary options: what a caller keeps for speed."""
    ordinary = Query(np.eye(4))
    solver = prepared(model, ordinary, method)
    _check_fit(solver, ordinary)
    bound = solver.bound()
    return bound if bound is not None else lambda T, seed: solve(model, make_query(model, T, seed), method)


def solve_batch(
    model: Model, query: Query, Ts: Any, seeds: Any, threads: Any, invalid: Any, method: Any = None
) -> BatchAnswer:
    """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit."""
    if not isinstance(invalid, str) or invalid not in ("raise", "mark"):
        raise BadOption(f"invalid={shown(invalid)} is not known; use 'raise' or 'mark'")
    solver = prepared(model, query, method)
    _check_fit(solver, query)
    batch = solver.rows(query, Ts, seeds, thread_count(threads), mark=invalid == "mark")
    if batch is not None and not query.chooses:
        return batch
    targets = np.asarray(matrices(Ts), np.float64)
    if targets.ndim != 3 or targets.shape[1:] != (4, 4):
        raise ShapeError(f"solve_batch takes targets of shape (N, 4, 4); got {targets.shape}")
    starts = None if seeds is None else np.asarray(seeds, np.float64)
    rows: dict[int, Answer] = {}
    for row, T in enumerate(targets):
        if batch is not None and batch.status[row] == Status.INVALID:
            continue
        target = T if batch is None else batch.target[row]
        seed = starts[row] if starts is not None and starts.ndim == 2 else starts
        rows[row] = _row(model, solver, query.at(target, seed), row, mark=invalid == "mark")
    if batch is not None:
        return batch.replaced(rows)
    name = next((answer.method for answer in rows.values()), "lm")
    return BatchAnswer.of(list(rows.values()), model.n, name)


def trace(model: Model, query: Query, method: Any, objective: Any = "log") -> Trace:
    """Return the record of an iterative method from the seed to its own end. Raises BadOption for other methods."""
    check_objective(objective)
    chosen = iterative(method)
    sentence = unfit_for_task(query, model)
    if sentence is not None:
        raise BadOption(sentence)
    return chosen.prepare(model, query.options).trace(query, objective)


def choose(model: Model, solver: Solver, query: Query) -> Any:
    """Return the first candidate that passes the filters, or the best of the compared ones; else why there is none.

    BLOCKED where `valid` refused every solution found. A solution that there was no time to ask about is NOT_FOUND.
    """
    valid, score = query.preference.valid, query.preference.score
    best: tuple[float, Any] | None = None
    first = refused = failure = None
    asked, late = 0, False
    for answer in _verified(model, solver, query):
        if not answer.ok:
            failure = answer
            if best is not None or refused is None:
                break
            continue
        first = answer if first is None else first
        if best is not None and answer.attempt >= COMPARED:
            break
        if not query.preference.chooses:
            return answer
        if query.deadline.over():
            late = True
            break
        asked += 1
        if valid is not None and not valid(answer.q):
            refused = answer if refused is None or answer.attempt > refused.attempt else refused
        elif score is None:
            return answer
        else:
            value = score(answer.q)
            best = (value, answer) if best is None or value > best[0] else best
    if best is not None:
        return best[1]
    if refused is not None:
        tried = max(asked, refused.tried, 0 if failure is None else failure.tried)
        late = late or (failure is not None and failure.timed_out)
        return _unusable(refused, Status.BLOCKED, tried, timed_out=late)
    if first is not None:
        return first if valid is None else _unusable(first, Status.NOT_FOUND, first.tried, timed_out=True)
    return _without_solution(model, solver, query, failure)


def _verified(model: Model, solver: Solver, query: Query) -> Iterator[Any]:
    """Yield what a solver finds as verified answers of the wanted branch; a candidate that is no solution is dropped."""
    check, start = None, None
    for found in solver.candidates(query):
        if isinstance(found, Candidate):
            if check is None or start is None:
                target = np.array(Pose.at(None, query.target).T)
                check = verification(model, target, query.options)
                start = start_from(query.seed, None, False, model)[0]
            q = check.closest_copy(np.asarray(found.q, np.float64), start)
            if not check.reached(q):
                continue
            found = Answer(
                q, int(Status.SOLVED), found.attempt, found.tried, *check.errors(q), check.target, solver.name, found.note,
                False, found.branch, False, found.steps,
            )  # fmt: skip
        if query.branch is None or not found.ok or found.branch == query.branch:
            yield found


def _without_solution(model: Model, solver: Solver, query: Query, failure: Any) -> Any:
    """Return the closest configuration, with the solver's proof. A proof that a solution contradicts is not believed."""
    if failure is not None:
        return failure
    proof = solver.proof(query)
    closest = solver_set(model, *query.options).pose.solve(
        query.target, query.seed, 0, query.deadline.left(), True, *query.weights
    )
    if not closest.ok and query.branch is not None:
        return closest
    status, why = (Status.NOT_FOUND, "") if proof is None else proof
    if closest.ok and query.branch is None:
        status, why = Status.NOT_FOUND, f"{solver.name} found none, but there is one: {closest.why}"
    elif closest.ok:
        why = f"{why}; q is branch {closest.branch}"
    name = closest.method if query.branch is not None else solver.name
    return Answer(closest.q, int(status), -1, 0, closest.position_error, closest.rotation_error, closest.target,
                  name, why, False, -1 if closest.branch is None else closest.branch)  # fmt: skip


def _row(model: Model, solver: Solver, query: Query, row: int, *, mark: bool) -> Answer:
    """Return one row of a batch; a target that is no rigid pose raises, or is marked INVALID."""
    try:
        Pose.at(None, query.target)
    except LimbikError as error:
        if not mark:
            raise type(error)(f"target {row}: {error}") from None
        q = start_from(query.seed, None, False, model)[0]
        nothing = np.full((4, 4), np.nan)
        return Answer(q, int(Status.INVALID), -1, 0, np.nan, np.nan, nothing, solver.name, "")
    answer = choose(model, solver, query)
    assert isinstance(answer, Answer)
    return answer


def _check_fit(solver: Solver, query: Query) -> None:
    sentence = solver.unfit(query)
    if sentence is not None:
        raise BadOption(sentence)


def _unusable(answer: Any, status: Status, tried: int, *, timed_out: bool) -> Any:
    """Return a solution that may not be used: its configuration and errors, another status."""
    if isinstance(answer, GoalAnswer):
        return answer.restated(status, tried, timed_out=timed_out)
    return restated(answer, status, tried, timed_out=timed_out)

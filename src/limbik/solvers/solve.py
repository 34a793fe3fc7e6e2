"""The dispatcher: the solver of a method yields candidates for a query; one that passes all filters is the answer.

query -> prepared solver -> fits? -> candidates -> verified -> branch, valid, prefer -> answer
                                            \\-> none: proof, closest configuration
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import BadOption, LimbikError, ShapeError, shown
from limbik.geometry.arrays import numbers
from limbik.geometry.se3 import matrices
from limbik.goals.given import is_goals, start_from
from limbik.goals.pose import Pose
from limbik.model.model import Model
from limbik.solvers.all_postures import thread_count
from limbik.solvers.answer import restated
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.check import Check
from limbik.solvers.compiled import goal_problem, unfit_for_branch, unfit_for_goals
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.goal_solver import goal_candidates
from limbik.solvers.iterative.task import check_objective, unfit_for_task
from limbik.solvers.method import Candidate, Proof, Solver, as_candidate, is_trusted
from limbik.solvers.query import Query, isolated, make_query
from limbik.solvers.registry import iterative, prepared
from limbik.solvers.solver_set import solver_set
from limbik.solvers.trace import Trace

# Number of attempts whose solutions `prefer` compares.
COMPARED = 48
# The most candidates taken from a method that is not compiled: a method that never stops is stopped.
MOST_CANDIDATES = 10_000
# The statuses that the core claims only if it has proven them.
PROVEN = (Status.OUT_OF_REACH, Status.LIMITS)
# The statuses that a proof of a foreign method may have.
PROOFS = (Status.OUT_OF_REACH, Status.LIMITS, Status.NOT_FOUND)


def solve(model: Model, query: Query, method: Any = None) -> Answer | GoalAnswer:
    """Return the answer to a query. method: a name, an object with settings, or None for the best method for the model.

    Raises BadOption where the query does not fit the method.
    """
    solver = prepared(model, query, method)
    query = query if is_trusted(solver) else isolated(query)
    _check_fit(model, solver, query)
    answer: Answer | GoalAnswer = choose(model, solver, query)
    return answer


def bind(model: Model, method: Any = None) -> Callable[[Any, Any], Any]:
    """Return a function of a target and a seed that solves with default options; keep it for speed."""
    default = Query(np.eye(4))
    solver = prepared(model, default, method)
    _check_fit(model, solver, default)
    bound = solver.bound() if is_trusted(solver) else None
    return bound if bound is not None else lambda T, seed: solve(model, make_query(model, T, seed), method)


def solve_batch(
    model: Model, query: Query, Ts: Any, seeds: Any, threads: Any, invalid: Any, method: Any = None
) -> BatchAnswer:
    """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit.

    query: the options; its target and seed are not used. seeds: (n,) for all rows, (N, n), or None. invalid: whether a target
    that is no rigid pose raises an error ("raise"), or its row is marked INVALID ("mark"). Raises BadOption, ShapeError.
    """
    if type(Ts) is not np.ndarray and is_goals(Ts):
        raise BadOption("solve_batch takes an array of poses, (N, 4, 4); solve takes goals, one query at a time")
    if not isinstance(invalid, str) or invalid not in ("raise", "mark"):
        raise BadOption(f"invalid={shown(invalid)} is not known; use 'raise' or 'mark'")
    solver = prepared(model, query, method)
    _check_fit(model, solver, query)
    trusted, count = is_trusted(solver), thread_count(threads)
    # Where the query filters or compares solutions, only the normalised targets and INVALID marks of the batch are used.
    batch = solver.rows(query, Ts, seeds, count, mark=invalid == "mark") if trusted else None
    if batch is not None and not query.chooses:
        return batch
    targets = np.asarray(matrices(Ts), np.float64)
    if targets.ndim != 3 or targets.shape[1:] != (4, 4):
        raise ShapeError(f"solve_batch takes targets of shape (N, 4, 4); got {targets.shape}")
    starts = None if seeds is None else numbers(seeds, "seeds must be numbers, (n,) or (N, n)")
    if starts is not None and starts.shape not in ((model.n,), (len(targets), model.n)):
        raise ShapeError(f"seeds must be ({model.n},) or ({len(targets)}, {model.n}); got shape {starts.shape}")
    answers: dict[int, Answer] = {}
    for row, T in enumerate(targets):
        if batch is not None and batch.status[row] == Status.INVALID:
            continue
        target = T if batch is None else batch.target[row]
        seed = starts[row] if starts is not None and starts.ndim == 2 else starts
        row_query = query.at(target, seed) if trusted else isolated(query.at(target, seed))
        answers[row] = _solve_row(model, solver, row_query, row, mark=invalid == "mark")
    if batch is not None:
        return batch.replaced(answers)
    return BatchAnswer.of(list(answers.values()), model.n, solver.name)


def trace(model: Model, query: Query, method: Any, objective: Any = "log") -> Trace:
    """Return the iterations of an iterative method, from the seed until it stops. Raises BadOption for other methods."""
    check_objective(objective)
    chosen = iterative(method)
    sentence = unfit_for_task(query, model)
    if sentence is not None:
        raise BadOption(sentence)
    return chosen.prepare(model, query.options).trace(query, objective)


def choose(model: Model, solver: Solver, query: Query) -> Any:
    """Return the first candidate that passes the filters, or the best of those compared; else the failure.

    BLOCKED if `valid` refused every solution found. NOT_FOUND if the deadline passed before `valid` was evaluated.
    """
    valid, score = query.preference.valid, query.preference.score
    best: tuple[float, Any] | None = None
    first = refused = failure = None
    checked, late = 0, False
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
        checked += 1
        if valid is not None and not valid(answer.q):
            # the last attempt, which counts the most of those tried
            refused = answer if refused is None or answer.attempt > refused.attempt else refused
        elif score is None:
            return answer
        else:
            value = score(answer.q)
            best = (value, answer) if best is None or value > best[0] else best
    if best is not None:
        return best[1]
    if refused is not None:
        tried = max(checked, refused.tried, 0 if failure is None else failure.tried)
        late = late or (failure is not None and failure.timed_out)
        return _unusable(refused, Status.BLOCKED, tried, timed_out=late)
    if first is not None:
        return first if valid is None else _unusable(first, Status.NOT_FOUND, first.tried, timed_out=True)
    return _without_solution(model, solver, query, failure)


def _verified(model: Model, solver: Solver, query: Query) -> Iterator[Any]:
    """Yield the verified candidates of a solver that are of the required branch, and the answers of a trusted solver."""
    check, trusted = Check(model, query), is_trusted(solver)
    found_all = solver.candidates(query if trusted else isolated(query))
    if not isinstance(found_all, Iterable):
        raise BadOption(f"`candidates` of method {solver.name!r} yields candidates; it returned {shown(found_all)}")
    for found in islice(found_all, None if trusted else MOST_CANDIDATES):
        verified = trusted and not isinstance(found, Candidate)
        answer: Any = found if verified else check.answer(as_candidate(found), solver.name)
        if not trusted and answer is None and query.deadline.over():
            return
        if answer is not None and (query.branch is None or not answer.ok or answer.branch == query.branch):
            yield answer


def _without_solution(model: Model, solver: Solver, query: Query, failure: Any) -> Any:
    """Return the closest configuration, with the solver's proof. A proof contradicted by a solution is discarded."""
    if failure is not None:
        return failure
    proof = _proof(solver, query)
    if query.goals:
        return _without_solution_of_goals(model, solver, query, proof)
    closest = solver_set(model, *query.options).pose.solve(
        query.target, query.seed, 0, query.deadline.left(), True, *query.weights
    )
    if not closest.ok and query.branch is not None:
        return closest
    late = query.deadline.over() or closest.timed_out
    status, why = (Status.NOT_FOUND, "") if proof is None else proof
    if closest.ok and query.branch is None:
        status, why = Status.NOT_FOUND, f"{solver.name} found no solution, but one exists: {closest.why}"
    elif closest.ok:
        why = "; ".join(filter(None, (why, f"q is branch {closest.branch}")))
    elif late and not is_trusted(solver):
        status, why = Status.NOT_FOUND, ""  # there was no time to look for a solution that contradicts the proof
    elif closest.status in PROVEN and status != closest.status:
        status, why = closest.status, ""  # the core's own evidence; another proof adds nothing or contradicts it
    elif status == Status.OUT_OF_REACH and not is_trusted(solver) and _reached_without_limits(model, query):
        status, why = (
            Status.NOT_FOUND,
            f"{solver.name} claims that nothing reaches the target, but outside the limits q exists",
        )
    name = closest.method if query.branch is not None and is_trusted(solver) else solver.name
    return Answer(closest.q, int(status), -1, 0, closest.position_error, closest.rotation_error, closest.target,
                  name, why, late, -1 if closest.branch is None else closest.branch)  # fmt: skip


def _contradicts(status: Status, proof: Proof | None) -> bool:
    """Return whether the core has proven another status than a proof claims."""
    return proof is not None and status in PROVEN and status != proof.status


def _reached_without_limits(model: Model, query: Query) -> bool:
    """Return whether some configuration reaches the target if limits are ignored."""
    options = query.options._replace(limits=False)
    return bool(solver_set(model, *options).pose.solve(query.target, query.seed, 0, query.deadline.left(), True).ok)


def _without_solution_of_goals(model: Model, solver: Solver, query: Query, proof: Proof | None) -> GoalAnswer:
    """Return the configuration closest to goals, with the solver's proof unless attempts contradict it."""
    closest = next(goal_candidates(goal_problem(query, model)))
    if not closest.ok:
        foreign = not is_trusted(solver)
        proof = None if foreign and (closest.timed_out or _contradicts(closest.status, proof)) else proof
        status = closest.status if proof is None else proof.status
        return replace(closest, status=status, method=solver.name, proof=closest.proof if proof is None else proof.why)
    note = f"{solver.name} found no solution, but one exists: {closest.why}"
    return replace(closest, status=Status.NOT_FOUND, attempt=-1, method=solver.name, note=note)


def _proof(solver: Solver, query: Query) -> Proof | None:
    """Return a solver's proof. A foreign proof is discarded if its status is not one of PROOFS, or if a branch is required."""
    proof = solver.proof(query if is_trusted(solver) else isolated(query))
    if proof is None or is_trusted(solver):
        return proof
    if not isinstance(proof, Proof) or not isinstance(proof.why, str):
        raise BadOption(f"`proof` of method {solver.name!r} returns None or Proof(status, why), not {shown(proof)}")
    return proof if proof.status in PROOFS and query.branch is None else None


def _solve_row(model: Model, solver: Solver, query: Query, row: int, *, mark: bool) -> Answer:
    """Return the answer to one row of a batch. A target that is no rigid pose raises an error, or the row is marked INVALID."""
    try:
        Pose.at(None, query.target)
    except LimbikError as error:
        if not mark:
            raise type(error)(f"target {row}: {error}") from None
        q = start_from(query.seed, None, False, model)[0]
        no_pose = np.full((4, 4), np.nan)
        return Answer(q, int(Status.INVALID), -1, 0, np.nan, np.nan, no_pose, solver.name, "")
    answer = choose(model, solver, query)
    assert isinstance(answer, Answer)
    return answer


def _check_fit(model: Model, solver: Solver, query: Query) -> None:
    """Raise BadOption for options that contradict the query, and for queries that the method does not accept."""
    sentence = unfit_for_goals(query) if query.goals else unfit_for_branch(model, query)
    if sentence is None:
        sentence = solver.unfit(query if is_trusted(solver) else isolated(query))
    if sentence is not None:
        raise BadOption(sentence)


def _unusable(answer: Any, status: Status, tried: int, *, timed_out: bool) -> Any:
    """Return the answer with another status; its configuration and errors are kept."""
    if isinstance(answer, GoalAnswer):
        return answer.restated(status, tried, timed_out=timed_out)
    return restated(answer, status, tried, timed_out=timed_out)

"""The runs behind `limbik compare`: each method on the same targets of one chain, and what it did with them."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from limbik.cli.console import watched
from limbik.cli.contest import PATIENCE
from limbik.cli.units import slides
from limbik.errors import BadOption, LimbikError
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.solvers.iterative.iterative import Iterative, run
from limbik.solvers.iterative.task import Task, make_task, unfit_for_task
from limbik.solvers.query import Options, make_query
from limbik.solvers.registry import METHODS


@dataclass(frozen=True)
class Try:
    """What one method did with one target. steps and evaluations: None for methods that do not tell."""

    ok: bool
    seconds: float
    steps: int | None
    evaluations: int | None
    turn_deg: float
    slide_m: float


@dataclass(frozen=True)
class Row:
    """What one method did with all its targets: shares in per cent; of the solved, medians, and the largest joint jump."""

    method: str
    targets: int
    success: float
    steps: float | None
    evaluations: float | None
    median_ms: float
    p95_ms: float
    median_turn_deg: float | None
    largest_turn_deg: float | None
    largest_slide_m: float | None


def problems(arm: Chain, count: int, seed: int, near: float | None) -> tuple[Array, Array]:
    """Return (count, n) postures whose poses are the targets, and (count, n) starts, all inside the limits."""
    rng = np.random.default_rng(seed)
    truth = arm.sample(rng, count)
    if near is None:
        return truth, arm.sample(rng, count)
    step = rng.uniform(-near, near, truth.shape)
    step[:, slides(arm)] *= arm.model.length
    return truth, arm.clamp(arm.integrate(truth, step))


def applicable(arm: Chain, names: list[str], q: Array) -> tuple[list[str], dict[str, str]]:
    """Return the methods that take poses of this arm, and for the others a sentence that says why not."""
    fit, left_out = [], {}
    for name in names:
        try:
            if not {"Pose", "*"} & set(METHODS[name].goals):
                raise BadOption(f"it takes {' or '.join(METHODS[name].goals)} goals, no poses")
            if METHODS[name].iterative:
                if (sentence := unfit_for_task(make_query(arm.model, arm.forward(q), q), arm.model)) is not None:
                    raise BadOption(sentence)
            else:
                arm.solve(arm.forward(q), seed=q, method=name)
        except LimbikError as error:
            left_out[name] = str(error)
        else:
            fit.append(name)
    return fit, left_out


def measure(arm: Chain, names: list[str], truth: Array, starts: Array) -> list[Row]:
    """Return a row for each method, the most successful first, then the fastest."""
    poses = arm.forward(truth)
    _warm_up(arm, names, poses, starts)
    tries: dict[str, list[Try]] = {name: [] for name in names}
    spent = dict.fromkeys(names, 0.0)
    work = [(name, k) for name in names for k in range(len(truth))]
    for name, k in watched(work, f"{len(names)} methods, {len(truth)} targets"):
        if spent[name] <= PATIENCE:
            tries[name].append(_try(arm, name, poses[k], starts[k]))
            spent[name] += tries[name][-1].seconds
    rows = [_row(name, done) for name, done in tries.items()]
    return sorted(rows, key=lambda row: (-row.success, row.median_ms))


def _warm_up(arm: Chain, names: list[str], poses: Array, starts: Array) -> None:
    """Let each method import and tabulate what it needs: that is not its own time.

    Steps need one target; the methods of the core, which are fast, have them all: any may be the first that needs a table.
    """
    for name in names:
        for k in range(1 if METHODS[name].iterative else len(poses)):
            _try(arm, name, poses[k], starts[k])


def _try(arm: Chain, name: str, T: Array, start: Array) -> Try:
    if not METHODS[name].iterative:
        begun = perf_counter()
        answer = arm.solve(T, seed=start, method=name)
        seconds = perf_counter() - begun
        return Try(bool(answer.ok), seconds, None, None, *jump(arm, answer.q, start))
    task = make_task(T, Options(), arm.model)
    begun = perf_counter()
    ok, q, steps, evaluations = attempt(task, name, start)
    return Try(ok, perf_counter() - begun, steps, evaluations, *jump(arm, q, start))


def attempt(task: Task, name: str, start: Array) -> tuple[bool, Array, int, int]:
    """Run a method once, until it is there or gives up; return (ok, q, steps, evaluations of the hand and its Jacobian)."""
    method, problem, check = METHODS[name], task.problem(), task.verification
    assert isinstance(method, Iterative)
    q, taken = start, 0
    for k, x in enumerate(run(problem, method, problem.x(start))):
        q, taken = check.closest_copy(problem.q(x), start), k
        if check.reached(q):
            return True, q, taken, problem.evaluations + problem.jacobians
    return False, q, taken, problem.evaluations + problem.jacobians


def jump(arm: Chain, q: Array, start: Array) -> tuple[float, float]:
    """Return the largest joint difference: degrees of joints that turn, metres of those that slide."""
    gap = np.abs(arm.difference(start, q))
    metres = slides(arm)
    return float(np.degrees(gap[~metres].max(initial=0.0))), float(gap[metres].max(initial=0.0))


def _row(name: str, tries: list[Try]) -> Row:
    solved = [t for t in tries if t.ok]
    times = np.array([t.seconds for t in tries]) * 1e3
    told = [t for t in solved if t.steps is not None]
    return Row(
        method=name,
        targets=len(tries),
        success=100.0 * len(solved) / len(tries),
        steps=float(np.median([t.steps for t in told])) if told else None,
        evaluations=float(np.median([t.evaluations for t in told])) if told else None,
        median_ms=float(np.median(times)),
        p95_ms=float(np.percentile(times, 95)),
        median_turn_deg=float(np.median([t.turn_deg for t in solved])) if solved else None,
        largest_turn_deg=max(t.turn_deg for t in solved) if solved else None,
        largest_slide_m=max(t.slide_m for t in solved) if solved else None,
    )

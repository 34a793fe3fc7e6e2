"""The runs of `limbik compare`: each method on the same targets of one chain, with its statistics."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from limbik.cli.console import watched
from limbik.cli.contest import TIME_LIMIT
from limbik.cli.units import in_metres
from limbik.errors import BadOption, LimbikError
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.solvers.iterative.task import unfit_for_task
from limbik.solvers.query import make_query
from limbik.solvers.registry import METHODS, prepared, traceable


@dataclass(frozen=True)
class Try:
    """The result of one method for one target. steps, evaluations: None for methods that do not report them."""

    ok: bool
    seconds: float
    steps: int | None
    evaluations: int | None
    jump_deg: float
    jump_m: float


@dataclass(frozen=True)
class Row:
    """The result of one method for all targets: shares [%], medians over solved targets, and the largest joint jump."""

    method: str
    targets: int
    success: float
    steps: float | None
    evaluations: float | None
    median_ms: float
    p95_ms: float
    median_jump_deg: float | None
    largest_jump_deg: float | None
    largest_jump_m: float | None


def problems(arm: Chain, count: int, seed: int, near: float | None) -> tuple[Array, Array]:
    """Return (count, n) postures whose poses are the targets, and (count, n) starts, all inside the limits."""
    rng = np.random.default_rng(seed)
    truth = arm.sample(rng, count)
    if near is None:
        return truth, arm.sample(rng, count)
    step = rng.uniform(-near, near, truth.shape)
    step[:, in_metres(arm)] *= arm.model.length
    return truth, arm.clamp(arm.model.integrate(truth, step))


def applicable(arm: Chain, names: list[str], q: Array) -> tuple[list[str], dict[str, str]]:
    """Return the methods that accept poses of this arm, and the reason for each of the others."""
    fit, left_out = [], {}
    for name in names:
        try:
            if not {"Pose", "*"} & set(METHODS[name].goals):
                raise BadOption(f"it takes {' or '.join(METHODS[name].goals)} goals, not poses")
            _try(arm, name, arm.forward(q), q)
        except LimbikError as error:
            left_out[name] = str(error)
        else:
            fit.append(name)
    return fit, left_out


def with_trace(arm: Chain, names: list[str], q: Array) -> list[str]:
    """Return the methods whose steps to a pose of this arm can be traced."""
    if unfit_for_task(make_query(arm.model, arm.forward(q), q), arm.model) is not None:
        return []
    return [name for name in names if name in traceable()]


def measure(arm: Chain, names: list[str], truth: Array, starts: Array) -> list[Row]:
    """Return a row for each method, the most successful first, then the fastest."""
    poses = arm.forward(truth)
    _warm_up(arm, names, poses, starts)
    tries: dict[str, list[Try]] = {name: [] for name in names}
    spent = dict.fromkeys(names, 0.0)
    work = [(name, k) for name in names for k in range(len(truth))]
    for name, k in watched(work, f"{len(names)} methods, {len(truth)} targets"):
        if spent[name] <= TIME_LIMIT:
            tries[name].append(_try(arm, name, poses[k], starts[k]))
            spent[name] += tries[name][-1].seconds
    rows = [_row(name, done) for name, done in tries.items()]
    return sorted(rows, key=lambda row: (-row.success, row.median_ms))


def _warm_up(arm: Chain, names: list[str], poses: Array, starts: Array) -> None:
    """Run each method once, so that imports and tables are not part of the measured time.

    A method that counts its steps runs once. The others run on all targets, since any target may be the first to need a table.
    """
    for name in names:
        for T, start in zip(poses, starts, strict=True):
            if _try(arm, name, T, start).steps is not None:
                break


def _try(arm: Chain, name: str, T: Array, start: Array) -> Try:
    """Run a method on a target: one attempt if it counts its steps, else `solve`. Raises BadOption."""
    query = make_query(arm.model, T, start)
    solver = prepared(arm.model, query, name)
    if (reason := solver.unfit(query)) is not None:
        raise BadOption(reason)
    begun = perf_counter()
    once = solver.attempt(query)
    seconds = perf_counter() - begun
    if once is not None:
        return Try(once.ok, seconds, once.steps, once.evaluations, *jump(arm, once.q, start))
    begun = perf_counter()
    answer = arm.solve(T, seed=start, method=name)
    seconds = perf_counter() - begun
    return Try(bool(answer.ok), seconds, None, None, *jump(arm, answer.q, start))


def jump(arm: Chain, q: Array, start: Array) -> tuple[float, float]:
    """Return the largest joint difference: [deg] of revolute joints, [m] of prismatic joints."""
    gap = np.abs(arm.model.difference(start, q))
    metres = in_metres(arm)
    return float(np.degrees(gap[~metres].max(initial=0.0))), float(gap[metres].max(initial=0.0))


def _row(name: str, tries: list[Try]) -> Row:
    solved = [t for t in tries if t.ok]
    times = np.array([t.seconds for t in tries]) * 1e3
    counted = [t for t in solved if t.steps is not None]
    return Row(
        method=name,
        targets=len(tries),
        success=100.0 * len(solved) / len(tries),
        steps=float(np.median([t.steps for t in counted])) if counted else None,
        evaluations=float(np.median([t.evaluations for t in counted])) if counted else None,
        median_ms=float(np.median(times)),
        p95_ms=float(np.percentile(times, 95)),
        median_jump_deg=float(np.median([t.jump_deg for t in solved])) if solved else None,
        largest_jump_deg=max(t.jump_deg for t in solved) if solved else None,
        largest_jump_m=max(t.jump_m for t in solved) if solved else None,
    )

"""What every contest with a peer rests on: poses by NumPy alone, errors, distinct postures, times of single calls."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.cli.console import watched
from limbik.geometry.angles import TURN, wrap
from limbik.geometry.arrays import Array
from limbik.model.joint import Joint, Kind
from limbik.robot.chain import Chain

# A contestant that needs longer than this in all is given fewer targets [s].
PATIENCE = 20.0
# Calls of one contestant before the next has its turn.
TURN_CALLS = 100
# Outside a limit by less than this counts as on it: peers round as they like [rad, m].
LIMIT_SLACK = 1e-9


def numpy_forward(arm: Chain, q: Array) -> Array:
    """Return tip poses (N, 4, 4) from the joints' origins and axes alone, with NumPy."""
    up, down = arm.mechanism.ancestry(arm.base), arm.mechanism.ancestry(arm.tip)
    shared = sum(a is b for a, b in zip(up, down, strict=False))
    T_fork_tip = _carried(arm, q, down[shared:])
    if len(up) == shared:
        return T_fork_tip
    return np.asarray(np.linalg.solve(_carried(arm, q, up[shared:]), T_fork_tip))


def _carried(arm: Chain, q: Array, joints: Sequence[Joint]) -> Array:
    """Return the product of joints, one after the other: (N, 4, 4)."""
    T = np.broadcast_to(np.eye(4), (len(q), 4, 4))
    for joint in joints:
        T = T @ joint.origin
        if joint.kind is Kind.FIXED:
            continue
        driver, multiplier, offset = arm.mechanism.driver(joint)
        x = multiplier * q[:, arm.joint_names.index(driver.name)] + offset
        M = np.broadcast_to(np.eye(4), (len(q), 4, 4)).copy()
        a = np.asarray(joint.axis)
        if joint.kind is Kind.PRISMATIC:
            M[:, :3, 3] = x[:, None] * a
        else:
            K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
            M[:, :3, :3] += np.sin(x)[:, None, None] * K + (1 - np.cos(x))[:, None, None] * (K @ K)
        T = T @ M
    return np.asarray(T)


def pose_errors(arm: Chain, q: Array, T: Array) -> tuple[Array, Array]:
    """Return how far postures (N, n) are from their targets: (N,) position [m] and rotation [rad]."""
    actual = numpy_forward(arm, q)
    R = np.swapaxes(actual[:, :3, :3], 1, 2) @ T[:, :3, :3]
    twice_sine = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    angle = np.arctan2(np.linalg.norm(twice_sine, axis=1), np.trace(R, axis1=1, axis2=2) - 1)
    return np.linalg.norm(actual[:, :3, 3] - T[:, :3, 3], axis=1), angle


def inside_limits(arm: Chain, q: Array) -> npt.NDArray[np.bool_]:
    """Tell which postures (N, n) keep the limits once whole turns are taken off."""
    over = np.where(np.isfinite(arm.upper), (q - arm.upper - LIMIT_SLACK) / TURN, 0)
    turned = np.where(arm.model.revolute, q - TURN * np.ceil(over), q)
    inside = (turned >= arm.lower - LIMIT_SLACK) & (turned <= arm.upper + LIMIT_SLACK)
    return np.asarray(inside.all(axis=1))


def apart(arm: Chain, a: Array, b: Array) -> Array:
    """Return the largest joint difference between postures (..., n), modulo whole turns."""
    gap = a - b
    return np.asarray(np.abs(np.where(arm.model.revolute, wrap(gap), gap)).max(axis=-1))


def distinct(arm: Chain, q: Array, tolerance: float) -> Array:
    """Return the postures of q (k, n) without repetitions modulo whole turns."""
    kept: list[Array] = []
    for row in q:
        if all(apart(arm, row, other) > tolerance for other in kept):
            kept.append(row)
    return np.array(kept).reshape(-1, arm.n)


def timed_calls(work: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> tuple[list[Any], Array]:
    """Return the results and seconds of each call; stop early when it takes too long in all."""
    work(*arguments[0])
    results, times, begun = [], [], perf_counter()
    for given in arguments:
        start = perf_counter()
        found = work(*given)
        times.append(perf_counter() - start)
        results.append(found)
        if perf_counter() - begun > PATIENCE:
            break
    return results, np.array(times)


def timed_in_turns(
    contests: Sequence[tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]], what: str
) -> list[tuple[list[Any], Array]]:
    """Return what `timed_calls` does for each contestant, a few calls of each in turn: what disturbs one disturbs all."""
    results: list[list[Any]] = [[] for _ in contests]
    times: list[list[Array]] = [[] for _ in contests]
    longest = max(len(arguments) for _, arguments in contests)
    for start in watched(range(0, longest, TURN_CALLS), what):
        for k, (work, arguments) in enumerate(contests):
            some = arguments[start : start + TURN_CALLS]
            if some and sum(float(t.sum()) for t in times[k]) < PATIENCE:
                found, seconds = timed_calls(work, some)
                results[k] += found
                times[k].append(seconds)
    return [(found, np.concatenate(seconds)) for found, seconds in zip(results, times, strict=True)]

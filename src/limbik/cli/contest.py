"""Shared parts of the comparisons with peers: NumPy forward kinematics, errors, distinct postures, times of single calls."""

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

# A contestant that takes longer than this in total gets fewer targets [s].
TIME_LIMIT = 20.0
# Consecutive calls of one contestant before the next one runs.
TURN_CALLS = 100
# A limit exceeded by less than this counts as kept, since peers round differently [rad, m].
LIMIT_SLACK = 1e-9


def numpy_forward(arm: Chain, q: Array) -> Array:
    """Return tip poses (N, 4, 4) from the joints' origins and axes alone, with NumPy."""
    up, down = arm.model.mechanism.ancestry(arm.base), arm.model.mechanism.ancestry(arm.tip)
    shared = sum(a is b for a, b in zip(up, down, strict=False))
    T_fork_tip = _product(arm, q, down[shared:])
    if len(up) == shared:
        return T_fork_tip
    return np.asarray(np.linalg.solve(_product(arm, q, up[shared:]), T_fork_tip))


def _product(arm: Chain, q: Array, joints: Sequence[Joint]) -> Array:
    """Return the product of the joint transforms, (N, 4, 4)."""
    T = np.broadcast_to(np.eye(4), (len(q), 4, 4))
    for joint in joints:
        T = T @ joint.origin
        if joint.kind is Kind.FIXED:
            continue
        driver, multiplier, offset = arm.model.mechanism.driver(joint)
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
    """Return the position error [m] and the rotation error [rad] of postures (N, n), (N,) each."""
    actual = numpy_forward(arm, q)
    R = np.swapaxes(actual[:, :3, :3], 1, 2) @ T[:, :3, :3]
    twice_sine = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    angle = np.arctan2(np.linalg.norm(twice_sine, axis=1), np.trace(R, axis1=1, axis2=2) - 1)
    return np.linalg.norm(actual[:, :3, 3] - T[:, :3, 3], axis=1), angle


def inside_limits(arm: Chain, q: Array) -> npt.NDArray[np.bool_]:
    """Return which postures (N, n) are inside the limits modulo 2 pi, (N,)."""
    over = np.where(np.isfinite(arm.upper), (q - arm.upper - LIMIT_SLACK) / TURN, 0)
    turned = np.where(arm.model.revolute, q - TURN * np.ceil(over), q)
    inside = (turned >= arm.lower - LIMIT_SLACK) & (turned <= arm.upper + LIMIT_SLACK)
    return np.asarray(inside.all(axis=1))


def apart(arm: Chain, a: Array, b: Array) -> Array:
    """Return the largest joint difference between postures (..., n), modulo 2 pi."""
    gap = a - b
    return np.asarray(np.abs(np.where(arm.model.revolute, wrap(gap), gap)).max(axis=-1))


def distinct(arm: Chain, q: Array, tolerance: float) -> Array:
    """Return the postures of q (k, n) without duplicates modulo 2 pi."""
    kept: list[Array] = []
    for row in q:
        if all(apart(arm, row, other) > tolerance for other in kept):
            kept.append(row)
    return np.array(kept).reshape(-1, arm.n)


def timed_calls(work: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> tuple[list[Any], Array]:
    """Return the result and the time [s] of each call; stop early when the total exceeds the time limit."""
    work(*arguments[0])
    results, times, begun = [], [], perf_counter()
    for given in arguments:
        start = perf_counter()
        found = work(*given)
        times.append(perf_counter() - start)
        results.append(found)
        if perf_counter() - begun > TIME_LIMIT:
            break
    return results, np.array(times)


def timed_in_turns(
    contests: Sequence[tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]], what: str
) -> list[tuple[list[Any], Array]]:
    """Return the result of `timed_calls` for each contestant; calls alternate, so that disturbances affect all alike."""
    results: list[list[Any]] = [[] for _ in contests]
    times: list[list[Array]] = [[] for _ in contests]
    longest = max(len(arguments) for _, arguments in contests)
    for start in watched(range(0, longest, TURN_CALLS), what):
        for k, (work, arguments) in enumerate(contests):
            some = arguments[start : start + TURN_CALLS]
            if some and sum(float(t.sum()) for t in times[k]) < TIME_LIMIT:
                found, seconds = timed_calls(work, some)
                results[k] += found
                times[k].append(seconds)
    return [(found, np.concatenate(seconds)) for found, seconds in zip(results, times, strict=True)]

"""Smoothing what a redundant arm has to choose: the course with the least energy beside a given one.

Every posture of the course may slide along its null space, q + N z, with the hand held still. The energy sum |q' - q|^2 / dt of a
course is then a quadratic form in z with a block on and beside the diagonal for each frame; with a joint too many the blocks are
numbers. Its minimum inside the joint limits is found by fixing the z that meet a limit, and after each step the postures are
put back onto the path by the arm's own solver. A few rounds of that (Gauss and Newton) make the steps of a grid vanish.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

# Rounds, and the change below which it is done [rad].
ROUNDS, ENOUGH = 8, 1e-4
# Rounds in which quick steps are made to count more, and the part of a speed limit that is not quick.
WEIGHINGS, SLOW = 6, 0.98
# The farthest that a posture slides in one round [rad].
FARTHEST = 0.25
# How far from its seed a posture may be put onto the path [rad, or parts of the reach].
OFF = 0.1
# Below this a determinant says little.
SINGULAR = 1e-9
# Rounds of fixing and freeing what meets a limit.
FIXINGS = 12

Settle = Callable[[Array], tuple[Array, npt.NDArray[np.bool_]]]


def smoothed(
    q: Array,
    times: Array,
    jacobian: Callable[[Array], Array],
    settle: Settle,
    lower: Array,
    upper: Array,
    weight: Array,
    speed: Array,
    held: npt.NDArray[np.bool_],
) -> Array:
    """Return postures with less energy that reach the same poses, or those given. held: (frames,) which stay as they are.

    speed: (n,) the greatest speed of each joint: where the best course is quicker, its quick steps count more, until it is not.
    """
    weights = np.tile(weight, (len(q) - 1, 1))
    best, quickest = q, math.inf
    for _ in range(WEIGHINGS):
        q = _minimum(q, times, jacobian, settle, lower, upper, weights, held)
        quick = np.abs(np.diff(q, axis=0)) / (np.diff(times)[:, None] * speed)
        most = float(quick.max(initial=0.0))
        if most < quickest:
            best, quickest = q, most
        if most <= SLOW:
            break
        weights = weights * np.maximum(1.0, quick / SLOW)
    return best


def _minimum(
    q: Array,
    times: Array,
    jacobian: Callable[[Array], Array],
    settle: Settle,
    lower: Array,
    upper: Array,
    weights: Array,
    held: npt.NDArray[np.bool_],
) -> Array:
    """Return the postures with the least energy beside those given."""
    best, energy, reach = q, _energy(q, times, weights), FARTHEST
    for _ in range(ROUNDS):
        z, N = _slide(best, times, jacobian(best), lower, upper, weights, held, reach)
        moved = np.clip(best + z[:, None] * N, lower, upper)
        settled, ok = settle(moved)
        off = np.abs(settled - moved).max(axis=1)
        settled[held] = best[held]
        less = _energy(settled, times, weights)
        if not ok[~held].all() or off[~held].max(initial=0.0) > OFF or not less < energy:
            reach *= 0.3
            if reach < 1e-3:
                break
            continue
        change = float(np.abs(settled - best).max())
        best, energy = settled, less
        if change < ENOUGH:
            break
    return best


def _energy(q: Array, times: Array, weights: Array) -> float:
    return float(((np.diff(q, axis=0) * weights) ** 2 / np.diff(times)[:, None]).sum())


def _slide(
    q: Array,
    times: Array,
    J: Array,
    lower: Array,
    upper: Array,
    weights: Array,
    held: npt.NDArray[np.bool_],
    reach: float,
) -> tuple[Array, Array]:
    """Return how far each posture slides, and along what, (frames,) and (frames, n)."""
    N = _null(J)
    turn = np.sign(np.einsum("ij,ij->i", N[1:], N[:-1]))
    N[1:] *= np.cumprod(np.where(turn == 0, 1.0, turn))[:, None]
    by = 1.0 / np.diff(times)
    first, last = N[:-1] * weights, N[1:] * weights
    d = np.diff(q, axis=0) * weights
    diagonal, right = np.zeros(len(q)), np.zeros(len(q))
    diagonal[:-1] += np.einsum("ij,ij->i", first, first) * by
    diagonal[1:] += np.einsum("ij,ij->i", last, last) * by
    beside = -np.einsum("ij,ij->i", last, first) * by
    right[:-1] += np.einsum("ij,ij->i", first, d) * by
    right[1:] -= np.einsum("ij,ij->i", last, d) * by
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (lower - q) / N, (upper - q) / N
    low = np.clip(np.nan_to_num(np.minimum(a, b), nan=-np.inf, neginf=-1e9, posinf=1e9).max(axis=1), -reach, 0.0)
    high = np.clip(np.nan_to_num(np.maximum(a, b), nan=np.inf, neginf=-1e9, posinf=1e9).min(axis=1), 0.0, reach)
    low[held] = high[held] = 0.0
    return _bounded(diagonal * (1 + 1e-9) + 1e-12, beside, right, low, high), N


def _null(J: Array) -> Array:
    """Return unit vectors that leave the hand still, (frames, n)."""
    frames, rows, n = J.shape
    if n == rows + 1:  # the cofactors of a row that would make J square
        square = np.concatenate([J, np.zeros((frames, 1, n))], axis=1)
        best, size = np.zeros((frames, n)), np.zeros(frames)
        last = np.array([1.0, -0.7, 0.5, 0.9, -0.4, 0.8, -0.6, 0.3] * n)[:n]
        square[:, -1] = last
        with np.errstate(all="ignore"):
            sound = np.abs(np.linalg.det(square)) > SINGULAR
            best[sound] = np.linalg.solve(square[sound], np.eye(n)[-1][:, None])[..., 0]
        size = np.linalg.norm(best, axis=1)
        best[sound] /= size[sound, None]
        if not sound.all():
            best[~sound] = np.linalg.svd(J[~sound])[2][:, -1]
        return best
    return np.ascontiguousarray(np.linalg.svd(J)[2][:, -1])


def _bounded(diagonal: Array, beside: Array, right: Array, low: Array, high: Array) -> Array:
    """Return the z inside its bounds with the least z' A z / 2 - right' z, A with one line beside the diagonal."""
    from scipy.linalg import solveh_banded

    fixed = low == high
    z = np.clip(np.zeros(len(right)), low, high)
    for _ in range(FIXINGS):
        free = ~fixed
        band = np.zeros((2, len(right)))
        both = free[1:] & free[:-1]
        band[1] = np.where(free, diagonal, 1.0)
        band[0, 1:] = np.where(both, beside, 0.0)
        rest = np.array(right)
        rest[1:] -= np.where(fixed[:-1], beside * z[:-1], 0.0)
        rest[:-1] -= np.where(fixed[1:], beside * z[1:], 0.0)
        z = solveh_banded(band, np.where(free, rest, z))
        out = free & ((z < low) | (z > high))
        z = np.clip(z, low, high)
        pull = right - diagonal * z
        pull[1:] -= beside * z[:-1]
        pull[:-1] -= beside * z[1:]
        loose = fixed & (low < high) & (((z <= low) & (pull > 0)) | ((z >= high) & (pull < 0)))
        if not out.any() and not loose.any():
            break
        fixed = (fixed | out) & ~loose
    return z

"""Smooth the trajectory of a redundant arm: local minimisation of its energy by null-space motion.

Every posture of the trajectory may move along its null space, q + N z, with a fixed tip. The energy sum |q' - q|^2 / dt is then a
quadratic form in z with a block-tridiagonal matrix; with one redundant joint the blocks are scalars. Its minimum inside the joint
limits is found by an active set of the z at a limit, and after each step the arm's own solver puts the postures back onto the
path. A few such Gauss-Newton rounds remove the steps of a grid.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

# The most rounds, and the change at which they stop [rad].
ROUNDS, ENOUGH = 8, 1e-4
# The most rounds of reweighting fast steps, and the fraction of the speed limit above which a step is fast.
WEIGHINGS, SLOW = 6, 0.98
# The largest null-space motion per round [rad].
FARTHEST = 0.25
# The largest distance between a seed and its correction onto the path [rad, or fractions of the reach].
OFF = 0.1
# Smaller determinants are unreliable.
SINGULAR = 1e-9
# The most rounds of the active set.
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
    """Return postures with less energy that reach the same poses, or the given ones. held: (frames,) postures to keep.

    speed: (n,) the speed limit of each joint: faster steps get larger weights until they keep it.
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
    """Return the postures with a local minimum of the energy."""
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
    """Return the length and direction of each posture's null-space motion, (frames,) and (frames, n)."""
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
    """Return unit null vectors of the Jacobians, (frames, n)."""
    frames, rows, n = J.shape
    if n == rows + 1:  # the cofactors of an additional row of J
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
    """Return the z inside its bounds that minimises z' A z / 2 - right' z, with a tridiagonal A."""
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

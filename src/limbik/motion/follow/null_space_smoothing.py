"""Smooth the trajectory of a redundant arm: minimise its energy locally by null-space motion.

Every posture (configuration) of the trajectory may move along its null space, q + N z, to first order with a fixed tip. The
energy, the sum of |q_k+1 - q_k|^2 / dt, is then a quadratic form in z with a block-tridiagonal matrix; with one redundant joint
the blocks are scalars. An active-set method finds its minimum inside the joint limits. After each step the arm's solver corrects
the postures back to the path. A few such Gauss-Newton rounds remove the steps of a grid.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

# The most rounds, and the change at which they stop [rad].
ROUNDS, CONVERGED = 8, 1e-4
# The most rounds of reweighting fast steps, and the fraction of the speed limit above which a step is fast.
REWEIGHTINGS, SLOW = 6, 0.98
# The largest null-space motion per round [rad].
FARTHEST = 0.25
# The largest distance between a posture and its correction onto the path [rad, or fractions of the reach].
OFF = 0.1
# A null vector is not computed by a linear system with a smaller determinant.
SINGULAR = 1e-9
# The most rounds of the active set.
ACTIVE_SET_ROUNDS = 12

Correction = Callable[[Array], tuple[Array, npt.NDArray[np.bool_]]]


def smoothed(
    q: Array,
    times: Array,
    jacobian: Callable[[Array], Array],
    correct: Correction,
    lower: Array,
    upper: Array,
    weight: Array,
    speed: Array,
    held: npt.NDArray[np.bool_],
) -> Array:
    """Return postures with less energy that reach the same poses, or the given ones, (frames, n).

    correct: returns the solutions near some postures, and whether each reaches its pose. weight: (n,) of the joints. speed: (n,)
    the speed limit of each joint; faster steps get larger weights until they respect it. held: (frames,) postures to keep.
    """
    weights = np.tile(weight, (len(q) - 1, 1))
    best, quickest = q, math.inf
    for _ in range(REWEIGHTINGS):
        q = _minimum(q, times, jacobian, correct, lower, upper, weights, held)
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
    correct: Correction,
    lower: Array,
    upper: Array,
    weights: Array,
    held: npt.NDArray[np.bool_],
) -> Array:
    """Return postures at a local minimum of the weighted energy."""
    best, energy, reach = q, _energy(q, times, weights), FARTHEST
    for _ in range(ROUNDS):
        z, N = _null_space_step(best, times, jacobian(best), lower, upper, weights, held, reach)
        moved = np.clip(best + z[:, None] * N, lower, upper)
        corrected, ok = correct(moved)
        off = np.abs(corrected - moved).max(axis=1)
        corrected[held] = best[held]
        less = _energy(corrected, times, weights)
        if not ok[~held].all() or off[~held].max(initial=0.0) > OFF or not less < energy:
            reach *= 0.3
            if reach < 1e-3:
                break
            continue
        change = float(np.abs(corrected - best).max())
        best, energy = corrected, less
        if change < CONVERGED:
            break
    return best


def _energy(q: Array, times: Array, weights: Array) -> float:
    return float(((np.diff(q, axis=0) * weights) ** 2 / np.diff(times)[:, None]).sum())


def _null_space_step(
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
    sign = np.sign(np.einsum("ij,ij->i", N[1:], N[:-1]))
    N[1:] *= np.cumprod(np.where(sign == 0, 1.0, sign))[:, None]  # consecutive null vectors point the same way
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
            regular = np.abs(np.linalg.det(square)) > SINGULAR
            best[regular] = np.linalg.solve(square[regular], np.eye(n)[-1][:, None])[..., 0]
        size = np.linalg.norm(best, axis=1)
        best[regular] /= size[regular, None]
        if not regular.all():
            best[~regular] = np.linalg.svd(J[~regular])[2][:, -1]
        return best
    return np.ascontiguousarray(np.linalg.svd(J)[2][:, -1])


def _bounded(diagonal: Array, beside: Array, right: Array, low: Array, high: Array) -> Array:
    """Return the z inside its bounds that minimises z' A z / 2 - right' z, with a tridiagonal A."""
    from scipy.linalg import solveh_banded

    fixed = low == high
    z = np.clip(np.zeros(len(right)), low, high)
    for _ in range(ACTIVE_SET_ROUNDS):
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

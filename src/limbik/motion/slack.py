"""Smoothing what a redundant arm has to choose: the course with the least energy beside a given one.

Every posture of the course may slide along its null space, q + N z, with the hand held still. The energy sum |q' - q|^2 / dt of a
course is then a quadratic form in z with a block on and beside the diagonal for each frame; with a joint too many the blocks are
numbers. Its minimum inside the joint limits is found by fixing the z that meet a limit, and after each step the postures are put back
onto the path by the arm's own solver. A few rounds of that (Gauss and Newton) make the steps of a grid vanish.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from limbik.model.transform import Array

# Rounds, and the change below which it is done [rad].
ROUNDS, ENOUGH = 12, 1e-5
# The farthest that a posture slides in one round [rad].
FARTHEST = 0.25
# How far from its seed a posture may be put onto the path [rad, or parts of the reach].
OFF = 0.1
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
    held: npt.NDArray[np.bool_],
) -> Array:
    """Return postures with less energy that reach the same poses, or those given. held: (frames,) which stay as they are."""
    best, energy, reach = q, _energy(q, times, weight), FARTHEST
    for _ in range(ROUNDS):
        z, N = _slide(best, times, jacobian(best), lower, upper, weight, held, reach)
        moved = best + z[:, None] * N
        settled, ok = settle(np.clip(moved, lower, upper))
        off = np.abs((settled - moved) * weight).max(axis=1)
        settled[held] = best[held]
        less = _energy(settled, times, weight)
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


def _energy(q: Array, times: Array, weight: Array) -> float:
    return float(((np.diff(q, axis=0) * weight) ** 2 / np.diff(times)[:, None]).sum())


def _slide(
    q: Array, times: Array, J: Array, lower: Array, upper: Array, weight: Array, held: npt.NDArray[np.bool_], reach: float
) -> tuple[Array, Array]:
    """Return how far each posture slides, and along what, (frames,) and (frames, n)."""
    N = np.linalg.svd(J)[2][:, -1]
    turn = np.sign(np.einsum("ij,ij->i", N[1:], N[:-1]))
    N[1:] *= np.cumprod(np.where(turn == 0, 1.0, turn))[:, None]
    W = N * weight
    by = 1.0 / np.diff(times)
    d = np.diff(q, axis=0) * weight
    diagonal = np.zeros(len(q))
    squares = np.einsum("ij,ij->i", W, W)
    diagonal[:-1] += squares[:-1] * by
    diagonal[1:] += squares[1:] * by
    beside = -np.einsum("ij,ij->i", W[1:], W[:-1]) * by
    right = np.zeros(len(q))
    right[:-1] += np.einsum("ij,ij->i", W[:-1], d) * by
    right[1:] -= np.einsum("ij,ij->i", W[1:], d) * by
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (lower - q) / N, (upper - q) / N
    low = np.clip(np.nan_to_num(np.minimum(a, b), nan=-np.inf, neginf=-1e9, posinf=1e9).max(axis=1), -reach, 0.0)
    high = np.clip(np.nan_to_num(np.maximum(a, b), nan=np.inf, neginf=-1e9, posinf=1e9).min(axis=1), 0.0, reach)
    low[held] = high[held] = 0.0
    return _bounded(diagonal * (1 + 1e-9) + 1e-12, beside, right, low, high), N


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

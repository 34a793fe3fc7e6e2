"""Trace the self-motion manifolds of a non-redundant arm at singular postures.

At a singular posture the tip may stay fixed while joints move: with a straight wrist, forearm and hand can counter-rotate, and an
arm with parallel wrist, elbow and shoulder axes moves like a four-bar linkage. Such a curve is traced from a posture on it: a
step along the null vector of the Jacobian, then a correction to the pose by the arm's own solver; in both directions, until the
curve closes, reaches a limit, or ends.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

if TYPE_CHECKING:
    from limbik.motion.follow.posture_sources import Branches

# The step length [rad, or fractions of the reach], and the number of steps in each direction: one and a half turns of a joint.
STEP, MOST_STEPS = 0.08, 120
# The tip is fixed along a direction with a singular value below this fraction of the largest.
STILL = 1e-6
# A determinant below this fraction of its bound is examined by singular values.
MAYBE = 1e-5
# The largest error of a step, as a fraction of it; a larger one means that the curve has ended.
OFF = 0.5


def stills(J: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the joint direction with the smallest tip motion, (k, n), and whether the tip is fixed along it."""
    values, right = np.linalg.svd(J)[1:]
    n = J.shape[-1]
    least = values[:, -1] if values.shape[1] == n else np.zeros(len(J))
    return right[:, -1], np.asarray(least <= STILL * np.maximum(values[:, 0], 1e-300))


def held_still(J: Array) -> npt.NDArray[np.bool_]:
    """Return which postures have a self-motion; a determinant, which is faster, decides most cases."""
    gram = np.swapaxes(J, 1, 2) @ J
    size = np.prod(np.einsum("kii->ki", gram), axis=1)
    out = np.abs(np.linalg.det(gram)) <= MAYBE * size
    rows = np.flatnonzero(out)
    if len(rows):
        out[rows] = stills(J[rows])[1]
    return np.asarray(out)


def walked(
    source: "Branches", jacobian: Callable[[Array], Array], Ts: Array, q: Array
) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return postures of the self-motion manifolds of some postures, (m, n), and the pose index of each, (m,)."""
    way, still = stills(jacobian(q))
    rows = np.flatnonzero(still)
    out, of = [q[:0]], [rows[:0]]
    for sign in (1.0, -1.0):
        row, now, last = rows, q[rows], sign * way[rows]
        for _ in range(MOST_STEPS):
            if not len(row):
                break
            length = np.abs(last * source.weight).max(axis=1, keepdims=True)
            aim = now + STEP * last / np.maximum(length, 1e-12)
            inside = ((aim >= source.lower) & (aim <= source.upper)).all(axis=1)
            row, now, last, aim = row[inside], now[inside], last[inside], aim[inside]
            found, ok = source.settle(Ts[row], aim)
            ok &= np.abs((found - aim) * source.weight).max(axis=1, initial=0.0) <= OFF * STEP
            row, now, last = row[ok], found[ok], last[ok]
            if not len(row):
                break
            direction, still = stills(jacobian(now))
            along = np.sign(np.einsum("ki,ki->k", direction, last))
            round_ = np.abs((now - q[row]) * source.weight).max(axis=1) < 0.5 * STEP
            out.append(now)
            of.append(row)
            row, now, last = row[still & ~round_], now[still & ~round_], (along[:, None] * direction)[still & ~round_]
    return np.concatenate(out), np.concatenate(of)

"""Trace the self-motion manifolds of a non-redundant arm at singular postures.

At a singular posture (configuration) the tip may stay fixed while joints move: with a straight wrist, the forearm and the last
joint can counter-rotate, and an arm with parallel wrist, elbow and shoulder axes moves like a four-bar linkage. Such a curve is
traced from a posture on it, in both directions, until it closes, reaches a limit, or ends. Each step follows the null vector of
the Jacobian; then the arm's solver corrects the posture to the pose.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

if TYPE_CHECKING:
    from limbik.motion.follow.posture_sources import BranchSource

# The step length [rad, or fractions of the reach], and the most steps in each direction: together one and a half revolutions.
STEP, MOST_STEPS = 0.08, 120
# The tip is fixed along a direction with a singular value below this fraction of the largest.
FIXED = 1e-6
# If det(J^T J) is below this fraction of its upper bound, the singular values are computed.
NEARLY_SINGULAR = 1e-5
# The largest error of a step, as a fraction of it; a larger one means that the curve has ended.
OFF = 0.5


def null_directions(J: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the joint direction with the smallest tip motion, (k, n), and whether the tip is fixed along it, (k,)."""
    values, right = np.linalg.svd(J)[1:]
    n = J.shape[-1]
    least = values[:, -1] if values.shape[1] == n else np.zeros(len(J))
    return right[:, -1], np.asarray(least <= FIXED * np.maximum(values[:, 0], 1e-300))


def has_self_motion(J: Array) -> npt.NDArray[np.bool_]:
    """Return which postures have a self-motion, from their Jacobians. The determinant, which is faster, decides most cases."""
    gram = np.swapaxes(J, 1, 2) @ J
    size = np.prod(np.einsum("kii->ki", gram), axis=1)
    out = np.abs(np.linalg.det(gram)) <= NEARLY_SINGULAR * size
    rows = np.flatnonzero(out)
    if len(rows):
        out[rows] = null_directions(J[rows])[1]
    return np.asarray(out)


def trace_self_motion(
    source: "BranchSource", jacobian: Callable[[Array], Array], Ts: Array, q: Array
) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return postures on the self-motion manifolds through some postures, (m, n), and the pose index of each, (m,)."""
    null, fixed = null_directions(jacobian(q))
    rows = np.flatnonzero(fixed)
    out, of = [q[:0]], [rows[:0]]
    for sign in (1.0, -1.0):
        row, now, last = rows, q[rows], sign * null[rows]
        for _ in range(MOST_STEPS):
            if not len(row):
                break
            length = np.abs(last * source.weight).max(axis=1, keepdims=True)
            aim = now + STEP * last / np.maximum(length, 1e-12)
            inside = ((aim >= source.lower) & (aim <= source.upper)).all(axis=1)
            row, now, last, aim = row[inside], now[inside], last[inside], aim[inside]
            found, ok = source.solve_near(Ts[row], aim)
            ok &= np.abs((found - aim) * source.weight).max(axis=1, initial=0.0) <= OFF * STEP
            row, now, last = row[ok], found[ok], last[ok]
            if not len(row):
                break
            direction, fixed = null_directions(jacobian(now))
            along = np.sign(np.einsum("ki,ki->k", direction, last))
            closed = np.abs((now - q[row]) * source.weight).max(axis=1) < 0.5 * STEP
            out.append(now)
            of.append(row)
            row, now, last = row[fixed & ~closed], now[fixed & ~closed], (along[:, None] * direction)[fixed & ~closed]
    return np.concatenate(out), np.concatenate(of)

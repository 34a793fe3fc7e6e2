"""The postures of open families, one after the other: what an arm without a joint too many can do while it is singular.

Where a branch is singular its hand may hold still while joints move: a straight wrist turns forearm and hand against each other,
and an arm whose wrist, elbow and shoulder axes are parallel swings as a four-bar linkage. Such a curve is walked along from a
posture on it: a step along the null vector of the Jacobian, then back onto the pose by the arm's own solver; both ways, until it
closes, meets a limit, or ends because the family does.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array

if TYPE_CHECKING:
    from limbik.robot.posture_sources import Branches

# A step along a family [rad, or parts of the reach], and how many are made each way: once round a joint and a half.
STEP, MOST_STEPS = 0.08, 120
# A Jacobian's least singular value below this part of the greatest leaves the hand still.
STILL = 1e-6
# A determinant below this part of what it could be is looked at closely.
MAYBE = 1e-5
# A step ends this near what it aimed at, in parts of it: else the curve has ended.
OFF = 0.5


def stills(J: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the direction in which the hand of each posture moves least, (k, n), and whether it holds still in it."""
    values, right = np.linalg.svd(J)[1:]
    n = J.shape[-1]
    least = values[:, -1] if values.shape[1] == n else np.zeros(len(J))
    return right[:, -1], np.asarray(least <= STILL * np.maximum(values[:, 0], 1e-300))


def held_still(J: Array) -> npt.NDArray[np.bool_]:
    """Tell which postures can move with the hand held still: most are told by a determinant, which is quicker."""
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
    """Return postures of the families that some postures belong to, (m, n), and the pose of each, (m,)."""
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

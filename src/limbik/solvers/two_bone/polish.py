"""Refinement of a limb's posture (configuration) by Newton's method inside the limits.

A closed form takes roots. At a double root (a limb at full stretch, collinear hinges, a joint that touches its limit)
half the digits are lost, and clipping to a limit can then cost 1e-8 of accuracy. A few steps J dq = e over the limb's
own joints restore it. A hinge at its limit that would leave it is fixed, and the step is computed again without it.
Small singular values are truncated, so that steps of a stretched limb stay small.
"""

import numpy as np
import numpy.typing as npt

from limbik._core import Kernel, pose_error
from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges

# Largest number of steps; singular values below this fraction of the largest are truncated.
STEPS, SINGULAR = 8, 1e-6


def polished(
    kernel: Kernel, ranges: Ranges | None, own: npt.NDArray[np.int64], frame: int, q: Array, target: Array, whole: bool
) -> Array:
    """Return the posture near q whose frame is closest to a target, (4, 4); only the joints `own` move.

    whole: whether the orientation counts; otherwise the position alone does.
    """
    count = 6 if whole else 3
    best, best_size = q, np.inf
    now = q
    for _ in range(STEPS + 1):
        T, J = kernel.forward_jacobian(now, frame, 1)
        aim = target if whole else _placed(T, target)
        error = pose_error(T[None], aim[None])[0, :count]
        size = float(np.linalg.norm(error))
        if size < best_size:
            best, best_size = now, size
        if size == 0.0 or not np.isfinite(size):
            break
        now = _stepped(kernel, ranges, own, now, J[:count], error)
    return best


def _placed(T: Array, target: Array) -> Array:
    """Return pose T with the target's position."""
    out = np.array(T)
    out[:3, 3] = target[:3, 3]
    return out


def _stepped(
    kernel: Kernel, ranges: Ranges | None, own: npt.NDArray[np.int64], q: Array, J: Array, error: Array
) -> Array:
    free = np.zeros(len(q), bool)
    free[own] = True
    dq = np.zeros(len(q))
    for _ in own:
        dq[:] = 0.0
        dq[free] = np.linalg.lstsq(J[:, free], error, rcond=SINGULAR)[0]
        if ranges is None:
            break
        leaving = free & (((q <= ranges.lower) & (dq < 0)) | ((q >= ranges.upper) & (dq > 0)))
        if not leaving.any():
            break
        free &= ~leaving
    out = kernel.integrate(q, dq)
    held = np.array(q)
    held[own] = (out if ranges is None else ranges.clamp(out))[own]
    return held

"""Refinement of a limb's posture (configuration) by Newton's method inside the limits.

A closed form takes roots; where a root is double (a limb at full stretch, hinges in line, a joint that touches its limit) half
the digits are lost, and a posture that a limit then cuts off misses by 1e-8 what it could reach. A few steps of J dq = e from
there, over the limb's own joints, mend that. A hinge that is at its limit and would leave it is held, and the step is taken
again without it; small singular values are left out, so that a stretched limb is not torn about.
"""

import numpy as np
import numpy.typing as npt

from limbik._core import Kernel, pose_error
from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges

# Steps at most; singular values below this part of the greatest count as none.
STEPS, SINGULAR = 8, 1e-6


def polished(
    kernel: Kernel, ranges: Ranges | None, own: npt.NDArray[np.int64], frame: int, q: Array, target: Array, whole: bool
) -> Array:
    """Return the posture near q whose frame is nearest a target, (4, 4), the joints `own` moved. whole: turned as it, too."""
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
    """Return where a frame shall be, turned as it is."""
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

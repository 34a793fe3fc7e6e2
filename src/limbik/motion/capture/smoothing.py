"""A smooth motion through noisy markers: all frames at once, with marker errors and accelerations as costs.

The motion minimises

    sum_t sum_m w |m - p(q_t)|^2 + sum_t sum_i k_i a_ti^2 + sum_t |q_t - anchor|^2

where a_t is the second difference of q at frame t. The weak anchor is that of the fit of single frames and determines values
without markers. A frame is coupled only to the two before and the two after it, so the normal equations are banded and solved
directly. The result is that of a Kalman smoother (Rauch, Tung and Striebel), for any spacing of the frames. Gaps are filled with
the smallest acceleration. Joints stay in their ranges, so that an elbow or knee does not bend backwards. Differences of rotations
are taken on the group, not between rotation vectors.

k_i is chosen from the postures (configurations) u that were fitted frame by frame. In the cosine transform, the filter of one
joint value is H = 1 / (1 + s l^2) with l = 2 - 2 cos w, and s minimises the generalised cross validation

    T |(1 - H) u|^2 / (T - sum H)^2

(Craven and Wahba 1979; Garcia 2010 for the transform). The cutoff is the frequency with half gain, s l^2 = 1. k_i is s over the
variance of the fitted q_i due to marker noise.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.postures import ANCHOR, anchor_of, at_limit, errors

# The range of candidate cutoffs, as fractions of the frame rate, and their number.
SLOWEST, FASTEST, TRIED = 0.004, 0.45, 48
# Frames per window, and its overlap with the next one on either side.
WINDOW, SHARED = 1500, 150
# The step [rad or m] and the relative decrease of the cost at which the iteration stops.
STILL, LEAST_GAIN = 1e-4, 1e-6
# The regularisation of undetermined values, as a fraction of the information from markers.
DAMPING = 1e-7


def stiffness_at(cutoff: float) -> float:
    """Return s for a cutoff, given as a fraction of the frame rate."""
    return float((2 - 2 * np.cos(2 * np.pi * min(cutoff, 0.5))) ** -2)


def chosen_stiffness(steps_between: Array) -> Array:
    """Return s of each joint value by cross validation, from the steps between frames, (frames - 1, n) -> (n,)."""
    from scipy.fft import dct

    u = np.concatenate([np.zeros((1, steps_between.shape[1])), np.cumsum(steps_between, axis=0)])
    frames = len(u)
    u = u - np.linspace(0, 1, frames)[:, None] * u[-1]
    power = dct(u, axis=0, norm="ortho") ** 2
    l2 = (2 - 2 * np.cos(np.pi * np.arange(frames) / frames)) ** 2
    tried = np.array([stiffness_at(f) for f in np.geomspace(max(SLOWEST, 1.0 / frames), FASTEST, TRIED)])
    H = 1 / (1 + tried[:, None] * l2)
    score = np.log(((1 - H) ** 2) @ power + 1e-300) - 2 * np.log(frames - H.sum(axis=1))[:, None]
    best: Array = tried[score.argmin(axis=0)]
    return best


def smooth(
    body: Body, q: Array, measured: Array, sigma: float, stiffness: Array, information: Array, times: Array, steps: int
) -> Array:
    """Return the smoothed motion (frames, n) from the start q.

    stiffness: (n,) k. information: (n,) about each joint value [1/variance]. steps: the most iterations.
    """
    kernel, ranges = body.compiled.kernel, body.ranges
    anchor = anchor_of(body, q)
    shape = second_difference(times)
    q = ranges.clamp(q)
    pull, lengths = errors(body, q, measured)
    moving = True
    for _ in range(steps):
        if not moving:
            break
        w = robust.weights(lengths, sigma)
        A, g = body.normal_equations(q, pull, w)
        bend = _bend(kernel, q, shape)
        off = kernel.difference(anchor, q)
        g = g - _pulled_back(bend * stiffness, shape) - ANCHOR * off
        fixed = at_limit(ranges.lower, ranges.upper, q, g)
        dq = _windows(A, g, fixed, stiffness, ANCHOR + DAMPING * information, shape)
        moving = float(np.abs(dq).max()) > STILL
        before = _cost(pull, w, bend, stiffness, off)
        size = 1.0
        while True:
            trial = ranges.clamp(kernel.integrate(q, size * dq))
            pulled, far = errors(body, trial, measured)
            away = kernel.difference(anchor, trial)
            after = _cost(pulled, w, _bend(kernel, trial, shape), stiffness, away)
            if after <= before:
                q, pull, lengths = trial, pulled, far
                moving &= before - after > LEAST_GAIN * before
                break
            size *= 0.3
            if size < 1e-3:
                return q
    return q


def second_difference(times: Array) -> Array:
    """Return the factors (frames - 2, 2) of the steps before and after a frame in its second difference."""
    h = np.diff(times)
    mean = float(h.mean()) if len(h) else 1.0
    whole = 2 * mean / (h[1:] + h[:-1])
    return np.stack([mean / h[:-1] * whole, mean / h[1:] * whole], axis=1)


def _bend(kernel: object, q: Array, shape: Array) -> Array:
    change = kernel.difference(q[:-1], q[1:])  # type: ignore[attr-defined]
    bend: Array = shape[:, 1:] * change[1:] - shape[:, :1] * change[:-1]
    return bend


def _pulled_back(force: Array, shape: Array) -> Array:
    """Return the gradient of the acceleration cost in every frame, (frames - 2, n) -> (frames, n)."""
    out = np.zeros((len(force) + 2, force.shape[1]))
    out[:-2] += shape[:, :1] * force
    out[1:-1] -= (shape[:, :1] + shape[:, 1:]) * force
    out[2:] += shape[:, 1:] * force
    return out


def _cost(pull: Array, w: Array, bend: Array, stiffness: Array, off: Array) -> float:
    bent = float((stiffness * bend * bend).sum()) + ANCHOR * float((off * off).sum())
    return float((w * (pull * pull).sum(axis=-1)).sum()) + bent


def _windows(A: Array, g: Array, fixed: Mask, stiffness: Array, damping: Array, shape: Array) -> Array:
    """Return the step of all frames. Many frames are solved in overlapping windows; frames outside a window are fixed in it."""
    frames = len(g)
    if frames <= WINDOW + 2 * SHARED:
        return _band_step(A, g, fixed, stiffness, damping, shape, 0)
    dq = np.empty_like(g)
    for start in range(0, frames, WINDOW):
        low, high = max(start - SHARED, 0), min(start + WINDOW + SHARED, frames)
        part = _band_step(A[low:high], g[low:high], fixed[low:high], stiffness, damping, shape, low)
        stop = min(start + WINDOW, frames)
        dq[start:stop] = part[start - low : stop - low]
    return dq


def _band_step(A: Array, g: Array, fixed: Mask, stiffness: Array, damping: Array, shape: Array, low: int) -> Array:
    from scipy.linalg import LinAlgError, solveh_banded

    frames, n = g.shape
    # The blocks of D^T D: of a frame, between neighbours, and between frames two apart; frames outside the window are fixed.
    on, next_, second = np.zeros(frames), np.zeros(frames), np.zeros(frames)
    for t, (a, c) in enumerate(shape[max(low - 2, 0) : low + frames], start=max(low - 2, 0) - low):
        b = -(a + c)
        for k, value in ((t, a * a), (t + 1, b * b), (t + 2, c * c)):
            if 0 <= k < frames:
                on[k] += value
        for k, value in ((t, a * b), (t + 1, b * c)):
            if 0 <= k < frames - 1:
                next_[k] += value
        if 0 <= t < frames - 2:
            second[t] += a * c
    loose = 1.0 - fixed
    band = np.zeros((2 * n + 1, frames * n))
    for d in range(n):
        part = np.diagonal(A, -d, axis1=1, axis2=2)
        band[d].reshape(frames, n)[:, : n - d] = part * loose[:, : n - d] * loose[:, d:]
    band[0] += ((on[:, None] * stiffness + damping) * loose + fixed).reshape(-1)
    band[n].reshape(frames, n)[:-1] += next_[:-1, None] * stiffness * loose[:-1] * loose[1:]
    band[2 * n].reshape(frames, n)[:-2] += second[:-2, None] * stiffness * loose[:-2] * loose[2:]
    rhs = (g * loose).reshape(-1)
    try:
        step: Array = solveh_banded(band, rhs, lower=True, check_finite=False)
    except LinAlgError:  # singular by rounding: a step along the gradient, scaled by the diagonal
        step = rhs / (band[0] + 1.0)
    return step.reshape(frames, n)

"""Correct frames in wrong local minima by restarts from their neighbours.

Frames are fitted one by one. A limb near a singular posture, such as a shoulder with aligned axes, may converge to the wrong side
in some of them: its markers then become outliers and lose their weight. Or it converges to another solution, half a turn away in
its joints, and smoothing would pass through postures between the two. So a frame with large errors, or with a jump from its
neighbour, is fitted again from the postures of the previous and the next frame, with the marker weights of that start. Correct
frames thus correct their neighbours, one after the other.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.postures import anchored, errors, fit

# A frame is refitted if its cost exceeds this many times the usual one; a new fit must reduce it to this fraction. A fit that
# only removes a jump may increase it by this factor.
UNUSUAL, BETTER, AS_GOOD = 1.5, 0.9, 1.1
# The largest joint step between frames that is not a jump [rad]; a correction must halve the jump.
LEAP = 0.4
# Steps of a fit with the weights of the start, and with the updated weights.
STEPS, AGAIN = 8, 4


def freed(body: Body, q: Array, measured: Array, sigma: float) -> Array:
    """Return postures (frames, n) with frames in wrong local minima corrected."""
    q = np.array(q)
    cost = _costs(body, q, measured, sigma)
    usual = float(np.median(cost))
    # Pairs of a frame and a neighbour: all at first, then those beside corrected frames.
    frames = np.repeat(np.arange(len(q)), 2)
    beside = frames + np.tile([-1, 1], len(q))
    for _ in range(len(q)):
        inside = (np.minimum(frames, beside) >= 0) & (np.maximum(frames, beside) < len(q))
        frames, beside = frames[inside], beside[inside]
        leap = _steps(body, q[beside], q[frames])
        suspect = (cost[frames] > UNUSUAL * usual) & (cost[beside] <= BETTER * cost[frames]) | (leap >= LEAP)
        frames, beside, leap = frames[suspect], beside[suspect], leap[suspect]
        if not len(frames):
            break
        start, seen = q[beside], measured[frames]
        for steps in (STEPS, AGAIN):
            weights = robust.own_weights(errors(body, start, seen)[1], sigma)
            start, _ = fit(body, start, seen, weights, anchored(body, start), steps)
        found = _costs(body, start, seen, sigma)
        as_good = found < np.maximum(AS_GOOD * cost[frames], UNUSUAL * usual)
        mends = as_good & (_steps(body, q[beside], start) < 0.5 * leap)
        taken = np.flatnonzero((found < BETTER * cost[frames]) | mends)
        # If a frame has two candidates, the better one is written last.
        taken = taken[np.argsort(-found[taken], kind="stable")]
        q[frames[taken]], cost[frames[taken]] = start[taken], found[taken]
        done = np.unique(frames[taken])
        frames, beside = np.concatenate([done - 1, done + 1]), np.concatenate([done, done])
    return q


def _steps(body: Body, some: Array, others: Array) -> Array:
    """Return the largest joint step between postures, (frames,) [rad; m for prismatic joints], without a floating root."""
    own = np.abs(body.compiled.kernel.difference(some, others))
    for v in body.compiled.variables:
        if v.joint.kind is Kind.FLOATING:
            own[:, v.first : v.first + v.joint.kind.size] = 0.0
    out: Array = own.max(axis=1, initial=0.0)
    return out


def _costs(body: Body, q: Array, measured: Array, sigma: float) -> Array:
    """Return the robust cost of each frame, (frames,): squared errors over the noise, logarithmic for outliers."""
    out: Array = robust.costs(errors(body, q, measured)[1], sigma).sum(axis=1)
    return out

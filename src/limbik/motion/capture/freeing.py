"""Frames that are caught in a wrong posture, freed by their neighbours.

Frames are fitted one by one. A limb near a singular posture, such as a shoulder whose axes fall together, may end on the wrong
side in a few of them: its markers then look wrong, and lose their weight. Or it ends in another posture of the same place, half a
turn away in its joints, and what smooths the motion would lead through postures in between that are neither. So a frame that its
markers contradict, or that leaps from its neighbour, is fitted again from where the frame before it arrived, and from the frame
after it, with the weights that markers have there: frames that are right free those beside them, one after the other.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.postures import anchored, errors, fit

# A frame whose errors sum up to more than so many times the usual is contradicted; what frees it lowers them to this part. What
# only mends a leap may err so many times as much.
UNUSUAL, BETTER, AS_GOOD = 1.5, 0.9, 1.1
# A joint that turns by more from frame to frame leaps [rad]; what mends it halves the leap.
LEAP = 0.4
# Steps of a fit with the weights that a start has, and with those that it leads to.
STEPS, AGAIN = 8, 4


def freed(body: Body, q: Array, measured: Array, sigma: float) -> Array:
    """Return postures (frames, n) in which frames that are caught are as their neighbours tell."""
    q = np.array(q)
    cost = _costs(body, q, measured, sigma)
    usual = float(np.median(cost))
    # Frames, each with the one before or after it: all at first, then those beside frames that were freed.
    frames = np.repeat(np.arange(len(q)), 2)
    beside = frames + np.tile([-1, 1], len(q))
    for _ in range(len(q)):
        inside = (np.minimum(frames, beside) >= 0) & (np.maximum(frames, beside) < len(q))
        frames, beside = frames[inside], beside[inside]
        leap = _steps(body, q[beside], q[frames])
        told = (cost[frames] > UNUSUAL * usual) & (cost[beside] <= BETTER * cost[frames]) | (leap >= LEAP)
        frames, beside, leap = frames[told], beside[told], leap[told]
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
        taken = taken[np.argsort(-found[taken], kind="stable")]  # of two for one frame, the better is written last
        q[frames[taken]], cost[frames[taken]] = start[taken], found[taken]
        done = np.unique(frames[taken])
        frames, beside = np.concatenate([done - 1, done + 1]), np.concatenate([done, done])
    return q


def _steps(body: Body, some: Array, others: Array) -> Array:
    """Return the largest step of a joint from some postures to others, (frames,) [rad, slides in m]; a free root's is none."""
    own = np.abs(body.compiled.kernel.difference(some, others))
    for v in body.compiled.variables:
        if v.joint.kind is Kind.FLOATING:
            own[:, v.first : v.first + v.joint.kind.size] = 0.0
    out: Array = own.max(axis=1, initial=0.0)
    return out


def _costs(body: Body, q: Array, measured: Array, sigma: float) -> Array:
    """Return what the markers of each frame err, (frames,): squares of errors over the noise, and logarithms of those far off."""
    out: Array = robust.costs(errors(body, q, measured)[1], sigma).sum(axis=1)
    return out

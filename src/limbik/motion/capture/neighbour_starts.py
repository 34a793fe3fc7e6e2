"""Correct frames in wrong local minima by restarts from their neighbours.

Frames are fitted independently. A limb near a singular posture (configuration), such as a shoulder with aligned axes, may
converge to the wrong side in some of them: its markers then become outliers and lose their weight. Or it converges to another
solution, whose joint values differ by half a revolution; smoothing would then pass through postures between the two. So a
frame with large errors, or with a jump from its neighbour, is fitted again from the postures of the previous and the next
frame, with the marker weights of that start. Correct frames thus correct their neighbours, one after the other.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.postures import anchor_of, errors, fit

# A frame is refitted if its cost exceeds UNUSUAL times the median; the new fit must reduce it to BETTER of its value. A fit that
# removes a jump may increase the cost by the factor AS_GOOD.
UNUSUAL, BETTER, AS_GOOD = 1.5, 0.9, 1.1
# The largest joint step between frames that is not a jump [rad]; a correction must halve the jump.
JUMP = 0.4
# Steps of a fit with the weights of the start, and with the updated weights.
STEPS, AGAIN = 8, 4


def corrected_by_neighbours(body: Body, q: Array, measured: Array, sigma: float) -> Array:
    """Return postures (frames, n) with frames in wrong local minima corrected."""
    q = np.array(q)
    cost = _costs(body, q, measured, sigma)
    typical = float(np.median(cost))
    # Pairs of a frame and a neighbour: all pairs at first, then those next to corrected frames.
    frames = np.repeat(np.arange(len(q)), 2)
    beside = frames + np.tile([-1, 1], len(q))
    for _ in range(len(q)):
        inside = (np.minimum(frames, beside) >= 0) & (np.maximum(frames, beside) < len(q))
        frames, beside = frames[inside], beside[inside]
        jump = _steps(body, q[beside], q[frames])
        suspect = (cost[frames] > UNUSUAL * typical) & (cost[beside] <= BETTER * cost[frames]) | (jump >= JUMP)
        frames, beside, jump = frames[suspect], beside[suspect], jump[suspect]
        if not len(frames):
            break
        start, seen = q[beside], measured[frames]
        for steps in (STEPS, AGAIN):
            weights = robust.own_weights(errors(body, start, seen)[1], sigma)
            start, _ = fit(body, start, seen, weights, anchor_of(body, start), steps)
        found = _costs(body, start, seen, sigma)
        as_good = found < np.maximum(AS_GOOD * cost[frames], UNUSUAL * typical)
        removes_jump = as_good & (_steps(body, q[beside], start) < 0.5 * jump)
        taken = np.flatnonzero((found < BETTER * cost[frames]) | removes_jump)
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

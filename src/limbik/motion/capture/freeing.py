"""Frames that are caught in a wrong posture, freed by their neighbours.

Frames are fitted one by one. A limb near a singular posture, such as a shoulder whose axes fall together, may end on the wrong
side in a few of them: its markers then look wrong, and lose their weight. Or it ends in another posture of the same place, half a
turn away in its joints, and what smooths the motion would lead through postures in between that are neither. So a frame that its
markers contradict, or that leaps from its neighbour, is fitted again from where the frame before it arrived, and from the frame
after it, with the weights that markers have there: frames that are right free those beside them, one after the other.
"""

import numpy as np

from limbik.model.transform import Array
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
    for order in (range(1, len(q)), range(len(q) - 2, -1, -1)):
        beside = -1 if order.step > 0 else 1
        for k in order:
            leap = _step(body, q[k + beside], q[k])
            contradicted = cost[k] > UNUSUAL * usual and cost[k + beside] <= BETTER * cost[k]
            if not contradicted and leap < LEAP:
                continue
            start, one = q[k + beside : k + beside + 1], measured[k : k + 1]
            for steps in (STEPS, AGAIN):
                weights = robust.own_weights(errors(body, start, one)[1], sigma)
                start, _ = fit(body, start, one, weights, anchored(body, start), steps)
            found = float(_costs(body, start, one, sigma)[0])
            mends = (
                found < max(AS_GOOD * cost[k], UNUSUAL * usual) and _step(body, q[k + beside], start[0]) < 0.5 * leap
            )
            if found < BETTER * cost[k] or mends:
                q[k], cost[k] = start[0], found
    return q


def _step(body: Body, one: Array, other: Array) -> float:
    """Return the largest step of a joint beyond the root from one posture to another [rad, slides in m]."""
    first = body.compiled.variables[0]
    own = np.abs(body.compiled.kernel.difference(one, other))
    return float(np.delete(own, range(first.first, first.first + first.joint.kind.size)).max(initial=0.0))


def _costs(body: Body, q: Array, measured: Array, sigma: float) -> Array:
    """Return what the markers of each frame err, (frames,): squares of errors over the noise, and logarithms of those far off."""
    out: Array = robust.costs(errors(body, q, measured)[1], sigma).sum(axis=1)
    return out

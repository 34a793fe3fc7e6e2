"""Which joints the markers of a frame tell, and how those that they do not tell are bridged in time."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import quaternion_from_vector, vector_from_quaternion
from limbik.model.compiled import Compiled, Variable
from limbik.model.joint import Kind
from limbik.model.ranges import Mask
from limbik.motion.capture.body import TOGETHER, Body
from limbik.motion.capture.postures import ANCHOR

# A number of q is not told by the markers of a frame where more than this part is lost of what all markers would tell in that
# posture.
UNTOLD = 0.25


def variances(body: Body, q: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return three variances of the numbers of q in each frame, (frames, n) each: what markers and anchor leave, 1 / ANCHOR where
    markers tell nothing; how much the noise of markers moves the fitted number; and the inverse of what markers tell of it
    where all others are known.

    The first is the diagonal of P = (A + ANCHOR)^-1, the second that of P A P. They part where joints in a row turn the same
    markers: their difference is not told (the first is large), yet the anchor shares the turn out the same way in every frame
    (the second is small).
    """
    out, moved, alone = np.empty_like(q), np.empty_like(q), np.empty_like(q)
    n = body.n
    nothing = np.zeros((len(q), len(body.on), 3))
    for start in range(0, len(q), TOGETHER):
        part = slice(start, start + TOGETHER)
        A, _ = body.normal_equations(q[part], nothing[part], weights[part])
        alone[part] = A[:, range(n), range(n)]
        A[:, range(n), range(n)] += ANCHOR
        P = np.linalg.inv(A)
        out[part] = P[:, range(n), range(n)]
        moved[part] = out[part] - ANCHOR * (P * P).sum(axis=-1)
    return out, np.maximum(moved, 0.0), alone


def unseen(body: Body, q: Array, variance: Array, sigma: float) -> Mask:
    """Return which numbers of q the markers of a frame do not tell, (frames, n), though all markers together would.

    Joints in a row that turn the same markers are told together alone: their own variance is always large, and changes with
    the posture. So it is compared with what all markers would leave in the same posture.
    """
    hidden: Mask = np.zeros(q.shape, dtype=np.bool_)
    least = UNTOLD * UNTOLD / ANCHOR
    some = np.flatnonzero((variance > least).any(axis=1))
    if len(some):
        full, _, _ = variances(body, q[some], np.full((len(some), len(body.on)), sigma**-2))
        hidden[some] = variance[some] - full > np.maximum(UNTOLD * (1 / ANCHOR - full), least)
    return hidden


def bridge(compiled: Compiled, q: Array, hidden: Mask, times: Array) -> Array:
    """Return q with what is hidden taken from the frames before and after in which it is seen; rotations by the short arc."""
    out = np.array(q)
    for v in compiled.variables:
        own = slice(v.first, v.first + v.joint.kind.size)
        gone = hidden[:, own].any(axis=1)
        seen = np.flatnonzero(~gone)
        if not gone.any() or not len(seen):
            continue
        after = np.clip(np.searchsorted(seen, np.flatnonzero(gone)), 0, len(seen) - 1)
        before = np.clip(after - 1, 0, len(seen) - 1)
        first, last = seen[before], seen[after]
        # In front of the first seen frame and behind the last both are the same frame.
        at = times[gone]
        outside = (at < times[first]) | (at > times[last])
        first = np.where(outside, np.where(at > times[last], last, first), first)
        last = np.where(outside, first, last)
        span = times[last] - times[first]
        share = np.divide(at - times[first], span, out=np.zeros_like(at), where=span > 0)[:, None]
        out[np.flatnonzero(gone)[:, None], np.arange(own.start, own.stop)] = _between(
            v, q[first, own], q[last, own], share
        )
    return out


def _between(v: Variable, a: Array, b: Array, share: Array) -> Array:
    kind = v.joint.kind
    out: Array = a + share * (b - a)
    if kind in (Kind.BALL, Kind.FLOATING):
        start, end = quaternion_from_vector(a[:, -3:]), quaternion_from_vector(b[:, -3:])
        end = np.where((start * end).sum(-1, keepdims=True) < 0, -end, end)
        mixed = (1 - share) * start + share * end
        out[:, -3:] = vector_from_quaternion(mixed)
    return out


def runs(hidden: Mask, times: Array, longest: float) -> tuple[Mask, Mask]:
    """Return the frames in which something is hidden, and those of them in which it is hidden for longer than `longest` [s]."""
    gone: Mask = np.asarray(hidden.any(axis=1))
    long: Mask = np.zeros(len(gone), dtype=np.bool_)
    for column in hidden.T[hidden.any(axis=0)]:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], column.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            if times[min(stop, len(times) - 1)] - times[max(start - 1, 0)] > longest:
                long[start:stop] = True
    return gone, long

"""Find the joint values that the markers of a frame do not determine, and interpolate them in time."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import quaternion_from_vector, vector_from_quaternion
from limbik.model.compiled import Compiled, Variable
from limbik.model.joint import Kind
from limbik.model.ranges import Mask
from limbik.motion.capture.body import TOGETHER, Body
from limbik.motion.capture.postures import ANCHOR

# A joint value is unobservable in a frame if its markers lose more than this fraction of the information of all markers in that
# posture.
UNOBSERVABLE = 0.25


def variances(body: Body, q: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return three variances of each joint value in each frame, (frames, n) each: the posterior variance with markers and
    anchor (1 / ANCHOR without markers); the variance of the fitted value due to marker noise; and the conditional variance
    given all other values.

    The first is the diagonal of P = (A + ANCHOR)^-1, the second that of P A P. They differ if consecutive joints rotate the same
    markers: the difference of their values is unobservable (the first is large), but the anchor distributes the rotation the
    same way in every frame (the second is small).
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


def unobservable(body: Body, q: Array, variance: Array, sigma: float) -> Mask:
    """Return which joint values the markers of a frame do not determine although all markers would, (frames, n).

    Of consecutive joints that rotate the same markers, only the combination is observable: their own variances are always large
    and depend on the posture. So they are compared with the variances for all markers in the same posture.
    """
    hidden: Mask = np.zeros(q.shape, dtype=np.bool_)
    least = UNOBSERVABLE * UNOBSERVABLE / ANCHOR
    some = np.flatnonzero((variance > least).any(axis=1))
    if len(some):
        full, _, _ = variances(body, q[some], np.full((len(some), len(body.on)), sigma**-2))
        hidden[some] = variance[some] - full > np.maximum(UNOBSERVABLE * (1 / ANCHOR - full), least)
    return hidden


def bridge(compiled: Compiled, q: Array, hidden: Mask, times: Array) -> Array:
    """Return q with hidden values interpolated between the closest frames in which they are observable.

    Rotations are interpolated as quaternions, linearly and then normalised.
    """
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
        # Before the first observable frame and after the last, both are the same frame.
        at = times[gone]
        outside = (at < times[first]) | (at > times[last])
        first = np.where(outside, np.where(at > times[last], last, first), first)
        last = np.where(outside, first, last)
        span = times[last] - times[first]
        share = np.divide(at - times[first], span, out=np.zeros_like(at), where=span > 0)[:, None]
        out[np.flatnonzero(gone)[:, None], np.arange(own.start, own.stop)] = _interpolated(
            v, q[first, own], q[last, own], share
        )
    return out


def _interpolated(v: Variable, a: Array, b: Array, share: Array) -> Array:
    kind = v.joint.kind
    out: Array = a + share * (b - a)
    if kind in (Kind.BALL, Kind.FLOATING):
        start, end = quaternion_from_vector(a[:, -3:]), quaternion_from_vector(b[:, -3:])
        end = np.where((start * end).sum(-1, keepdims=True) < 0, -end, end)
        mixed = (1 - share) * start + share * end
        out[:, -3:] = vector_from_quaternion(mixed)
    return out


def runs(hidden: Mask, times: Array, longest: float) -> tuple[Mask, Mask]:
    """Return the frames with a hidden value, and the frames in which some value is hidden for longer than `longest` [s]."""
    gone: Mask = np.asarray(hidden.any(axis=1))
    long: Mask = np.zeros(len(gone), dtype=np.bool_)
    for column in hidden.T[hidden.any(axis=0)]:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], column.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            if times[min(stop, len(times) - 1)] - times[max(start - 1, 0)] > longest:
                long[start:stop] = True
    return gone, long

"""Which joints the markers of a frame tell, and how those that they do not tell are bridged in time."""

import numpy as np

from limbik.model.compiled import Compiled, Variable
from limbik.model.joint import Kind
from limbik.model.ranges import Mask
from limbik.model.rotations import from_quaternions, to_quaternions
from limbik.model.transform import Array
from limbik.motion.capture.body import TOGETHER, Body
from limbik.motion.capture.postures import ANCHOR

# A number of q whose variance is more of what the anchor alone leaves is not told by markers.
UNTOLD = 0.25
# Frames that are enough to tell a median.
SOME = 128
# One whose usual variance is more is never told well.
HARDLY = 0.04


def variances(body: Body, q: Array, weights: Array) -> tuple[Array, Array]:
    """Return the variance that markers leave to each number of q in each frame, (frames, n), 1 / ANCHOR where they tell nothing;
    and what they tell of it where all others are known, in 1/variance.
    """
    out, alone = np.empty_like(q), np.empty_like(q)
    n = body.n
    nothing = np.zeros((len(q), len(body.on), 3))
    for start in range(0, len(q), TOGETHER):
        part = slice(start, start + TOGETHER)
        A, _ = body.normal_equations(q[part], nothing[part], weights[part])
        alone[part] = A[:, range(n), range(n)]
        A[:, range(n), range(n)] += ANCHOR
        out[part] = np.linalg.inv(A)[:, range(n), range(n)]
    return out, alone


def told_alone(body: Body, q: Array, weights: Array, never: Mask) -> Array:
    """Return what markers tell of each number that is never told by itself, if it were the only such one, (n,) in 1/variance.

    The Schur complement of those that are told: A_NN - A_NW A_WW^-1 A_WN, its diagonal, at the median of some frames.
    """
    some = np.unique(np.linspace(0, len(q) - 1, min(len(q), SOME)).astype(int))
    A, _ = body.normal_equations(q[some], np.zeros((len(some), len(body.on), 3)), weights[some])
    A[:, range(body.n), range(body.n)] += ANCHOR
    told = ~never
    across = A[:, told][:, :, never]
    solved = np.linalg.solve(A[:, told][:, :, told], across)
    out = np.full(body.n, np.nan)
    out[never] = np.median(A[:, never, never] - (across * solved).sum(axis=1), axis=0)
    return out


def unseen(variance: Array) -> tuple[Mask, Mask]:
    """Return which numbers of q the markers of a frame do not tell, (frames, n), and which they tell hardly ever, (n,).

    The latter are joints without markers beyond them, or several in a row that turn the same markers: hidden in every frame.
    """
    never: Mask = np.median(variance, axis=0) > HARDLY / ANCHOR
    hidden: Mask = (variance > UNTOLD / ANCHOR) | never
    return hidden, never


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
        start, end = to_quaternions(a[:, -3:]), to_quaternions(b[:, -3:])
        end = np.where((start * end).sum(-1, keepdims=True) < 0, -end, end)
        mixed = (1 - share) * start + share * end
        out[:, -3:] = from_quaternions(mixed)
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

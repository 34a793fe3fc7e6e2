"""Leaps of single joints that limits make, passed on gently.

A forearm that should be twisted farther than it can stands at one end of its range; when what it should do comes round from the
other side, the nearest it can do is the other end, from one frame to the next. No frame is wrong, and yet the hand turns by half
a turn at once. A target that limits keep out of reach may be nearest to two postures in turn, too. Such a step stands alone:
around it the joint moves little. Over a time on either side, the longer the farther the leap, what lies before passes smoothly
into what lies behind; but not while a foot stands, which would slide. Where the source itself moves as fast, nothing is a leap.
"""

from collections.abc import Sequence

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.motion.retargeting.smoothing import frame_time

# A leap is at least this far [rad], and so many times the joint's usual step in so many frames on either side.
LEAP, TIMES, AROUND = 0.3, 4.0, 4
# ... and so many times the largest step of the source there or beside it.
FASTER = 2.0
# The time on either side over which it is passed on at least [s], and how fast the joint turns on average then at most [rad/s].
EASE, SPEED = 0.12, 6.0
# How often what is left is looked at again.
ROUNDS = 3


def eased(compiled: Compiled, q: Array, times: Array, parts: Sequence[slice], source: Array) -> Array:
    """Return postures (frames, n) whose joints do not leap. parts: what belongs together; nothing is passed on across them.

    source: (frames - 1,) the largest step of the source's joints from each frame to the next.
    """
    q, kernel = np.array(q), compiled.kernel
    joints = [v for v in compiled.variables if v.joint.kind is not Kind.FLOATING]
    for part in parts:
        seconds, still = frame_time(times[part]), np.zeros(part.stop - part.start, bool)
        least = _least(source[part.start : part.stop - 1])
        for _ in range(ROUNDS):
            way = kernel.difference(q[part][:-1], q[part][1:])
            found = False
            for v in joints:
                own = np.arange(v.first, v.first + v.joint.kind.size)
                steps = np.linalg.norm(way[:, own], axis=1)
                for k in _alone(steps, least):
                    t, s = _window(k, steps[k], seconds, still)
                    here = q[part]
                    low, high = here[np.minimum(t, k)], here[np.maximum(t, k + 1)]
                    passed = kernel.integrate(low, s * kernel.difference(low, high))
                    here[t[:, None], own] = passed[:, own]
                    found = True
            if not found:
                break
    return q


def eased_limb(
    compiled: Compiled, before: Array, solved: Array, times: Array, held: np.ndarray | None, source: Array
) -> Array:
    """Return solved postures (frames, n) in which a limb does not leap: what solving changed is passed on.

    before: as they were. held: (frames,), where a foot stands and nothing is changed. source: as in `eased`.
    """
    kernel, seconds = compiled.kernel, frame_time(times)
    changed = kernel.difference(before, solved)
    own = np.flatnonzero(changed.any(axis=0))
    still = np.zeros(len(solved), bool) if held is None else held
    q, least = np.array(solved), _least(source)
    for _ in range(ROUNDS):
        steps = np.abs(kernel.difference(q[:-1], q[1:])[:, own]).max(axis=1, initial=0.0)
        made = np.abs(np.diff(changed, axis=0)).max(axis=1, initial=0.0)
        leaps = np.flatnonzero((steps > least) & (made > LEAP)).tolist()
        for k in leaps:
            t, s = _window(k, steps[k], seconds, still)
            changed[t] = (1 - s) * changed[np.minimum(t, k)] + s * changed[np.maximum(t, k + 1)]
        if not leaps:
            break
        q = kernel.integrate(before, changed)
    return q


def _least(source: Array) -> Array:
    """Return how long a step is at least that is a leap, (frames - 1,) [rad]."""
    padded = np.pad(source, 1)
    beside = np.maximum(np.maximum(padded[:-2], padded[2:]), source)
    out: Array = np.maximum(LEAP, FASTER * beside)
    return out


def _alone(steps: Array, least: Array) -> list[int]:
    """Return which steps (frames - 1,) are leaps: long ones that stand alone."""
    long = np.flatnonzero(steps > least).tolist()
    return [k for k in long if steps[k] > TIMES * np.median(steps[max(k - AROUND, 0) : k + AROUND + 1])]


def _window(k: int, step: float, seconds: float, still: np.ndarray) -> tuple[np.ndarray, Array]:
    """Return the frames over which a step from frame k to the next is passed on, as far as those that stand still, and the part
    of it that is done in each, (window, 1).
    """
    half = max(round(max(EASE, step / (2 * SPEED)) / seconds), 1)
    low = max(k - half, 0, *np.flatnonzero(still[: k + 1])[-1:].tolist())
    high = min(k + half + 2, len(still), *(np.flatnonzero(still[k + 1 :])[:1] + k + 2).tolist())
    t = np.arange(low, high)
    s = ((t - low) / max(high - 1 - low, 1))[:, None]
    return t, s * s * (3 - 2 * s)

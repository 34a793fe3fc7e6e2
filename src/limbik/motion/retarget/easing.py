"""Blend over jumps of single joints that limits cause.

A forearm that should twist beyond its range stays at one limit. When the wanted twist re-enters the range from the other
side, the closest feasible value jumps to the other limit within one frame. Every frame is valid, but the hand rotates by half
a revolution at once. For an unreachable target, the solution can also alternate between two closest postures
(configurations). Such a step is isolated: the joint moves little around it. The values before and after it are blended over
an interval that is longer for larger jumps, but not during a stance, since the foot would slide. If the source moves equally
fast, the step is not a jump.
"""

from collections.abc import Sequence

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.motion.retarget.smoothing import frame_time

# A jump is a step of at least JUMP [rad], TIMES the median of the joint's steps within AROUND frames on either side, and FASTER
# times the largest step of the source in the same or a neighbouring gap.
JUMP, TIMES, AROUND = 0.3, 4.0, 4
FASTER = 2.0
# The shortest blending time on either side [s], and the largest mean joint speed during it [rad/s].
EASE, SPEED = 0.12, 6.0
# The most rounds of blending.
ROUNDS = 3


def without_jumps(compiled: Compiled, q: Array, times: Array, parts: Sequence[slice], source: Array) -> Array:
    """Return postures (frames, n) without jumps. parts: independent parts of the frames; nothing is blended across them.

    source: (frames - 1,) the largest joint step of the source between frames.
    """
    q, kernel = np.array(q), compiled.kernel
    joints = [v for v in compiled.variables if v.joint.kind is not Kind.FLOATING]
    for part in parts:
        seconds, still = frame_time(times[part]), np.zeros(part.stop - part.start, bool)
        least = _least(source[part.start : part.stop - 1])
        for _ in range(ROUNDS):
            differences = kernel.difference(q[part][:-1], q[part][1:])
            found = False
            for v in joints:
                own = np.arange(v.first, v.first + v.joint.kind.size)
                steps = np.linalg.norm(differences[:, own], axis=1)
                for k in _isolated(steps, least):
                    t, s = _window(k, steps[k], seconds, still)
                    here = q[part]
                    low, high = here[np.minimum(t, k)], here[np.maximum(t, k + 1)]
                    blended = kernel.integrate(low, s * kernel.difference(low, high))
                    here[t[:, None], own] = blended[:, own]
                    found = True
            if not found:
                break
    return q


def limb_without_jumps(
    compiled: Compiled, before: Array, solved: Array, times: Array, held: np.ndarray | None, source: Array
) -> Array:
    """Return solved postures (frames, n) without jumps of a limb: the changes that the solver made are blended.

    before: the postures before solving. held: (frames,) stances, in which nothing changes. source: as in `without_jumps`.
    """
    kernel, seconds = compiled.kernel, frame_time(times)
    changed = kernel.difference(before, solved)
    own = np.flatnonzero(changed.any(axis=0))
    still = np.zeros(len(solved), bool) if held is None else held
    q, least = np.array(solved), _least(source)
    for _ in range(ROUNDS):
        steps = np.abs(kernel.difference(q[:-1], q[1:])[:, own]).max(axis=1, initial=0.0)
        made = np.abs(np.diff(changed, axis=0)).max(axis=1, initial=0.0)
        jumps = np.flatnonzero((steps > least) & (made > JUMP)).tolist()
        for k in jumps:
            t, s = _window(k, steps[k], seconds, still)
            changed[t] = (1 - s) * changed[np.minimum(t, k)] + s * changed[np.maximum(t, k + 1)]
        if not jumps:
            break
        q = kernel.integrate(before, changed)
    return q


def _least(source: Array) -> Array:
    """Return the length above which a step between two frames may be a jump, (frames - 1,) [rad]."""
    padded = np.pad(source, 1)
    beside = np.maximum(np.maximum(padded[:-2], padded[2:]), source)
    out: Array = np.maximum(JUMP, FASTER * beside)
    return out


def _isolated(steps: Array, least: Array) -> list[int]:
    """Return the steps (frames - 1,) that are jumps: long, isolated ones."""
    long = np.flatnonzero(steps > least).tolist()
    return [k for k in long if steps[k] > TIMES * np.median(steps[max(k - AROUND, 0) : k + AROUND + 1])]


def _window(k: int, step: float, seconds: float, still: np.ndarray) -> tuple[np.ndarray, Array]:
    """Return the frames over which a step from frame k to the next is blended, which end at stances, and the fraction of the step
    in each, (window, 1).
    """
    half = max(round(max(EASE, step / (2 * SPEED)) / seconds), 1)
    low = max(k - half, 0, *np.flatnonzero(still[: k + 1])[-1:].tolist())
    high = min(k + half + 2, len(still), *(np.flatnonzero(still[k + 1 :])[:1] + k + 2).tolist())
    t = np.arange(low, high)
    s = ((t - low) / max(high - 1 - low, 1))[:, None]
    return t, s * s * (3 - 2 * s)

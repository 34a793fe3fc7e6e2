"""Whether a long step between two frames is a quick motion or a jump: the law that every course is held to.

Frames alone cannot tell: beside a singular posture a motion is quick and yet continuous. So a step that stands out is cut in
two, at the place where the longest part is, over and over: the posture there is the one on the path that is nearest the middle
of the postures before and behind. A continuous motion comes apart into parts that are as short as one likes; of a jump one part
stays as long as it is, however near its ends are in time.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.path import Path

# A step is looked at that is longer than this [rad, or parts of the reach], and this many times as quick as those beside it.
NOTICED, OUTSTANDING = 0.03, 3.0
# Steps on either side that it is compared with; one that is longer than LONG, with all of them.
BESIDE, LONG = 4, 0.1
# Branches that are nearer meet [rad, or parts of the reach].
TOGETHER = 1e-4
# A step is continuous whose longest part is shorter than this part of it.
COMES_APART = 1.0 / 8.0
# How often a step is cut at most, and the shortest time that is cut, in parts of the step's own.
MOST_CUTS, SHORTEST = 64, 1e-6


class Settler(Protocol):
    """What leads a posture to a pose."""

    weight: Array

    def settle(self, Ts: Array, seeds: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Return postures near seeds, and whether they reach."""
        ...


def outstanding(times: Array, q: Array, weight: Array) -> npt.NDArray[np.int64]:
    """Return the frames whose step from the one before stands out beside its neighbours."""
    steps = np.abs(np.diff(q, axis=0) * weight).max(axis=1, initial=0.0)
    rate = steps / np.diff(times)
    padded = np.pad(rate, BESIDE, constant_values=np.nan)
    beside = np.lib.stride_tricks.sliding_window_view(padded, 2 * BESIDE + 1)
    beside = np.delete(beside, BESIDE, axis=1)
    usual = np.zeros(len(rate))
    known = np.isfinite(beside).any(axis=1)
    usual[known] = np.nanmedian(beside[known], axis=1)
    strange = (steps > NOTICED) & (rate > OUTSTANDING * usual)
    return np.flatnonzero(strange | ((steps > LONG) & (rate > OUTSTANDING * np.median(rate)))) + 1


def jumps_of(
    source: Settler, path: Path, times: Array, q: Array, branch: npt.NDArray[np.int64] | None = None
) -> npt.NDArray[np.int64]:
    """Return the frames that are reached from the one before by a jump.

    branch: (k,) of each posture, -1 where none is known. Two branches that nearly meet may be as near as the frames are; so where
    one is left for another the step is looked at, however short. Not on a path that is known at its frames alone: what lies
    between is a guess, and just there it is not good enough.
    """
    if len(q) < 2:
        return np.zeros(0, np.int64)
    rows = outstanding(times, q, source.weight)
    lengths = np.abs(np.diff(q, axis=0) * source.weight).max(axis=1)
    if branch is not None and not path.sampled:
        left = (branch[1:] != branch[:-1]) & (branch[1:] >= 0) & (branch[:-1] >= 0) & (lengths > TOGETHER)
        rows = np.union1d(rows, np.flatnonzero(left) + 1)
    return np.array(
        [
            k
            for k in rows
            if taken_apart(source, path, times[k - 1 : k + 1], q[k - 1 : k + 1], COMES_APART * lengths[k - 1]) is None
        ],
        np.int64,
    )


def taken_apart(source: Settler, path: Path, times: Array, q: Array, most: float) -> tuple[Array, Array] | None:
    """Return times and postures with others in between, so that no step is longer than `most`, or None where one stays long.

    times: (2,), q: (2, n), the step.
    """
    length = float(np.abs((q[1] - q[0]) * source.weight).max())
    shortest = SHORTEST * float(times[1] - times[0])
    for _ in range(MOST_CUTS):
        steps = np.abs(np.diff(q, axis=0) * source.weight).max(axis=1)
        longest = int(np.argmax(steps))
        if steps[longest] < most:
            return times, q
        if steps[longest] > 1.5 * length or times[longest + 1] - times[longest] < shortest:
            break
        middle = 0.5 * (times[longest] + times[longest + 1])
        between, _ = source.settle(path.at(middle)[None], 0.5 * (q[longest] + q[longest + 1])[None])
        times, q = np.insert(times, longest + 1, middle), np.insert(q, longest + 1, between[0], axis=0)
    return None


def refined(source: Settler, path: Path, times: Array, q: Array, most: float) -> tuple[Array, Array]:
    """Return a course with more postures where its steps are longer than `most`, and where that can be."""
    parts_t, parts_q = [times[:1]], [q[:1]]
    for k, step in enumerate(np.abs(np.diff(q, axis=0) * source.weight).max(axis=1, initial=0.0)):
        pair = times[k : k + 2], q[k : k + 2]
        finer = taken_apart(source, path, *pair, most) if step > most else None
        part = pair if finer is None else finer
        parts_t.append(part[0][1:])
        parts_q.append(part[1][1:])
    return np.concatenate(parts_t), np.concatenate(parts_q)

"""Decide whether a long step between two frames is a fast continuous motion or a jump. Every trajectory must pass this test.

The frames alone do not decide: near a singular posture (configuration) a motion is fast but continuous. So each step that is much
faster than its neighbours is bisected repeatedly at its longest part. The inserted posture is the solution on the path closest to
the mean of its neighbours. A continuous motion divides into arbitrarily short parts; a jump keeps one long part, however short
its time interval becomes.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.path import Path

# A step is checked if it is longer than this [rad, or fractions of the reach], and this many times as fast as its neighbours.
NOTICED, OUTSTANDING = 0.03, 3.0
# The number of neighbouring steps on either side for the comparison. Steps longer than LONG are also compared with the median of
# all steps.
BESIDE, LONG = 4, 0.1
# Changes between branches that are closer than this need no check [rad, or fractions of the reach].
MEETING = 1e-4
# A step is continuous if its longest part is shorter than this fraction of it.
CONTINUOUS = 1.0 / 8.0
# The most bisections of a step, and the shortest interval that is bisected, as a fraction of the step's time.
MOST_CUTS, SHORTEST = 64, 1e-6


class NearSolver(Protocol):
    """A solver for the posture near a seed."""

    weight: Array

    def solve_near(self, Ts: Array, seeds: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Return the postures near seeds, and whether they reach the poses."""
        ...


def outstanding(times: Array, q: Array, weight: Array) -> npt.NDArray[np.int64]:
    """Return the frames whose step from the previous one is much faster than its neighbours."""
    steps = np.abs(np.diff(q, axis=0) * weight).max(axis=1, initial=0.0)
    rate = steps / np.diff(times)
    padded = np.pad(rate, BESIDE, constant_values=np.nan)
    beside = np.lib.stride_tricks.sliding_window_view(padded, 2 * BESIDE + 1)
    beside = np.delete(beside, BESIDE, axis=1)
    typical = np.zeros(len(rate))
    known = np.isfinite(beside).any(axis=1)
    typical[known] = np.nanmedian(beside[known], axis=1)
    fast = (steps > NOTICED) & (rate > OUTSTANDING * typical)
    return np.flatnonzero(fast | ((steps > LONG) & (rate > OUTSTANDING * np.median(rate)))) + 1


def jumps_of(
    source: NearSolver, path: Path, times: Array, q: Array, branch: npt.NDArray[np.int64] | None = None
) -> npt.NDArray[np.int64]:
    """Return the frames that are reached from the previous one by a jump.

    branch: (k,) of each posture, -1 if unknown. Two branches that nearly meet may be as close to each other as two frames, so a
    step that changes the branch is checked even if it is short. Sampled paths are an exception: their poses between frames are
    interpolated, which is not accurate enough for this check.
    """
    if len(q) < 2:
        return np.zeros(0, np.int64)
    rows = outstanding(times, q, source.weight)
    lengths = np.abs(np.diff(q, axis=0) * source.weight).max(axis=1)
    if branch is not None and not path.sampled:
        changed = (branch[1:] != branch[:-1]) & (branch[1:] >= 0) & (branch[:-1] >= 0) & (lengths > MEETING)
        rows = np.union1d(rows, np.flatnonzero(changed) + 1)
    return np.array(
        [
            k
            for k in rows
            if subdivided(source, path, times[k - 1 : k + 1], q[k - 1 : k + 1], CONTINUOUS * lengths[k - 1]) is None
        ],
        np.int64,
    )


def subdivided(source: NearSolver, path: Path, times: Array, q: Array, most: float) -> tuple[Array, Array] | None:
    """Return the times and postures of a step with inserted ones, none of whose parts is longer than `most`.

    times: (2,), q: (2, n), the step. Returns None if one part stays longer.
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
        between, _ = source.solve_near(path.at(middle)[None], 0.5 * (q[longest] + q[longest + 1])[None])
        times, q = np.insert(times, longest + 1, middle), np.insert(q, longest + 1, between[0], axis=0)
    return None


def refined(source: NearSolver, path: Path, times: Array, q: Array, most: float) -> tuple[Array, Array]:
    """Return a trajectory with inserted postures in steps longer than `most`; jumps stay as they are."""
    parts_t, parts_q = [times[:1]], [q[:1]]
    for k, step in enumerate(np.abs(np.diff(q, axis=0) * source.weight).max(axis=1, initial=0.0)):
        pair = times[k : k + 2], q[k : k + 2]
        finer = subdivided(source, path, *pair, most) if step > most else None
        part = pair if finer is None else finer
        parts_t.append(part[0][1:])
        parts_q.append(part[1][1:])
    return np.concatenate(parts_t), np.concatenate(parts_q)

"""Path following by warm starts only, for arms whose postures (configurations) cannot be listed.

Several first postures follow the path in parallel; each frame starts from the solution of the previous one. Trajectories that
fail or jump are dropped. The result is the longest trajectory; among several, the one that starts closest to the seed, or without
a seed the one with the least motion.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.continuity import NearSolver
from limbik.motion.follow.planner import JointTrajectory
from limbik.motion.path import Path

# The longest step between frames [rad, or fractions of the reach], and the most bisections of a gap to keep it.
LONGEST, CUTS = 0.2, 10

# A function that predicts seeds for the next frame from the postures of the last two frames, (trajectories, n) each.
Predictor = Callable[[Array, Array], Array]


def trace(
    source: NearSolver,
    path: Path,
    times: Array,
    starts: Array,
    seed: Array | None,
    valid: Callable[[Any], Any] | None,
    predict: Predictor | None = None,
) -> JointTrajectory:
    """Return the best trajectory from one of the starts.

    predict: returns the seeds of the next frame; None takes the postures of the last frame.
    """
    starts = starts[[k for k in range(len(starts)) if valid is None or bool(valid(starts[k]))]]
    n = len(source.weight)
    if not len(starts):
        return JointTrajectory(
            times[:0], np.zeros((0, n)), np.zeros(0, np.int64), np.zeros(0, np.bool_), False, True, float(times[0])
        )
    rows = [starts]
    for k in range(1, len(times)):
        seeds = None if predict is None else predict(rows[-2] if k > 1 else rows[-1], rows[-1])
        q, ok = _advance(source, path, times[k - 1], times[k], rows[-1], 0, seeds)
        if valid is not None:
            ok &= np.array([bool(valid(x)) for x in q], np.bool_)
        if not ok.any():
            break
        rows = [row[ok] for row in rows]
        rows.append(q[ok])
    tracks = np.stack(rows)  # (frames, trajectories, n)
    steps = np.diff(tracks, axis=0) * source.weight
    energy = (steps**2).sum(axis=(0, 2))
    far = energy if seed is None else np.abs((tracks[0] - seed) * source.weight).max(axis=1) * 1e6 + energy
    best = tracks[:, int(np.argmin(far))]
    k = len(best)
    complete = k == len(times)
    return JointTrajectory(
        times[:k],
        best,
        np.full(k, -1, np.int64),
        np.zeros(k, np.bool_),
        complete,
        not complete,
        float(times[min(k, len(times) - 1)]),
    )


def _advance(
    source: NearSolver, path: Path, a: float, b: float, q: Array, cuts: int, seeds: Array | None = None
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the postures at time b that continue the postures q at time a, and whether each one does."""
    moved, ok = source.solve_near(np.broadcast_to(path.at(b), (len(q), 4, 4)), q if seeds is None else seeds)
    far = np.abs((moved - q) * source.weight).max(axis=1)
    lost = np.flatnonzero(~ok | (far > LONGEST))
    if len(lost) and cuts < CUTS:
        middle = 0.5 * (a + b)
        half, fine = _advance(source, path, a, middle, q[lost], CUTS if cuts >= 3 else cuts + 1)
        again, fine_too = _advance(source, path, middle, b, half, CUTS if cuts >= 3 else cuts + 1)
        moved[lost], ok[lost] = again, fine & fine_too
    else:
        ok[lost] = False
    return moved, ok

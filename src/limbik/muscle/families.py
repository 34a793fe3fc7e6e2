"""Self-motion at given lengths: whether a manifold of postures (configurations) exists, and its member closest to a seed."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.length_query import LengthQuery

# Ratio of the smallest to the largest singular value of the moment arms below which a self-motion is possible.
FLAT = 1e-3
# Distance along that direction at which postures are tested [rad or m]: one with the same lengths shows a family, not a
# fold.
ASIDE = 0.1


def free_direction(query: LengthQuery, q: Array) -> Array | None:
    """Return the direction of self-motion, (n,), along which the lengths change least; None without a self-motion."""
    problem, kernel, ranges = query.problem, query.problem.model.kernel, query.problem.model.ranges
    given = query.given
    _, sizes, directions = np.linalg.svd(problem.core.arms(q, 0)[given])
    if sizes.size >= problem.model.n and sizes[-1] > FLAT * sizes[0]:
        return None
    direction = np.asarray(directions[-1])
    aside = np.stack([kernel.integrate(q, sign * ASIDE * direction) for sign in (1.0, -1.0)])
    if problem.limited:
        aside = np.clip(aside, ranges.lower, ranges.upper)
    moved, off = problem.core.match(query.wanted, aside, problem.limited)
    direct = np.abs(problem.core.lengths(aside) - query.wanted)[:, given].max(axis=1)
    for postures, gap in ((aside, direct), (moved, off)):
        far = np.array([np.abs(kernel.difference(q, x)).max(initial=0.0) for x in postures]) > 0.5 * ASIDE
        if (far & (gap <= query.tolerance)).any():
            return direction
    return None


def towards_seed(query: LengthQuery, q: Array, direction: Array | None) -> Array:
    """Return the posture along a free direction that is closest to the seed; q itself if that posture has other lengths."""
    if direction is None:
        return q
    problem, kernel = query.problem, query.problem.model.kernel
    moved = kernel.integrate(q, direction * float(direction @ kernel.difference(q, query.seed)))
    gap = np.nanmax(np.abs(problem.core.lengths(moved) - query.wanted))
    fits = gap <= query.tolerance and (not problem.limited or problem.model.ranges.within(moved))
    return np.asarray(moved if fits else q)

"""Self-motion at given lengths: whether a manifold of postures (configurations) exists, and its member closest to a seed."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.length_query import LengthQuery

# Where the lengths change along some way by less than this part of what they change along the best [of rad or m] ...
FLAT = 1e-3
# ... postures this far along it are tried [rad or m]: one that has the lengths as well shows a family, not a fold.
ASIDE = 0.1


def free_direction(query: LengthQuery, q: Array) -> Array | None:
    """Return the direction along which postures have these lengths too, (n,), where they change least; None without one."""
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
    straight = np.abs(problem.core.lengths(aside) - query.wanted)[:, given].max(axis=1)
    for there, gap in ((aside, straight), (moved, off)):
        far = np.array([np.abs(kernel.difference(q, x)).max(initial=0.0) for x in there]) > 0.5 * ASIDE
        if (far & (gap <= query.tolerance)).any():
            return direction
    return None


def towards_seed(query: LengthQuery, q: Array, direction: Array | None) -> Array:
    """Return the posture along a free direction that is nearest the seed, or q itself where that one has other lengths."""
    if direction is None:
        return q
    problem, kernel = query.problem, query.problem.model.kernel
    moved = kernel.integrate(q, direction * float(direction @ kernel.difference(q, query.seed)))
    gap = np.nanmax(np.abs(problem.core.lengths(moved) - query.wanted))
    fits = gap <= query.tolerance and (not problem.limited or problem.model.ranges.within(moved))
    return np.asarray(moved if fits else q)

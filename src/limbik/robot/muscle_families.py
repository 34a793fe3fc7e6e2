"""Lengths that leave a joint free: whether a posture is one of a family, and which of them is nearest a seed."""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.muscular import Muscular

# Where the lengths change along some way by less than this part of what they change along the best [of rad or m] ...
FLAT = 1e-3
# ... postures this far along it are tried [rad or m]: one that has the lengths as well shows a family, not a fold.
ASIDE = 0.1


class MuscleFamilies(Muscular):
    """An arm whose muscles may leave a joint free in some postures."""

    def _free_way(self, problem: Any, wanted: Array, near: float, limits: bool, q: Array) -> Array | None:
        """Return the way along which postures have these lengths too, (n,), where they change least; None where there is none."""
        given = np.isfinite(wanted)
        _, sizes, ways = np.linalg.svd(self.moment_arms(q)[given])
        if sizes.size >= self.n and sizes[-1] > FLAT * sizes[0]:
            return None
        way = np.asarray(ways[-1])
        aside = np.stack([self.model.kernel.integrate(q, sign * ASIDE * way) for sign in (1.0, -1.0)])
        if limits:
            aside = np.clip(aside, self.lower, self.upper)
        moved, off = problem.core.match(wanted, aside, bool(limits))
        straight = np.abs(problem.core.lengths(aside) - wanted)[:, given].max(axis=1)
        for there, gap in ((aside, straight), (moved, off)):
            far = np.array([np.abs(self.model.kernel.difference(q, x)).max(initial=0.0) for x in there]) > 0.5 * ASIDE
            if (far & (gap <= near)).any():
                return way
        return None

    def _towards(
        self, problem: Any, wanted: Array, near: float, limits: bool, q: Array, way: Array | None, seed: Array
    ) -> Array:
        """Return the posture along a free way that is nearest the seed, or q itself where that one has other lengths."""
        if way is None:
            return q
        moved = self.model.kernel.integrate(q, way * float(way @ self.model.kernel.difference(q, seed)))
        gap = np.nanmax(np.abs(problem.core.lengths(moved) - wanted))
        return np.asarray(moved if gap <= near and (not limits or self.model.ranges.within(moved)) else q)

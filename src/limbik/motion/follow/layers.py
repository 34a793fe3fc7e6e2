"""The layers of a path: times with all known configurations that reach the pose at that time.

Between two layers is a gap. Each gap has a longest allowed step, a number of bisections, and a flag whether it can be bisected.
A revolute joint may have several 2-pi copies inside its limits. They count as one configuration until `list_copies` lists them
separately.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.motion.follow.postures import Numbers, Postures, PostureSource, with_copies
from limbik.motion.path import Path

# The shortest gap between layers, as a fraction of the path's duration.
SHORTEST = 1e-7
# The factor on the longest allowed step at each bisection of a gap, down to the length that needs no check.
SHRINK = 0.7
# The most layers.
MOST_LAYERS = 60_000


class Layers:
    """Times of a path, and the configurations at each.

    times: (L,) increasing. nodes: the configurations of all layers, in the order of their times; at: (M,) the time of each. For
    the L - 1 gaps: bound, the longest step; depth, the number of bisections; branch_held, whether the branch must not change.
    """

    def __init__(
        self, source: PostureSource, path: Path, frames: Array, seed: Array | None, *, refine: bool = True
    ) -> None:
        """Make a layer of each frame. refine: gaps may be bisected; if False, long steps are excluded at once."""
        self.source, self.path = source, path
        self.times = np.array(frames)
        self.depth = np.zeros(len(frames) - 1, np.int64)
        self.bound = np.full(len(frames) - 1, source.longest_step)
        self.branch_held = np.zeros(len(frames) - 1, np.bool_)
        self._indivisible = np.full(len(frames) - 1, not refine)  # gaps that cannot be bisected
        self._key_shifts: list[tuple[float, int]] = []  # the times from which grid indices are shifted, and the shift
        self._shortest = SHORTEST * max(float(frames[-1] - frames[0]), 1e-9)
        self._lists_copies = np.array(source.lists_copies)  # (n,) joints whose 2-pi copies are listed separately
        found = source.postures(path.at(frames))
        self.at, self.nodes = frames[found.row], found
        if seed is not None:
            for t in {float(frames[0]), float(frames[-1])}:  # also at the end: a trajectory may return to the seed
                own = source.at_seed(path.at(t), seed)
                self.add(own, np.full(len(own.q), t))

    def add_layers(self, times: Array) -> None:
        """Add layers at some times, if they have configurations."""
        new = np.setdiff1d(times, self.times)
        new = new[(new > self.times[0]) & (new < self.times[-1])]
        if len(new) and len(self.times) + len(new) < MOST_LAYERS:
            found = self.source.postures(self.path.at(new))
            there = np.unique(found.row)
            self._insert(new[there], found, there)

    def gap(self, a: float, b: float) -> tuple[float, float]:
        """Return the times of the last layer at or before a, and of the first at or after b."""
        first = max(int(np.searchsorted(self.times, a, side="right")) - 1, 0)
        last = min(int(np.searchsorted(self.times, b)), len(self.times) - 1)
        return float(self.times[first]), float(self.times[last])

    def forbid(self, a: float, b: float, length: float) -> None:
        """Exclude a jump of some length between two times: steps there may have at most half of it."""
        gaps = (self.times[:-1] >= a) & (self.times[1:] <= b)
        self.bound[gaps] = np.minimum(self.bound[gaps], 0.5 * length)

    def hold_branch(self, a: float, b: float) -> None:
        """Forbid changes of the branch between two times."""
        self.branch_held |= (self.times[1:] > a) & (self.times[:-1] < b)

    def limit_steps(self, gaps: Numbers, longest: Array) -> None:
        """Set the longest step of some gaps, (k,) each."""
        self.bound[gaps] = longest

    @property
    def can_bisect(self) -> npt.NDArray[np.bool_]:
        """Whether each gap can be bisected, (L - 1,)."""
        return ~self._indivisible & (np.diff(self.times) > self._shortest)

    def bisect(self, gaps: Numbers) -> None:
        """Add a layer in the middle of each gap."""
        middle = 0.5 * (self.times[gaps] + self.times[gaps + 1])
        found = self.source.postures(self.path.at(middle))
        there = np.unique(found.row)
        lost = np.setdiff1d(np.arange(len(gaps)), there)
        self._indivisible[gaps[lost]] = True  # no configuration is known between these layers
        self.bound[gaps[lost]] = np.minimum(self.bound[gaps[lost]], self.source.unchecked_step)
        gaps, middle = gaps[there], middle[there]
        self.depth[gaps] += 1
        self.bound[gaps] = np.minimum(
            self.bound[gaps],
            np.maximum(self.source.unchecked_step, self.source.longest_step * SHRINK ** self.depth[gaps]),
        )
        self._insert(middle, found, there)

    def _insert(self, times: Array, found: Postures, there: Numbers) -> None:
        """Add layers at some times. The parts of a gap inherit its properties.

        there: (k,) the row in `found` of each of the times.
        """
        t = np.union1d(self.times, times)
        gap = np.searchsorted(self.times, t[:-1], side="right") - 1
        self.depth, self.bound, self._indivisible = self.depth[gap], self.bound[gap], self._indivisible[gap]
        self.branch_held = self.branch_held[gap]
        self.times = t
        self.add(found, np.asarray(times[np.searchsorted(there, found.row)]))

    def add(self, more: Postures, at: Array) -> None:
        """Add configurations to layers. at: (k,) the time of the layer of each."""
        unlisted = self._lists_copies & ~self.source.lists_copies
        if unlisted.any():
            more, rows = with_copies(more, self.source.lower, self.source.upper, unlisted)
            at = at[rows]
        for since, shift in self._key_shifts:
            more = more._replace(key=np.where(at >= since, (more.key + shift) % self.source.keys, more.key))
        at = np.concatenate([self.at, at])
        order = np.argsort(at, kind="stable")
        self.at = at[order]
        self.nodes = Postures.of([self.nodes, more]).only(order)

    def add_near(self, layer: int, seeds: Array) -> None:
        """Add to a layer the configurations that warm starts from some seeds reach."""
        found = self.source.near(self.path.at(self.times[layer]), seeds)
        if len(found.q):
            self.add(found, np.full(len(found.q), self.times[layer]))

    def shift_keys(self, layer: int, shift: int) -> None:
        """Add `shift` to the grid indices of a family from a layer on."""
        since = float(self.times[layer])
        self._key_shifts.append((since, shift))
        shifted = (self.nodes.key + shift) % self.source.keys
        self.nodes = self.nodes._replace(key=np.where(self.at >= since, shifted, self.nodes.key))

    def close_families(self) -> None:
        """Clear the flags of open families."""
        self.nodes = self.nodes._replace(family=np.zeros(len(self.nodes.q), np.bool_))

    @property
    def first_nodes(self) -> Numbers:
        """(L + 1,) the first node of each layer, and the number of nodes."""
        return np.append(np.searchsorted(self.at, self.times), len(self.at))

    def nodes_at(self, layer: int) -> npt.NDArray[np.bool_]:
        """Return which nodes belong to a layer, (M,)."""
        return np.asarray(self.at == self.times[layer])

    @property
    def wraps(self) -> npt.NDArray[np.bool_]:
        """(n,) joints whose 2-pi copies count as one: unlimited ones, and those whose copies are not listed separately."""
        with np.errstate(invalid="ignore"):
            room = self.source.upper - self.source.lower
        return self.source.revolute & (np.isinf(room) | ((room >= 2 * np.pi) & ~self._lists_copies))

    def list_copies(self, joints: npt.NDArray[np.bool_]) -> None:
        """List the 2-pi copies of some joints as separate configurations."""
        self.nodes, rows = with_copies(self.nodes, self.source.lower, self.source.upper, joints)
        self.at = self.at[rows]
        self._lists_copies |= joints


def wrapped(d: Array, wraps: npt.NDArray[np.bool_]) -> Array:
    """Return differences of joint values, (..., n), modulo 2 pi for the joints that wrap, (n,)."""
    return np.where(wraps, wrap(d), d)


def distance(q: Array, other: Array, wraps: npt.NDArray[np.bool_], weight: Array) -> Array:
    """Return the largest weighted joint difference between configurations, (..., n) -> (...)."""
    return np.asarray(np.abs(wrapped(q - other, wraps) * weight).max(axis=-1, initial=0.0))

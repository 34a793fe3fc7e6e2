"""The layers of a path: times with all known configurations that reach the pose at that time.

Between two layers is a gap, with the longest allowed step, the number of its bisections, and whether it can be bisected.
A revolute joint may have several 2-pi copies inside its limits; they count as one until `take_copies` makes each a configuration
of its own.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.motion.follow.postures import Numbers, Postures, Source, copied
from limbik.motion.path import Path

# The shortest gap between layers, as a fraction of the path's duration.
SHORTEST = 1e-7
# The factor of the largest step between layers at each bisection, down to the length that needs no check.
SHRINK = 0.7
# The most layers.
MOST_LAYERS = 60_000


class Layers:
    """Times of a path, and the configurations at each.

    times: (L,) increasing. nodes: the configurations of all layers, in the order of their times; at: (M,) the time of each. For
    the L - 1 gaps: bound, the longest step; depth, the number of bisections; held, whether the branch must not change.
    """

    def __init__(self, source: Source, path: Path, frames: Array, seed: Array | None, *, closer: bool = True) -> None:
        """Make a layer of each frame. closer: gaps may be bisected; else long steps are excluded at once."""
        self.source, self.path = source, path
        self.times = np.array(frames)
        self.depth = np.zeros(len(frames) - 1, np.int64)
        self.bound = np.full(len(frames) - 1, source.first)
        self.held = np.zeros(len(frames) - 1, np.bool_)
        self._fixed = np.full(len(frames) - 1, not closer)  # gaps that cannot be bisected
        self._turned: list[tuple[float, int]] = []  # times from which the keys have another zero, and the shift
        self._shortest = SHORTEST * max(float(frames[-1] - frames[0]), 1e-9)
        self._copied = np.array(source.copied)  # joints whose 2-pi copies are configurations of their own
        found = source.postures(path.at(frames))
        self.at, self.nodes = frames[found.row], found
        if seed is not None:
            for t in {float(frames[0]), float(frames[-1])}:  # at the end too: a trajectory may return to it
                own = source.at_seed(path.at(t), seed)
                self.add(own, np.full(len(own.q), t))

    def add_layers(self, times: Array) -> None:
        """Add layers at some times, if they have configurations."""
        new = np.setdiff1d(times, self.times)
        new = new[(new > self.times[0]) & (new < self.times[-1])]
        if len(new) and len(self.times) + len(new) < MOST_LAYERS:
            found = self.source.postures(self.path.at(new))
            there = np.unique(found.row)
            self._put(new[there], found, there)

    def gap(self, a: float, b: float) -> tuple[float, float]:
        """Return the times of the layers around two times."""
        first = max(int(np.searchsorted(self.times, a, side="right")) - 1, 0)
        last = min(int(np.searchsorted(self.times, b)), len(self.times) - 1)
        return float(self.times[first]), float(self.times[last])

    def forbid(self, a: float, b: float, length: float) -> None:
        """Exclude steps of a length, and those longer than half of it, between two times."""
        gaps = (self.times[:-1] >= a) & (self.times[1:] <= b)
        self.bound[gaps] = np.minimum(self.bound[gaps], 0.5 * length)

    def hold_branch(self, a: float, b: float) -> None:
        """Forbid changes of the branch between two times."""
        self.held |= (self.times[1:] > a) & (self.times[:-1] < b)

    def limit_steps(self, gaps: Numbers, longest: Array) -> None:
        """Set the longest step of some gaps, (k,) each."""
        self.bound[gaps] = longest

    @property
    def able(self) -> npt.NDArray[np.bool_]:
        """Whether each gap can be bisected, (L - 1,)."""
        return ~self._fixed & (np.diff(self.times) > self._shortest)

    def cut(self, gaps: Numbers) -> None:
        """Add a layer in the middle of each gap."""
        middle = 0.5 * (self.times[gaps] + self.times[gaps + 1])
        found = self.source.postures(self.path.at(middle))
        there = np.unique(found.row)
        lost = np.setdiff1d(np.arange(len(gaps)), there)
        self._fixed[gaps[lost]] = True  # nothing is known about the poses between
        self.bound[gaps[lost]] = np.minimum(self.bound[gaps[lost]], self.source.passing)
        gaps, middle = gaps[there], middle[there]
        self.depth[gaps] += 1
        self.bound[gaps] = np.minimum(
            self.bound[gaps], np.maximum(self.source.passing, self.source.first * SHRINK ** self.depth[gaps])
        )
        self._put(middle, found, there)

    def _put(self, times: Array, found: Postures, there: Numbers) -> None:
        """Add layers in gaps, which keep their properties. there: the row of the time of each configuration."""
        t = np.union1d(self.times, times)
        gap = np.searchsorted(self.times, t[:-1], side="right") - 1
        self.depth, self.bound, self._fixed = self.depth[gap], self.bound[gap], self._fixed[gap]
        self.held = self.held[gap]
        self.times = t
        self.add(found, np.asarray(times[np.searchsorted(there, found.row)]))

    def add(self, more: Postures, at: Array) -> None:
        """Add configurations to layers. at: (k,) the time of the layer of each."""
        unlisted = self._copied & ~self.source.copied
        if unlisted.any():
            more, rows = copied(more, self.source.lower, self.source.upper, unlisted)
            at = at[rows]
        for since, turn in self._turned:
            more = more._replace(key=np.where(at >= since, (more.key + turn) % self.source.keys, more.key))
        at = np.concatenate([self.at, at])
        order = np.argsort(at, kind="stable")
        self.at = at[order]
        self.nodes = Postures.of([self.nodes, more]).only(order)

    def add_near(self, layer: int, seeds: Array) -> None:
        """Add the configurations that warm starts from seeds find in a layer."""
        found = self.source.near(self.path.at(self.times[layer]), seeds)
        if len(found.q):
            self.add(found, np.full(len(found.q), self.times[layer]))

    def turn_keys(self, layer: int, turn: int) -> None:
        """Add `turn` to the keys of a family from a layer on."""
        since = float(self.times[layer])
        self._turned.append((since, turn))
        turned = (self.nodes.key + turn) % self.source.keys
        self.nodes = self.nodes._replace(key=np.where(self.at >= since, turned, self.nodes.key))

    def close_families(self) -> None:
        """Unmark all configurations of open families."""
        self.nodes = self.nodes._replace(family=np.zeros(len(self.nodes.q), np.bool_))

    @property
    def first_nodes(self) -> Numbers:
        """(L + 1,) the first node of each layer, and the number of nodes."""
        return np.append(np.searchsorted(self.at, self.times), len(self.at))

    def there(self, layer: int) -> npt.NDArray[np.bool_]:
        """Return which nodes belong to a layer, (M,)."""
        return np.asarray(self.at == self.times[layer])

    @property
    def wraps(self) -> npt.NDArray[np.bool_]:
        """Joints whose 2-pi copies count as one: those with room for several, or, with copies, those without limits."""
        with np.errstate(invalid="ignore"):
            room = self.source.upper - self.source.lower
        return self.source.turning & (np.isinf(room) | ((room >= 2 * np.pi) & ~self._copied))

    def take_copies(self, joints: npt.NDArray[np.bool_]) -> None:
        """Add the 2-pi copies of some joints, each as a configuration of its own."""
        self.nodes, rows = copied(self.nodes, self.source.lower, self.source.upper, joints)
        self.at = self.at[rows]
        self._copied |= joints


def wrapped(d: Array, wraps: npt.NDArray[np.bool_]) -> Array:
    """Return differences of joint values, (..., n), modulo 2 pi for the joints that wrap, (n,)."""
    return np.where(wraps, wrap(d), d)


def distance(q: Array, other: Array, wraps: npt.NDArray[np.bool_], weight: Array) -> Array:
    """Return the largest weighted joint difference between configurations, (..., n) -> (...)."""
    return np.asarray(np.abs(wrapped(q - other, wraps) * weight).max(axis=-1, initial=0.0))

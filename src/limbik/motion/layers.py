"""The places of a path that a course is planned on, each with every posture that is known to reach its pose.

Between two layers lies a gap, and what is known of it: how long a step may be there, how often it was cut, whether it can be. A
joint that turns may have whole turns to choose from; they count as one until `take_copies` makes each a posture of its own.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.motion.path import Path
from limbik.motion.postures import Numbers, Postures, Source, copied

# A gap between layers is not cut below this part of the path's time.
SHORTEST = 1e-7
# The largest step between layers shrinks by this each time a gap is cut, down to what passes without a closer look.
SHRINK = 0.7
# Layers before it is given up.
MOST_LAYERS = 60_000


class Layers:
    """Times of a path, and the postures at each."""

    def __init__(
        self, source: Source, path: Path, frames: Array, seed: Array | None, nearest: Array, *, closer: bool = True
    ) -> None:
        """Prepare the layers. closer: look between them; else long steps are left out at once."""
        self._source, self._path, self._frames = source, path, frames
        self._seed, self._nearest = seed, nearest
        self._t = np.array(frames)
        self._depth = np.zeros(len(frames) - 1, np.int64)
        self._bound = np.full(len(frames) - 1, source.first)
        self._fixed = np.full(len(frames) - 1, not closer)  # gaps that cannot be cut
        self._held = np.zeros(len(frames) - 1, np.bool_)  # gaps in which no branch is left for another
        self._turned: list[tuple[float, int]] = []  # times since which keys are counted from elsewhere, and by how much
        self._shortest = SHORTEST * max(float(frames[-1] - frames[0]), 1e-9)
        self._copied = np.array(source.copied)  # joints whose whole turns are postures of their own
        found = source.postures(path.at(frames))
        self._at, self._nodes = frames[found.row], found
        if seed is not None:
            for t in {float(frames[0]), float(frames[-1])}:  # at the end too: a course may return to it
                own = source.at_seed(path.at(t), seed)
                self._add(own, np.full(len(own.q), t))

    def add_layers(self, times: Array) -> None:
        """Put layers at some times, where there are postures."""
        new = np.setdiff1d(times, self._t)
        new = new[(new > self._t[0]) & (new < self._t[-1])]
        if len(new) and len(self._t) + len(new) < MOST_LAYERS:
            found = self._source.postures(self._path.at(new))
            there = np.unique(found.row)
            self._put(new[there], found, there)

    def gap(self, a: float, b: float) -> tuple[float, float]:
        """Return the layers about two times."""
        first = max(int(np.searchsorted(self._t, a, side="right")) - 1, 0)
        last = min(int(np.searchsorted(self._t, b)), len(self._t) - 1)
        return float(self._t[first]), float(self._t[last])

    def forbid(self, a: float, b: float, length: float) -> None:
        """Leave out steps of a length, and those longer than half of it, between two times."""
        gaps = (self._t[:-1] >= a) & (self._t[1:] <= b)
        self._bound[gaps] = np.minimum(self._bound[gaps], 0.5 * length)

    def hold_branch(self, a: float, b: float) -> None:
        """Let no branch be left for another between two times."""
        self._held |= (self._t[1:] > a) & (self._t[:-1] < b)

    @property
    def _able(self) -> npt.NDArray[np.bool_]:
        return ~self._fixed & (np.diff(self._t) > self._shortest)

    def _cut(self, gaps: Numbers) -> None:
        """Put a layer into the middle of each gap."""
        middle = 0.5 * (self._t[gaps] + self._t[gaps + 1])
        found = self._source.postures(self._path.at(middle))
        there = np.unique(found.row)
        lost = np.setdiff1d(np.arange(len(gaps)), there)
        self._fixed[gaps[lost]] = True  # nothing is known about what lies between
        self._bound[gaps[lost]] = np.minimum(self._bound[gaps[lost]], self._source.passing)
        gaps, middle = gaps[there], middle[there]
        self._depth[gaps] += 1
        self._bound[gaps] = np.minimum(
            self._bound[gaps], np.maximum(self._source.passing, self._source.first * SHRINK ** self._depth[gaps])
        )
        self._put(middle, found, there)

    def _put(self, times: Array, found: Postures, there: Numbers) -> None:
        """Put layers into gaps, which keep what is known of them. there: the rows of what was found, a time each."""
        t = np.union1d(self._t, times)
        gap = np.searchsorted(self._t, t[:-1], side="right") - 1
        self._depth, self._bound, self._fixed = self._depth[gap], self._bound[gap], self._fixed[gap]
        self._held = self._held[gap]
        self._t = t
        self._add(found, self._path_times(found.row, there, times))

    @staticmethod
    def _path_times(row: Numbers, there: Numbers, middle: Array) -> Array:
        return np.asarray(middle[np.searchsorted(there, row)])

    def _add(self, more: Postures, at: Array) -> None:
        unlisted = self._copied & ~self._source.copied
        if unlisted.any():
            more, rows = copied(more, self._source.lower, self._source.upper, unlisted)
            at = at[rows]
        for since, turn in self._turned:
            more = more._replace(key=np.where(at >= since, (more.key + turn) % self._source.keys, more.key))
        at = np.concatenate([self._at, at])
        order = np.argsort(at, kind="stable")
        self._at = at[order]
        self._nodes = Postures.of([self._nodes, more]).only(order)

    @property
    def _wraps(self) -> npt.NDArray[np.bool_]:
        """Joints whose whole turns do not count: those with room for several, or, with copies, those without limits."""
        with np.errstate(invalid="ignore"):
            room = self._source.upper - self._source.lower
        return self._source.turning & (np.isinf(room) | ((room >= 2 * np.pi) & ~self._copied))

    def _distance(self, q: Array, other: Array, wraps: npt.NDArray[np.bool_]) -> Array:
        return np.asarray(np.abs(self._gap(q - other, wraps) * self._source.weight).max(axis=-1, initial=0.0))

    @staticmethod
    def _gap(d: Array, wraps: npt.NDArray[np.bool_]) -> Array:
        return np.where(wraps, wrap(d), d)

    def _take_copies(self, joints: npt.NDArray[np.bool_]) -> None:
        """Let the copies of postures by whole turns of some joints take part."""
        self._nodes, rows = copied(self._nodes, self._source.lower, self._source.upper, joints)
        self._at = self._at[rows]
        self._copied |= joints

"""Add configurations to layers: those found by warm starts, and members of open families.

A family is a self-motion manifold: at a singularity, a branch may be a curve of configurations, of which a list contains only
one. Warm starts from the neighbouring layers add members. A family may stay open over several layers; then the trajectory must
move along it from its entry to its exit. Warm starts from either end do not move along it, so interpolations between both ends
are added. If a trajectory still ends there, the whole family is traced.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.layers import Layers, wrapped
from limbik.motion.follow.postures import Numbers, Postures, PostureSource, thinned

# The most postures of a layer that warm starts continue to the next.
TRACED = 96
# The most postures at either end of interpolations across a family.
BRIDGED = 12
# The most families of a layer that are traced, and the distance within which a posture belongs to one [rad, or fractions of the
# reach].
MOST_FAMILIES, NEIGHBOURS = 8, 0.05
# Postures closer than this are equal [rad or m].
DISTINCT = 1e-6


class OpenFamilies:
    """Completes the open families of some layers.

    found: whether any was open.
    """

    def __init__(self, layers: Layers) -> None:
        self.found = False
        self._layers = layers
        self._open = np.zeros(0)  # times with open families that were not traced
        self.fill()

    def fill(self) -> None:
        """Add the family members that continue the neighbouring layers."""
        layers = self._layers
        family = layers.nodes.family
        if family.any():
            self.found = True
            open_ = np.isin(layers.times, layers.at[family])
            self._open = np.union1d(self._open, layers.times[open_])
            trace_layers(layers, open_)
            edges = np.flatnonzero(np.diff(open_.astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
            for first, behind in edges:
                if first > 0 and behind < len(layers.times) and behind - first > 1:
                    _bridge(layers, int(first), int(behind))
            layers.close_families()

    def trace_families(self, until: float) -> bool:
        """Trace all families that are open up to a time. Return False if there are none."""
        layers = self._layers
        left = np.isin(layers.at, self._open[self._open <= until])
        self._open = self._open[self._open > until]
        traced, times = [], []
        for _ in range(
            MOST_FAMILIES
        ):  # one configuration of each layer per round; members on its curve need no tracing
            rows = np.flatnonzero(left)
            rows = rows[np.unique(layers.at[rows], return_index=True)[1]]
            if not len(rows):
                break
            left[rows] = False
            t = layers.at[rows]
            more = layers.source.on_self_motion(layers.path.at(t), layers.nodes.q[rows])
            for k in np.unique(more.row):
                there = np.flatnonzero(left & (layers.at == t[k]))
                far = wrapped(layers.nodes.q[there][:, None] - more.q[more.row == k][None], layers.wraps)
                near = np.abs(far * layers.source.weight).max(axis=2).min(axis=1) < NEIGHBOURS
                left[there[near]] = False
            traced.append(more)
            times.append(t[more.row])
        if traced:
            layers.add(Postures.of(traced), np.concatenate(times))
        return bool(traced)


def trace_layers(layers: Layers, wanted: npt.NDArray[np.bool_] | None = None) -> None:
    """Add the configurations that warm starts from the previous and the next layer find.

    wanted: (L,) the layers to extend; None for all, which finds ranges that are narrower than the grid.
    """
    first = layers.first_nodes
    more, at, last = [], [], len(layers.times) - 1
    for order in (range(1, last + 1), range(last - 1, -1, -1)):
        found = layers.nodes.q[:0]
        for k in order:
            before = k - order.step
            own = layers.nodes.q[first[before] : first[before + 1]]
            seeds = np.concatenate([_thinned(layers.source, x, TRACED // 2) for x in (found, own)])
            found = layers.nodes.q[:0]
            if (wanted is None or wanted[k]) and len(seeds):
                continued = layers.source.near(layers.path.at(layers.times[k]), seeds)
                continued = continued.only(_distinct(continued.q))
                found = continued.q
                more.append(continued)
                at.append(np.full(len(found), layers.times[k]))
    if more:
        layers.add(Postures.of(more), np.concatenate(at))


def _bridge(layers: Layers, first: int, behind: int) -> None:
    """Add interpolations across layers with families, between continuations of the entry and of the exit."""
    ahead, back = _continued(layers, range(first - 1, behind)), _continued(layers, range(behind, first - 1, -1))
    times, wraps = layers.times, layers.wraps
    more, at = [], []
    for k in range(first, behind):
        part = (times[k] - times[first - 1]) / (times[behind] - times[first - 1])
        a, b = thinned(ahead[k], BRIDGED), thinned(back[k], BRIDGED)
        seeds = (a[:, None] + part * wrapped(b[None] - a[:, None], wraps)).reshape(-1, a.shape[1])
        if len(seeds):
            more.append(layers.source.near(layers.path.at(times[k]), seeds))
            at.append(np.full(len(more[-1].q), times[k]))
    if more:
        layers.add(Postures.of(more), np.concatenate(at))


def _continued(layers: Layers, order: range) -> dict[int, Array]:
    """Return the configurations that warm starts find in consecutive layers, from those of the first, {layer: (k, n)}."""
    found = layers.nodes.q[layers.nodes_at(order[0])]
    continued = {}
    for k in order[1:]:
        if len(found):
            q = layers.source.near(layers.path.at(layers.times[k]), thinned(found, TRACED)).q
            found = q[_distinct(q)]
        continued[k] = found
    return continued


def _distinct(q: Array) -> Numbers:
    """Return the index of one row of each group of equal configurations."""
    return np.unique((q / DISTINCT).round(), axis=0, return_index=True)[1]


def _thinned(source: PostureSource, q: Array, most: int) -> Array:
    """Return at most `most` configurations: those closest to a limit, which are hard to find again, and evenly spaced others."""
    if len(q) <= most:
        return q
    with np.errstate(invalid="ignore"):
        room = np.nanmin(np.minimum(q - source.lower, source.upper - q) * source.weight, axis=1)
    closest = np.argsort(room, kind="stable")[: most // 2]
    return np.concatenate([q[closest], thinned(q, most - most // 2)])

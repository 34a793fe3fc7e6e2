"""Add configurations to layers: those found by warm starts, and members of open families.

A family is a self-motion manifold: at a singularity, a branch may be a curve of configurations, of which a list contains only
one. First, warm starts from the neighbouring layers add members. If a family stays open over several layers, the trajectory must
move along it from entry to exit; neither warm starts from the entry nor from the exit do that, so interpolated paths between
both are added. If a trajectory still ends there, the whole family is traced.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.follow.layers import Layers, wrapped
from limbik.motion.follow.postures import Numbers, Postures, Source, some

# The most postures of a layer that warm starts continue to the next.
TRACED = 96
# The most postures at either end of interpolated paths across a family.
BRIDGED = 12
# The most families of a layer that are traced, and the distance within which a posture belongs to one [rad, or fractions of
# reach].
WALKED, NEIGHBOURS = 8, 0.05
# Postures closer than this are equal [rad or m].
TOLD_APART = 1e-6


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
        """Add the family members that fit the neighbouring layers."""
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

    def walk(self, until: float) -> bool:
        """Add all members of the families that are open up to a time. Return False if there are none."""
        layers = self._layers
        left = np.isin(layers.at, self._open[self._open <= until])
        self._open = self._open[self._open > until]
        lots, times = [], []
        for _ in range(WALKED):  # one configuration of each layer at a time; the members that it reaches are done
            rows = np.flatnonzero(left)
            rows = rows[np.unique(layers.at[rows], return_index=True)[1]]
            if not len(rows):
                break
            left[rows] = False
            t = layers.at[rows]
            more = layers.source.slid(layers.path.at(t), layers.nodes.q[rows])
            for k in np.unique(more.row):
                there = np.flatnonzero(left & (layers.at == t[k]))
                far = wrapped(layers.nodes.q[there][:, None] - more.q[more.row == k][None], layers.wraps)
                near = np.abs(far * layers.source.weight).max(axis=2).min(axis=1) < NEIGHBOURS
                left[there[near]] = False
            lots.append(more)
            times.append(t[more.row])
        if lots:
            layers.add(Postures.of(lots), np.concatenate(times))
        return bool(lots)


def trace_layers(layers: Layers, wanted: npt.NDArray[np.bool_] | None = None) -> None:
    """Add the configurations that warm starts find at the wanted layers, from the previous and the next layer.

    wanted: (L,), None for all; this finds ranges that are too narrow for a grid.
    """
    first = layers.first_nodes
    more, at, last = [], [], len(layers.times) - 1
    for order in (range(1, last + 1), range(last - 1, -1, -1)):
        found = layers.nodes.q[:0]
        for k in order:
            before = k - order.step
            own = layers.nodes.q[first[before] : first[before + 1]]
            seeds = np.concatenate([_some(layers.source, x, TRACED // 2) for x in (found, own)])
            found = layers.nodes.q[:0]
            if (wanted is None or wanted[k]) and len(seeds):
                led = layers.source.near(layers.path.at(layers.times[k]), seeds)
                led = led.only(_distinct(led.q))
                found = led.q
                more.append(led)
                at.append(np.full(len(found), layers.times[k]))
    if more:
        layers.add(Postures.of(more), np.concatenate(at))


def _bridge(layers: Layers, first: int, behind: int) -> None:
    """Add interpolated paths across layers with families, from continuations of the entry to those of the exit."""
    ahead, back = _led(layers, range(first - 1, behind)), _led(layers, range(behind, first - 1, -1))
    times, wraps = layers.times, layers.wraps
    more, at = [], []
    for k in range(first, behind):
        part = (times[k] - times[first - 1]) / (times[behind] - times[first - 1])
        a, b = some(ahead[k], BRIDGED), some(back[k], BRIDGED)
        seeds = (a[:, None] + part * wrapped(b[None] - a[:, None], wraps)).reshape(-1, a.shape[1])
        if len(seeds):
            more.append(layers.source.near(layers.path.at(times[k]), seeds))
            at.append(np.full(len(more[-1].q), times[k]))
    if more:
        layers.add(Postures.of(more), np.concatenate(at))


def _led(layers: Layers, order: range) -> dict[int, Array]:
    """Return the configurations that warm starts find in consecutive layers, from those of the first."""
    found = layers.nodes.q[layers.there(order[0])]
    led = {}
    for k in order[1:]:
        if len(found):
            q = layers.source.near(layers.path.at(layers.times[k]), some(found, TRACED)).q
            found = q[_distinct(q)]
        led[k] = found
    return led


def _distinct(q: Array) -> Numbers:
    """Return one row of each group of equal configurations."""
    return np.unique((q / TOLD_APART).round(), axis=0, return_index=True)[1]


def _some(source: Source, q: Array, most: int) -> Array:
    """Return some of many configurations: those nearest a limit, which are hardest to find again, and others evenly."""
    if len(q) <= most:
        return q
    with np.errstate(invalid="ignore"):
        room = np.nanmin(np.minimum(q - source.lower, source.upper - q) * source.weight, axis=1)
    tight = np.argsort(room, kind="stable")[: most // 2]
    return np.concatenate([q[tight], some(q, most - most // 2)])

"""Layers that need more configurations than were listed: those that warm starts lead to, and open families.

A family is a self-motion manifold: where an arm is singular a branch may be a whole curve of configurations, of which a list
holds only one. First those take part that warm starts find from the layers before and behind. A family that stays open must be
slid along, from where it is entered to where it is left, and neither what leads on from its beginning nor what leads to its end
does that: ways between both are laid across. Where a trajectory breaks nevertheless, all of the family is walked along.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.layers import Layers, wrapped
from limbik.motion.postures import Numbers, Postures, Source, some

# Postures of a layer that are led on to the next by warm starts.
TRACED = 96
# Postures at either end that ways across a family are laid between.
BRIDGED = 12
# Families of a layer that are walked along, and how near a posture of one is that belongs to it [rad, or parts of the reach].
WALKED, NEIGHBOURS = 8, 0.05
# Such postures that are nearer are one [rad or m].
TOLD_APART = 1e-6


class OpenFamilies:
    """Fills the families that stand open in some layers.

    found: whether any was open.
    """

    def __init__(self, layers: Layers) -> None:
        self.found = False
        self._layers = layers
        self._open = np.zeros(0)  # times at which families are open that were not walked along
        self.fill()

    def fill(self) -> None:
        """Add the configurations that fit those before and behind, where any value of a joint will do."""
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
        """Add all of the families that are open up to a time. False where there is none."""
        layers = self._layers
        left = np.isin(layers.at, self._open[self._open <= until])
        self._open = self._open[self._open > until]
        lots, times = [], []
        for _ in range(WALKED):  # one configuration of each layer at a time, and those that it led to are done
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
    """Add what warm starts find at the layers that are wanted, from the layer before and from the one behind.

    wanted: (L,), None for all: so ranges are found that are too narrow for a grid.
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
    """Add the ways across layers with families, from what leads on from their beginning to what leads to their end."""
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
    """Return what warm starts find in some layers, one after the other, from the configurations of the first."""
    found = layers.nodes.q[layers.there(order[0])]
    led = {}
    for k in order[1:]:
        if len(found):
            q = layers.source.near(layers.path.at(layers.times[k]), some(found, TRACED)).q
            found = q[_distinct(q)]
        led[k] = found
    return led


def _distinct(q: Array) -> Numbers:
    """Return one row of each lot of equal configurations."""
    return np.unique((q / TOLD_APART).round(), axis=0, return_index=True)[1]


def _some(source: Source, q: Array, most: int) -> Array:
    """Return some of many configurations: those nearest a limit, which have the least room to be found again, others evenly."""
    if len(q) <= most:
        return q
    with np.errstate(invalid="ignore"):
        room = np.nanmin(np.minimum(q - source.lower, source.upper - q) * source.weight, axis=1)
    tight = np.argsort(room, kind="stable")[: most // 2]
    return np.concatenate([q[tight], some(q, most - most // 2)])

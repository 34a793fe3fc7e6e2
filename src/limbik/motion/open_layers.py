"""Layers where more postures are wanted than were listed: those that warm starts lead to, and families that stand open.

Where an arm is singular a branch may be a whole curve of postures, of which a list holds only one. First those take part that
warm starts find from the layers before and behind. A family that stays open must be slid along, from where it is entered to
where it is left, and neither what leads on from its beginning nor what leads to its end does that: ways between both are laid
across. Where a course breaks nevertheless, all of the family is walked along.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.layers import Layers
from limbik.motion.path import Path
from limbik.motion.postures import Numbers, Postures, Source, some

# Postures of a layer that are led on to the next by warm starts.
TRACED = 96
# Postures at either end that ways across a family are laid between.
BRIDGED = 12
# Families of a layer that are walked along, and how near a posture of one is that belongs to it [rad, or parts of the reach].
WALKED, NEIGHBOURS = 8, 0.05
# Such postures that are nearer are one [rad or m].
TOLD_APART = 1e-6


class OpenLayers(Layers):
    """Layers whose families are filled."""

    def __init__(
        self, source: Source, path: Path, frames: Array, seed: Array | None, nearest: Array, *, closer: bool = True
    ) -> None:
        """Prepare the layers. closer: look between them; else long steps are left out at once."""
        super().__init__(source, path, frames, seed, nearest, closer=closer)
        self._open = np.zeros(0)  # times at which families are open that were not walked along
        self.families = False  # whether any was open
        self._fill_families()

    def _put(self, times: Array, found: Postures, there: Numbers) -> None:
        super()._put(times, found, there)
        self._fill_families()

    def trace_layers(self) -> None:
        """Add what warm starts from layer to layer find, forwards and backwards: ranges that are too narrow for a grid."""
        self._trace(np.ones(len(self._t), np.bool_))

    def _trace(self, wanted: npt.NDArray[np.bool_]) -> None:
        """Add what warm starts find at the layers that are wanted, from the layer before and from the one behind."""
        first = np.append(np.searchsorted(self._at, self._t), len(self._at))
        more, at, last = [], [], len(self._t) - 1
        for order in (range(1, last + 1), range(last - 1, -1, -1)):
            found = self._nodes.q[:0]
            for k in order:
                before = k - order.step
                own = self._nodes.q[first[before] : first[before + 1]]
                seeds = np.concatenate([self._some(found, TRACED // 2), self._some(own, TRACED // 2)])
                found = self._nodes.q[:0]
                if wanted[k] and len(seeds):
                    led = self._source.near(self._path.at(self._t[k]), seeds)
                    keep = np.unique((led.q / TOLD_APART).round(), axis=0, return_index=True)[1]
                    led = led.only(keep)
                    found = led.q
                    more.append(led)
                    at.append(np.full(len(found), self._t[k]))
        if more:
            self._add(Postures.of(more), np.concatenate(at))

    def _some(self, q: Array, most: int) -> Array:
        """Return some of many postures: those nearest a limit, which have the least room to be found again, and others evenly."""
        if len(q) <= most:
            return q
        with np.errstate(invalid="ignore"):
            room = np.nanmin(np.minimum(q - self._source.lower, self._source.upper - q) * self._source.weight, axis=1)
        tight = np.argsort(room, kind="stable")[: most // 2]
        return np.concatenate([q[tight], some(q, most - most // 2)])

    def _add_near(self, layer: int, seeds: Array) -> None:
        found = self._source.near(self._path.at(self._t[layer]), seeds[:64])
        if len(found.q):
            self._add(found, np.full(len(found.q), self._t[layer]))

    def _fill_families(self) -> None:
        """Where any value of a joint will do, the ones that fit the postures before and behind are wanted."""
        family = self._nodes.family
        if family.any():
            self.families = True
            open_ = np.isin(self._t, self._at[family])
            self._open = np.union1d(self._open, self._t[open_])
            self._trace(open_)
            edges = np.flatnonzero(np.diff(open_.astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
            for first, behind in edges:
                if first > 0 and behind < len(self._t) and behind - first > 1:
                    self._bridge(int(first), int(behind))
            self._nodes = self._nodes._replace(family=np.zeros(len(self._nodes.q), np.bool_))

    def _bridge(self, first: int, behind: int) -> None:
        """Add the ways across layers with families: a family that stays open must be slid along from where it is entered to
        where it is left, and neither what leads on from its beginning nor what leads to its end does that.
        """
        ahead, back = self._led(range(first - 1, behind)), self._led(range(behind, first - 1, -1))
        more, at = [], []
        for k in range(first, behind):
            part = (self._t[k] - self._t[first - 1]) / (self._t[behind] - self._t[first - 1])
            a, b = some(ahead[k], BRIDGED), some(back[k], BRIDGED)
            seeds = (a[:, None] + part * self._gap(b[None] - a[:, None], self._wraps)).reshape(-1, a.shape[1])
            if len(seeds):
                more.append(self._source.near(self._path.at(self._t[k]), seeds))
                at.append(np.full(len(more[-1].q), self._t[k]))
        if more:
            self._add(Postures.of(more), np.concatenate(at))

    def _led(self, order: range) -> dict[int, Array]:
        """Return what warm starts find in some layers, one after the other, from the postures of the first."""
        found = self._nodes.q[self._at == self._t[order[0]]]
        led = {}
        for k in order[1:]:
            if len(found):
                q = self._source.near(self._path.at(self._t[k]), some(found, TRACED)).q
                found = q[np.unique((q / TOLD_APART).round(), axis=0, return_index=True)[1]]
            led[k] = found
        return led

    def _walk_families(self, until: float) -> bool:
        """Add all of the families that are open up to a time. False where there is none."""
        left = np.isin(self._at, self._open[self._open <= until])
        self._open = self._open[self._open > until]
        lots, times = [], []
        for _ in range(WALKED):  # one posture of each layer at a time, and those that it led to are done
            rows = np.flatnonzero(left)
            rows = rows[np.unique(self._at[rows], return_index=True)[1]]
            if not len(rows):
                break
            left[rows] = False
            t = self._at[rows]
            more = self._source.slid(self._path.at(t), self._nodes.q[rows])
            for k in np.unique(more.row):
                there = np.flatnonzero(left & (self._at == t[k]))
                far = self._gap(self._nodes.q[there][:, None] - more.q[more.row == k][None], self._wraps)
                near = np.abs(far * self._source.weight).max(axis=2).min(axis=1) < NEIGHBOURS
                left[there[near]] = False
            lots.append(more)
            times.append(t[more.row])
        if lots:
            self._add(Postures.of(lots), np.concatenate(times))
        return bool(lots)

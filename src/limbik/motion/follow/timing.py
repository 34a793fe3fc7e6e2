"""Time parametrisation of a trajectory: the path's own time, or slower where joints would exceed their limits.

Without an acceleration limit, every step takes the time of its slowest joint. With one, the trajectory is a curve q(s) of the
path's own time s. It is smooth between the corners of the path and stops at each corner. One backward and one forward pass find
the largest rate s' inside all limits (`core/motion/path_timing.hpp`).
"""

import itertools
from typing import NamedTuple

import numpy as np

from limbik._core import time_path
from limbik.geometry.arrays import Array

# The safety factor of a slowdown, and the lower bound of the squared rate.
MARGIN, LEAST_RATE = 1.01, 1e-8
# The fewest samples of a trajectory between two stops.
PLACES = 64
# A velocity has a kink where its change exceeds KINKED times the largest change around it. KINK_BESIDE: samples on either side.
KINKED, KINK_BESIDE = 6.0, 3


class Schedule(NamedTuple):
    """The time at each place of a path. places: (k,) the path's own time, increasing. times: (k,) [s]. rates: (k,) the rate of
    the path's time, None if it is piecewise constant.
    """

    places: Array
    times: Array
    rates: Array | None = None

    @property
    def duration(self) -> float:
        """The total time [s]."""
        return float(self.times[-1])

    def place(self, t: Array) -> Array:
        """Return the path's own time at times t (k,) [s] of the schedule."""
        if self.rates is None:
            return np.asarray(np.interp(t, self.times, self.places))
        k = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        span, spent = np.diff(self.places)[k], np.diff(self.times)[k]
        x = np.clip(t - self.times[k], 0.0, spent)
        first, last = self.rates[k], self.rates[k + 1]
        # the rate is linear in time; between two places of rest it rises and falls
        moving = first * x + 0.5 * (last - first) * x * x / spent
        part = x / spent
        resting = span * np.where(part < 0.5, 2.0 * part * part, 1.0 - 2.0 * (1.0 - part) ** 2)
        return np.asarray(self.places[k] + np.clip(np.where(first + last > 0, moving, resting), 0.0, span))


def by_speed(places: Array, q: Array, speed: Array, fastest: bool) -> Schedule:
    """Return a schedule inside the speed limits; not faster than the path's own time unless `fastest`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.nan_to_num(np.abs(np.diff(q, axis=0)) / speed, nan=0.0, posinf=0.0).max(axis=1, initial=0.0)
    own = np.diff(places)
    spans = np.maximum(needed, 1e-9 * own) if fastest else np.maximum(needed, own)
    return Schedule(places, np.concatenate([[0.0], np.cumsum(spans)]))


def by_acceleration(places: Array, q: Array, speed: Array, acceleration: Array, stops: Array, most: Array) -> Schedule:
    """Return the fastest schedule inside speed and acceleration limits, at rest at both ends and at the stops.

    most: (k,) the largest rate at each place, squared.
    """
    cuts = np.unique(np.concatenate([[0], np.searchsorted(places, stops), [len(places) - 1]])).astype(int)
    s, slope, bend, rest = [], [], [], []
    for a, b in itertools.pairwise(cuts):
        grid, first, second = _curve(places[a : b + 1], q[a : b + 1])
        s.append(grid)
        slope.append(first)
        bend.append(second)
        still = np.zeros(len(grid), np.bool_)
        still[[0, -1]] = True
        rest.append(still)
    # each part is timed independently: it starts and ends at rest
    times, where, rates, offset = [np.zeros(1)], [s[0][:1]], [np.zeros(1)], 0.0
    for grid, first, second, still in zip(s, slope, bend, rest, strict=True):
        greatest = np.where(still, 0.0, np.interp(grid, places, most))
        rate = np.sqrt(time_path(grid, first, second, speed, acceleration, greatest))
        span = np.diff(grid)
        both = rate[:-1] + rate[1:]
        # between two places of rest: accelerate over one half, decelerate over the other
        with np.errstate(divide="ignore", invalid="ignore"):
            need = np.abs(first[:-1]) / acceleration
            slow = 2.0 * np.sqrt(span * np.maximum(need.max(axis=1, initial=0.0), 1e-12))
            spent = np.where(both > 0, 2.0 * span / np.where(both > 0, both, 1.0), slow)
        moments = offset + np.cumsum(spent)
        times.append(moments)
        where.append(grid[1:])
        rates.append(rate[1:])
        offset = float(moments[-1])
    return Schedule(np.concatenate(where), np.concatenate(times), np.concatenate(rates))


def kinks(places: Array, q: Array, acceleration: Array) -> Array:
    """Return the places with velocity discontinuities: changes much larger than at the neighbouring samples.

    They occur where the branch changes, for example where an elbow reaches its straight posture and reverses.
    """
    if len(places) < 2 * KINK_BESIDE + 3:
        return places[:0]
    v = np.diff(q, axis=0) / np.diff(places)[:, None]
    change = np.abs(np.diff(v, axis=0)) / acceleration
    most = change.max(axis=1)
    around = np.lib.stride_tricks.sliding_window_view(
        np.pad(most, KINK_BESIDE + 1, mode="reflect"), 2 * KINK_BESIDE + 3
    )
    beside = np.delete(around, [KINK_BESIDE, KINK_BESIDE + 1, KINK_BESIDE + 2], axis=1).max(axis=1)
    span = 0.5 * (places[2:] - places[:-2])
    return np.asarray(places[1:-1][(most > KINKED * beside) & (most > KINKED * span)])


def slowed(most: Array, schedule: Schedule, places: Array, where: Array, excess_factor: Array) -> Array:
    """Return lower bounds on the squared rate around frames whose accelerations exceed their limits.

    excess_factor: (frames,) the acceleration over its limit.
    """
    assert schedule.rates is not None
    now = np.interp(places, schedule.places, schedule.rates**2)
    out = np.array(most)
    for k in np.flatnonzero(excess_factor > 1.0).tolist():
        a = max(int(np.searchsorted(places, where[max(k - 1, 0)])) - 1, 0)
        b = int(np.searchsorted(places, where[min(k + 1, len(where) - 1)])) + 2
        out[a:b] = np.minimum(out[a:b], np.maximum(now[a:b], LEAST_RATE) / (excess_factor[k] * MARGIN))
    return out


def _curve(places: Array, q: Array) -> tuple[Array, Array, Array]:
    """Return samples of a smooth curve through postures, with its first and second derivative."""
    from scipy.interpolate import CubicSpline

    more = max(1, -(-PLACES // (len(places) - 1)))
    grid = np.interp(np.arange((len(places) - 1) * more + 1) / more, np.arange(len(places)), places)
    curve = CubicSpline(places, q, bc_type="natural" if len(places) < 4 else "not-a-knot")
    return grid, np.ascontiguousarray(curve(grid, 1)), np.ascontiguousarray(curve(grid, 2))

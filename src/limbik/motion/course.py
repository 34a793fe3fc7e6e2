"""Which posture to take at every place of a path: the smoothest course through all of them.

The path is looked at in places, its layers, first at the frames that are wanted; each layer holds every posture that reaches its
pose, and dynamic programming (`core/course.hpp`) finds the course with the least energy. That course may hold long steps. Each is
looked at closely, by layers in between: a quick but continuous motion beside a singular posture comes apart into short steps; a
true jump stays as long as it is however near the layers are, and is not taken any more. So a step counts as a jump only when it
has
been proven to be one, down to SHORTEST of the path's time.

Joints that turn may have whole turns to choose from. First these are left out: the course is found modulo turns and then
unrolled. Where an unrolled joint leaves its limits, the copies of every posture take part, each as a posture of its own.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from limbik._core import best_course
from limbik.model.transform import Array
from limbik.motion.path import Path

# A gap between layers is not cut below this part of the path's time.
SHORTEST = 1e-7
# The largest step between layers shrinks by this each time a gap is cut, down to what passes without a closer look.
SHRINK = 0.7
# Beside its neighbours a step that is this many times as quick is looked at, if it is longer than NOTICED.
OUTSTANDING, NOTICED = 4.0, 0.01
# Rounds of looking closer, and layers, before it is given up.
MOST_ROUNDS, MOST_LAYERS = 200, 60_000
# What a radian between the first posture and the wanted one counts: more than any motion.
NEAR_THE_SEED = 1e6
# Postures of a layer that are led on to the next by warm starts.
TRACED = 96
# Postures at either end that ways across a family are laid between.
BRIDGED = 12
# Families of a layer that are walked along, and how near a posture of one is that belongs to it [rad, or parts of the reach].
WALKED, NEIGHBOURS = 8, 0.05
# Such postures that are nearer are one [rad or m].
TOLD_APART = 1e-6
# Postures of a layer that are compared with all of the next where a course breaks.
COMPARED = 200
# Copies of one posture by whole turns that take part.
MOST_COPIES = 1024

Numbers = npt.NDArray[np.int64]


class Postures(NamedTuple):
    """Postures of several poses. q: (M, n). row: (M,) the pose of each. branch: (M,), -1 unknown. key: (M,) its place in a
    family. family: (M,) whether it is one of many that only rounding tells apart.
    """

    q: Array
    row: Numbers
    branch: Numbers
    key: Numbers
    family: npt.NDArray[np.bool_]

    def only(self, which: Any) -> "Postures":
        """Return some of them, or all in another order."""
        return Postures(self.q[which], self.row[which], self.branch[which], self.key[which], self.family[which])

    @staticmethod
    def of(parts: "Sequence[Postures]") -> "Postures":
        """Return several lots as one."""
        q, row, branch, key, family = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Postures(q, row, branch, key, family)


class Source(Protocol):
    """What knows the postures of a pose: an arm, seen from here."""

    keys: int
    round: bool
    window: int
    opposite: bool  # keys half of all keys apart are neighbours too
    weight: Array  # (n,) what a unit of each joint counts
    speed: Array  # (n,) the greatest speed of each; infinite where there is no bound
    lower: Array
    upper: Array
    turning: npt.NDArray[np.bool_]
    # The longest step between layers that is looked at at all, and the longest that passes without a closer look.
    first: float
    passing: float

    def postures(self, Ts: Array) -> Postures:
        """Return every posture of some poses."""
        ...

    def near(self, T: Array, seeds: Array) -> Postures:
        """Return postures of one pose that are near some others."""
        ...

    def slid(self, Ts: Array, q: Array) -> Postures:
        """Return the postures that some postures can slide to with the hand held still, of each pose."""
        ...

    def at_seed(self, T: Array, seed: Array) -> Postures:
        """Return the seed itself where it reaches a pose and may be used, else nothing."""
        ...

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Tell which postures lead on smoothly to a pose, but only outside the limits."""
        ...


@dataclass(frozen=True)
class Course:
    """The postures at the layers that were reached, unrolled, and where it ended.

    times: (k,). q: (k, n). branch: (k,). jumped: (k,) not smoothly from the one before. whole: whether it comes to the end.
    empty: whether it ended because the next layer has no posture. next: the time of the first layer that was not reached.
    """

    times: Array
    q: Array
    branch: Numbers
    jumped: npt.NDArray[np.bool_]
    whole: bool
    empty: bool = False
    next: float = math.inf
    energy: float = math.inf


class Planner:
    """Finds the course of one path."""

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
        self._turned: list[tuple[float, int]] = []  # times since which keys are counted from elsewhere, and by how much
        self._shortest = SHORTEST * max(float(frames[-1] - frames[0]), 1e-9)
        self._copied = np.zeros(len(source.weight), np.bool_)  # joints whose whole turns are postures of their own
        self._open = np.zeros(0)  # times at which families are open that were not walked along
        found = source.postures(path.at(frames))
        self._at, self._nodes = frames[found.row], found
        if seed is not None:
            start = source.at_seed(path.at(frames[0]), seed)
            self._add(start, np.full(len(start.q), frames[0]))
        self._fill_families()

    # ---- the search ----------------------------------------------------------------------------------------------------

    def find(self, *, begin: Array | None = None, end: Array | None = None) -> Course:
        """Return the best smooth course, as far as there is one. begin, end: the postures to begin and end at."""
        for _ in range(MOST_ROUNDS):
            chosen, cost, costs = self._run(begin, end)
            reached = len(chosen) - 1
            if reached + 1 == len(self._t):
                if self._look_closer(chosen):
                    continue
                course = self._course(chosen, cost, True)
                wound = self._unroll(course.q)
                if not wound.any():
                    return course
                self._take_copies(wound)
                continue
            if reached >= 0 and self._mend(reached, costs):
                continue
            # what comes before the break is held to the same law
            if reached < 1 or not self._look_closer(chosen):
                break
        return self._broken(chosen, cost)

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

    def first_postures(self) -> Array:
        """Return the postures that a course may begin at."""
        return np.asarray(self._nodes.q[self._at == self._t[0]])

    def _run(self, begin: Array | None, end: Array | None) -> tuple[Numbers, float, Array]:
        source, q = self._source, self._nodes.q
        first = np.append(np.searchsorted(self._at, self._t), len(q))
        starts, ends = q[: first[1]], q[first[-2] :]
        wraps = self._wraps
        beginning = self._distance(starts, self._nearest if self._seed is None else self._seed, wraps) * (
            1e-6 if self._seed is None else NEAR_THE_SEED
        )
        if begin is not None:
            beginning = np.where(self._distance(starts, begin, wraps) < NOTICED, beginning, np.inf)
        ending = np.zeros(len(ends))
        if end is not None:
            ending = np.where(self._distance(ends, end, wraps) < NOTICED, 0.0, np.inf)
        scale = len(self._frames) / max(self._t[-1] - self._t[0], 1e-9)
        return best_course(
            q, first, self._nodes.key.astype(np.int32), source.keys, source.round, source.window, source.opposite, np.diff(self._t) * scale,
            self._bound, source.weight, source.speed * source.weight / scale, wraps.tolist(), beginning, ending,
        )  # fmt: skip

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
        return np.where(wraps, d - 2 * np.pi * np.rint(d / (2 * np.pi)), d)

    # ---- a closer look -------------------------------------------------------------------------------------------------

    def _look_closer(self, chosen: Numbers) -> bool:
        """Cut the gaps with long steps, forbid those that stay long. True where something changed."""
        q = self._nodes.q[chosen]
        count = len(chosen) - 1
        steps = self._distance(q[1:], q[:-1], self._wraps)
        rate = steps / np.diff(self._t[: count + 1])
        beside = np.maximum(np.append(rate[1:], 0.0), np.append(0.0, rate[:-1]))
        long = steps > self._source.passing
        if self._source.keys == 1:
            long |= (steps > NOTICED) & (rate > OUTSTANDING * beside)
        if not long.any():
            return False
        able = long & self._able[:count]
        if able.any() and len(self._t) + able.sum() < MOST_LAYERS:
            self._cut(np.flatnonzero(able))
            return True
        proven = np.flatnonzero(long & ~able)
        self._bound[proven] = 0.5 * steps[proven]
        return True

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

    def _put(self, times: Array, found: Postures, there: Numbers) -> None:
        """Put layers into gaps, which keep what is known of them. there: the rows of what was found, a time each."""
        t = np.union1d(self._t, times)
        gap = np.searchsorted(self._t, t[:-1], side="right") - 1
        self._depth, self._bound, self._fixed = self._depth[gap], self._bound[gap], self._fixed[gap]
        self._t = t
        self._add(found, self._path_times(found.row, there, times))
        self._fill_families()

    @staticmethod
    def _path_times(row: Numbers, there: Numbers, middle: Array) -> Array:
        return np.asarray(middle[np.searchsorted(there, row)])

    def _add(self, more: Postures, at: Array) -> None:
        if self._copied.any():
            more, rows = _copied(more, self._source, self._copied)
            at = at[rows]
        for since, turn in self._turned:
            more = more._replace(key=np.where(at >= since, (more.key + turn) % self._source.keys, more.key))
        at = np.concatenate([self._at, at])
        order = np.argsort(at, kind="stable")
        self._at = at[order]
        self._nodes = Postures.of([self._nodes, more]).only(order)

    def _fill_families(self) -> None:
        """Where any value of a joint will do, the ones that fit the postures before and behind are wanted."""
        family = self._nodes.family
        if family.any():
            open_ = np.isin(self._t, self._at[family])
            self._open = np.union1d(self._open, self._t[open_])
            self._trace(open_)
            edges = np.flatnonzero(np.diff(open_.astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
            for first, behind in edges:
                if first > 0 and behind < len(self._t) and behind - first > 1:
                    self._bridge(int(first), int(behind))
            self._nodes = self._nodes._replace(family=np.zeros(len(self._nodes.q), np.bool_))

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

    def _mend(self, reached: int, costs: Array) -> bool:
        """Look closer where the course broke, or at the ends of others. False where nothing is left to look at."""
        if not (self._at == self._t[reached + 1]).any():
            return False
        if self._walk_families(float(self._t[reached + 1])):
            return True
        alive = np.flatnonzero(np.isfinite(costs) & (self._at == self._t[reached]))
        if self._source.round and self._turn_keys(alive, reached + 1):
            return True
        seeds = self._nodes.q[alive]
        if self._source.leaves_limits(self._path.at(self._t[reached + 1]), some(seeds, TRACED)).all():
            return False
        if self._able[reached] and len(self._t) < MOST_LAYERS:
            if self._depth[reached] == 0 or self._source.keys > 1:
                self._add_near(reached + 1, seeds)
            self._cut(np.array([reached]))
            return True
        if self._source.keys > 1:
            return False
        # other courses that ended earlier, at a gap that can still be cut
        gaps = [k for k in np.flatnonzero(self._able[:reached]) if self._nearly_goes_on(int(k), costs)]
        if not gaps or len(self._t) + len(gaps) > MOST_LAYERS:
            return False
        self._cut(np.array(gaps))
        return True

    def _turn_keys(self, alive: Numbers, layer: int) -> bool:
        """Count the places of a family from elsewhere behind a layer where their zero has turned: neighbours are so again.

        The zero of a swivel is a direction, and turns at once where the wrist passes over or under the shoulder.
        """
        there = np.flatnonzero(self._at == self._t[layer])
        here = some(alive, COMPARED)
        if not len(here) or not len(there):
            return False
        q = self._nodes.q
        far = np.abs(self._gap(q[here][:, None] - q[there][None], self._wraps) * self._source.weight).max(axis=2)
        a, b = np.unravel_index(int(np.argmin(far)), far.shape)
        keys = self._source.keys
        turn = int(self._nodes.key[here[a]] - self._nodes.key[there[b]]) % keys
        if far[a, b] > self._bound[layer - 1] or min(turn, keys - turn) <= self._source.window:
            return False
        self._turned.append((float(self._t[layer]), turn))
        self._nodes = self._nodes._replace(
            key=np.where(self._at >= self._t[layer], (self._nodes.key + turn) % keys, self._nodes.key)
        )
        return True

    def _add_near(self, layer: int, seeds: Array) -> None:
        found = self._source.near(self._path.at(self._t[layer]), seeds[:64])
        if len(found.q):
            self._add(found, np.full(len(found.q), self._t[layer]))

    def _nearly_goes_on(self, gap: int, costs: Array) -> bool:
        first, middle, last = np.searchsorted(
            self._at, [self._t[gap], self._t[gap + 1], np.nextafter(self._t[gap + 1], np.inf)]
        )
        here = self._nodes.q[first:middle][np.isfinite(costs[first:middle])]
        there = self._nodes.q[middle:last]
        if not len(here) or not len(there):
            return False
        far = np.abs(self._gap(here[:, None] - there[None], self._wraps) * self._source.weight).max(axis=2).min(axis=1)
        return bool(((far > self._bound[gap]) & (far <= 3 * self._bound[gap])).any())

    # ---- whole turns ---------------------------------------------------------------------------------------------------

    def _take_copies(self, joints: npt.NDArray[np.bool_]) -> None:
        """Let the copies of postures by whole turns of some joints take part."""
        self._nodes, rows = _copied(self._nodes, self._source, joints)
        self._at = self._at[rows]
        self._copied |= joints

    def _unroll(self, q: Array) -> npt.NDArray[np.bool_]:
        """Shift a course by whole turns into the limits, in place. Return the joints that no shift brings there."""
        source, turn, wound = self._source, 2 * np.pi, np.zeros(q.shape[1], np.bool_)
        wanted = self._nearest if self._seed is None else self._seed
        for j in np.flatnonzero(self._wraps):
            low, high = q[:, j].min(), q[:, j].max()
            first = math.ceil((source.lower[j] - low) / turn - 1e-9) if np.isfinite(source.lower[j]) else -math.inf
            last = math.floor((source.upper[j] - high) / turn + 1e-9) if np.isfinite(source.upper[j]) else math.inf
            goal = wanted[j] - (q[0, j] if self._seed is not None else 0.5 * (low + high))
            shift = round(goal / turn)
            # from the seed's own turn another course may lead on
            if first > last or (self._seed is not None and not first <= shift <= last):
                wound[j] = True
                continue
            q[:, j] += turn * min(max(shift, first), last)
        if not wound.any():
            q[:] = np.clip(q, source.lower, source.upper)
        return wound

    def _course(self, chosen: Numbers, cost: float, whole: bool) -> Course:
        q = np.array(self._nodes.q[chosen])
        if len(q):
            q[1:] = q[0] + np.cumsum(self._gap(np.diff(q, axis=0), self._wraps), axis=0)
        return Course(self._t[: len(q)], q, self._nodes.branch[chosen], np.zeros(len(q), np.bool_), whole, energy=cost)

    def _broken(self, chosen: Numbers, cost: float) -> Course:
        course = self._course(chosen, cost, False)
        while len(course.q) and (wound := self._unroll(course.q)).any():
            # only a shorter part of it keeps the limits
            self._take_copies(wound)
            chosen = self._run(None, None)[0]
            course = self._course(chosen, cost, False)
        k = len(chosen)
        there = k < len(self._t) and bool((self._at == self._t[k]).any())
        return replace(course, empty=not there, next=float(self._t[min(k, len(self._t) - 1)]))


def joined(parts: Sequence[Course]) -> Course:
    """Return several courses as one, with a jump from each to the next."""
    jumped = np.concatenate([np.append(k > 0, part.jumped[1:]) for k, part in enumerate(parts)])
    return replace(
        parts[-1],
        times=np.concatenate([part.times for part in parts]),
        q=np.concatenate([part.q for part in parts]),
        branch=np.concatenate([part.branch for part in parts]),
        jumped=jumped.astype(np.bool_),
    )


def some(q: Any, most: int) -> Any:
    """Return some of many rows, evenly apart."""
    return q if len(q) <= most else q[np.linspace(0, len(q) - 1, most).round().astype(int)]


def _copied(nodes: Postures, source: Source, joints: npt.NDArray[np.bool_]) -> tuple[Postures, Numbers]:
    """Return the postures with all their copies by whole turns inside the limits, and which one each is of."""
    turn = 2 * np.pi
    limited = np.flatnonzero(joints)
    low = np.ceil((source.lower[limited] - nodes.q[:, limited]) / turn - 1e-9).astype(np.int64)
    high = np.floor((source.upper[limited] - nodes.q[:, limited]) / turn + 1e-9).astype(np.int64)
    choices = [range(a, b + 1) for a, b in zip(low.min(axis=0, initial=0), high.max(axis=0, initial=0), strict=True)]
    q, rows = [], []
    for shift in itertools.islice(itertools.product(*choices), MOST_COPIES):
        by = np.array(shift)
        fits = np.flatnonzero(((by >= low) & (by <= high)).all(axis=1))
        moved = np.array(nodes.q[fits])
        moved[:, limited] += turn * by
        q.append(np.clip(moved, source.lower, source.upper))
        rows.append(fits)
    which = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    order = np.argsort(which, kind="stable")
    which = which[order]
    copies = np.concatenate(q)[order] if q else np.zeros((0, nodes.q.shape[1]))
    return Postures(copies, nodes.row[which], nodes.branch[which], nodes.key[which], nodes.family[which]), which

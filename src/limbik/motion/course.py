"""Which posture to take at every place of a path: the smoothest course through all of them.

The path is looked at in places, its layers, first at the frames that are wanted; each layer holds every posture that reaches its
pose, and dynamic programming (`core/motion/trajectory_search.hpp`) finds the course with the least energy. That course may
hold long steps. Each is looked at closely, by layers in between: a quick but continuous motion beside a singular posture
comes apart into short steps; a true jump stays as long as it is however near the layers are, and is not taken any more. So a
step counts as a jump only when it has been proven to be one, down to `layers.SHORTEST` of the path's time.

Whole turns are left out at first: the course is found modulo turns and then unrolled. Where an unrolled joint leaves its limits,
the copies of every posture take part, each as a posture of its own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from limbik._core import best_trajectory
from limbik.geometry.arrays import Array
from limbik.motion.layers import MOST_LAYERS
from limbik.motion.open_layers import TRACED, OpenLayers
from limbik.motion.postures import Numbers, some

# Beside its neighbours a step that is this many times as quick is looked at, if it is longer than NOTICED.
OUTSTANDING, NOTICED = 4.0, 0.01
# Postures that are nearer are one [rad, or parts of the reach].
SAME = 1e-7
# Rounds of looking closer before it is given up.
MOST_ROUNDS = 200
# What a radian between the first posture and the wanted one counts: more than any motion.
NEAR_THE_SEED = 1e6
# An elbow that is bent no more may be about to pass its straight posture, however slow it is [rad].
STRAIGHT = 1e-3
# Postures of a layer that are compared with all of the next where a course breaks.
COMPARED = 200


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


class Planner(OpenLayers):
    """Finds the course of one path."""

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
            beginning = np.where(self._distance(starts, begin, wraps) < SAME, beginning, np.inf)
        ending = np.zeros(len(ends))
        if end is not None:
            ending = np.where(self._distance(ends, end, wraps) < SAME, 0.0, np.inf)
        scale = len(self._frames) / max(self._t[-1] - self._t[0], 1e-9)
        return best_trajectory(
            q, first, self._nodes.key.astype(np.int32), source.keys, source.round, source.window, np.diff(self._t) * scale,
            self._bound, self._passes_straight(first), self._nodes.branch.astype(np.int32), self._held.astype(np.uint8),
            source.weight, source.speed * source.weight / scale, wraps.tolist(), beginning, ending,
        )  # fmt: skip

    def _passes_straight(self, first: Numbers) -> npt.NDArray[np.uint8]:
        """Tell in which gaps the elbow may pass its straight posture: where it is no farther from it than it goes in a step."""
        out = np.zeros(len(self._t) - 1, np.uint8)
        there = np.flatnonzero(np.diff(first) > 0)
        if self._source.elbow < 0 or len(there) < 2:
            return out
        bend = np.full(len(self._t), np.inf)
        bend[there] = np.abs(self._nodes.q[first[there], self._source.elbow])
        with np.errstate(invalid="ignore"):
            change = np.abs(np.diff(bend, prepend=bend[0], append=bend[-1]))
            quick = np.fmax(change[:-2], change[2:])  # beside a gap; in it the bend goes down and up again
        quick[~np.isfinite(quick)] = 0.0
        out[bend[:-1] + bend[1:] <= np.maximum(STRAIGHT, 2.0 * quick)] = 1
        return out

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

    # ---- what was found ------------------------------------------------------------------------------------------------

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

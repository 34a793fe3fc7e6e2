"""Plan the configuration (posture) at every time of a path: the joint trajectory with the least energy.

The path is sampled at layers, first at the wanted frames; each layer contains every configuration that reaches its pose, and
dynamic programming (`core/motion/trajectory_search.hpp`) finds the trajectory with the least energy. Long steps in it are
examined by inserting layers: a fast but continuous motion near a singular configuration divides into short steps; a jump stays
long, however close the layers are, and is excluded. So a step counts as a jump only if it is proven to be one, down to
`layers.SHORTEST` of the path's duration.

Whole turns are ignored at first: the trajectory is found modulo 2 pi and then unwrapped. If an unwrapped joint leaves its limits,
the 2-pi copies of every configuration are added as configurations of their own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from limbik._core import best_trajectory
from limbik.geometry.arrays import Array
from limbik.motion.follow.layers import MOST_LAYERS, Layers, distance, wrapped
from limbik.motion.follow.postures import Numbers, Source, some
from limbik.motion.follow.self_motion_layers import TRACED, OpenFamilies
from limbik.motion.path import Path

# A step this many times as fast as its neighbours is examined, if it is longer than NOTICED.
OUTSTANDING, NOTICED = 4.0, 0.01
# Postures closer than this are equal [rad, or fractions of the reach].
SAME = 1e-7
# The most rounds of inserting layers.
MOST_ROUNDS = 200
# The cost of a radian between the first posture and the wanted one: more than any motion.
NEAR_THE_SEED = 1e6
# An elbow bent less than this may pass its straight posture, however slow it is [rad].
STRAIGHT = 1e-3
# The most postures of a layer that are compared with all of the next one where a trajectory ends.
COMPARED = 200
# The most postures of a layer that are continued by warm starts where a trajectory ends.
LED_ON = 64


@dataclass(frozen=True)
class Course:
    """A joint trajectory: the unwrapped configurations at the layers that were reached, and its end.

    times: (k,). q: (k, n). branch: (k,). jumped: (k,) after a discontinuity. whole: whether it reaches the end of the path.
    empty: whether it ended because the next layer has no configuration. next: the time of the first layer that was not reached.
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
    """Finds the joint trajectory of one path with the least energy.

    layers: the candidate configurations, and the allowed steps between them.
    """

    def __init__(
        self, source: Source, path: Path, frames: Array, seed: Array | None, nearest: Array, *, closer: bool = True
    ) -> None:
        """Prepare the layers. seed: the start, None for any; nearest: the reference for equal 2-pi copies.

        closer: insert layers; else long steps are excluded at once.
        """
        self.layers = Layers(source, path, frames, seed, closer=closer)
        self._families = OpenFamilies(self.layers)
        self._frames = len(frames)
        self._seeded, self._wanted = seed is not None, nearest if seed is None else seed

    @property
    def families(self) -> bool:
        """Whether any layer had an open family."""
        return self._families.found

    def find(self, *, begin: Array | None = None, end: Array | None = None) -> Course:
        """Return the best smooth trajectory, as far as one exists. begin, end: the first and last configuration."""
        layers = self.layers
        for _ in range(MOST_ROUNDS):
            chosen, cost, costs = self._run(begin, end)
            reached = len(chosen) - 1
            if reached + 1 == len(layers.times):
                if self._look_closer(chosen):
                    continue
                course = _course(layers, chosen, cost, True)
                wound = self._unroll(course.q)
                if not wound.any():
                    return course
                layers.take_copies(wound)
                continue
            if reached >= 0 and self._mend(reached, costs):
                continue
            # the part before the end must pass the same test
            if reached < 1 or not self._look_closer(chosen):
                break
        return self._broken(chosen, cost)

    def first_postures(self) -> Array:
        """Return the configurations at which a trajectory may start."""
        return np.asarray(self.layers.nodes.q[self.layers.there(0)])

    def add_layers(self, times: Array) -> None:
        """Add layers at some times, if they have configurations."""
        self.layers.add_layers(times)
        self._families.fill()

    def _cut(self, gaps: Numbers) -> None:
        self.layers.cut(gaps)
        self._families.fill()

    def _run(self, begin: Array | None, end: Array | None) -> tuple[Numbers, float, Array]:
        layers = self.layers
        source, nodes, times = layers.source, layers.nodes, layers.times
        first, wraps = layers.first_nodes, layers.wraps
        starts, ends = nodes.q[: first[1]], nodes.q[first[-2] :]
        beginning = distance(starts, self._wanted, wraps, source.weight) * (NEAR_THE_SEED if self._seeded else 1e-6)
        if begin is not None:
            beginning = np.where(distance(starts, begin, wraps, source.weight) < SAME, beginning, np.inf)
        ending = np.zeros(len(ends))
        if end is not None:
            ending = np.where(distance(ends, end, wraps, source.weight) < SAME, 0.0, np.inf)
        scale = self._frames / max(times[-1] - times[0], 1e-9)
        return best_trajectory(
            nodes.q, first, nodes.key.astype(np.int32), source.keys, source.round, source.window, np.diff(times) * scale,
            layers.bound, _passes_straight(layers, first), nodes.branch.astype(np.int32), layers.held.astype(np.uint8),
            source.weight, source.speed * source.weight / scale, wraps.tolist(), beginning, ending,
        )  # fmt: skip

    def _look_closer(self, chosen: Numbers) -> bool:
        """Bisect the gaps with long steps, and forbid those that stay long. Return whether anything changed."""
        layers, source = self.layers, self.layers.source
        q = layers.nodes.q[chosen]
        count = len(chosen) - 1
        steps = distance(q[1:], q[:-1], layers.wraps, source.weight)
        rate = steps / np.diff(layers.times[: count + 1])
        beside = np.maximum(np.append(rate[1:], 0.0), np.append(0.0, rate[:-1]))
        long = steps > source.passing
        if source.keys == 1:
            long |= (steps > NOTICED) & (rate > OUTSTANDING * beside)
        if not long.any():
            return False
        able = long & layers.able[:count]
        if able.any() and len(layers.times) + able.sum() < MOST_LAYERS:
            self._cut(np.flatnonzero(able))
            return True
        proven = np.flatnonzero(long & ~able)
        layers.limit_steps(proven, 0.5 * steps[proven])
        return True

    def _mend(self, reached: int, costs: Array) -> bool:
        """Insert layers where the trajectory ended, or others did. Return False if nothing is left to refine."""
        layers, source = self.layers, self.layers.source
        after = float(layers.times[reached + 1])
        if not layers.there(reached + 1).any():
            return False
        if self._families.walk(after):
            return True
        alive = np.flatnonzero(np.isfinite(costs) & layers.there(reached))
        if source.round and _turn_keys(layers, alive, reached + 1):
            return True
        seeds = layers.nodes.q[alive]
        if source.leaves_limits(layers.path.at(after), some(seeds, TRACED)).all():
            return False
        able = layers.able
        if able[reached] and len(layers.times) < MOST_LAYERS:
            if layers.depth[reached] == 0 or source.keys > 1:
                layers.add_near(reached + 1, seeds[:LED_ON])
            self._cut(np.array([reached]))
            return True
        if source.keys > 1:
            return False
        # other trajectories that ended earlier, at a gap that can still be bisected
        gaps = [k for k in np.flatnonzero(able[:reached]) if _nearly_goes_on(layers, int(k), costs)]
        if not gaps or len(layers.times) + len(gaps) > MOST_LAYERS:
            return False
        self._cut(np.array(gaps))
        return True

    def _unroll(self, q: Array) -> npt.NDArray[np.bool_]:
        """Shift a trajectory by multiples of 2 pi into the limits, in place. Return the joints for which this is impossible."""
        source, turn, wound = self.layers.source, 2 * np.pi, np.zeros(q.shape[1], np.bool_)
        for j in np.flatnonzero(self.layers.wraps):
            low, high = q[:, j].min(), q[:, j].max()
            first = math.ceil((source.lower[j] - low) / turn - 1e-9) if np.isfinite(source.lower[j]) else -math.inf
            last = math.floor((source.upper[j] - high) / turn + 1e-9) if np.isfinite(source.upper[j]) else math.inf
            goal = self._wanted[j] - (q[0, j] if self._seeded else 0.5 * (low + high))
            shift = round(goal / turn)
            # from the seed's own 2-pi copy another trajectory may continue
            if first > last or (self._seeded and not first <= shift <= last):
                wound[j] = True
                continue
            q[:, j] += turn * min(max(shift, first), last)
        if not wound.any():
            q[:] = np.clip(q, source.lower, source.upper)
        return wound

    def _broken(self, chosen: Numbers, cost: float) -> Course:
        layers = self.layers
        course = _course(layers, chosen, cost, False)
        while len(course.q) and (wound := self._unroll(course.q)).any():
            # only a shorter part is inside the limits
            layers.take_copies(wound)
            chosen = self._run(None, None)[0]
            course = _course(layers, chosen, cost, False)
        k = len(chosen)
        there = k < len(layers.times) and bool(layers.there(k).any())
        return replace(course, empty=not there, next=float(layers.times[min(k, len(layers.times) - 1)]))


def _passes_straight(layers: Layers, first: Numbers) -> npt.NDArray[np.uint8]:
    """Return the gaps in which the elbow may pass its straight posture: its distance from it is at most one step."""
    count, elbow = len(layers.times), layers.source.elbow
    out = np.zeros(count - 1, np.uint8)
    there = np.flatnonzero(np.diff(first) > 0)
    if elbow < 0 or len(there) < 2:
        return out
    bend = np.full(count, np.inf)
    bend[there] = np.abs(layers.nodes.q[first[there], elbow])
    with np.errstate(invalid="ignore"):
        change = np.abs(np.diff(bend, prepend=bend[0], append=bend[-1]))
        quick = np.fmax(change[:-2], change[2:])  # next to a gap; inside it, the bend decreases and increases again
    quick[~np.isfinite(quick)] = 0.0
    out[bend[:-1] + bend[1:] <= np.maximum(STRAIGHT, 2.0 * quick)] = 1
    return out


def _turn_keys(layers: Layers, alive: Numbers, layer: int) -> bool:
    """Shift the keys of a family after a layer where their zero direction rotates, so that neighbours stay neighbours.

    The zero direction of a swivel rotates abruptly if the wrist passes over or under the shoulder.
    """
    there = np.flatnonzero(layers.there(layer))
    here = some(alive, COMPARED)
    if not len(here) or not len(there):
        return False
    q, keys = layers.nodes.q, layers.source.keys
    far = _apart(layers, q[here], q[there])
    a, b = np.unravel_index(int(np.argmin(far)), far.shape)
    turn = int(layers.nodes.key[here[a]] - layers.nodes.key[there[b]]) % keys
    if far[a, b] > layers.bound[layer - 1] or min(turn, keys - turn) <= layers.source.window:
        return False
    layers.turn_keys(layer, turn)
    return True


def _nearly_goes_on(layers: Layers, gap: int, costs: Array) -> bool:
    """Return whether a slightly too long step continues a trajectory that ended at a gap."""
    before, behind = layers.times[gap], layers.times[gap + 1]
    first, middle, last = np.searchsorted(layers.at, [before, behind, np.nextafter(behind, np.inf)])
    here = layers.nodes.q[first:middle][np.isfinite(costs[first:middle])]
    there = layers.nodes.q[middle:last]
    if not len(here) or not len(there):
        return False
    far = _apart(layers, here, there).min(axis=1)
    return bool(((far > layers.bound[gap]) & (far <= 3 * layers.bound[gap])).any())


def _apart(layers: Layers, here: Array, there: Array) -> Array:
    """Return the distances between two sets of configurations, (k, n) and (m, n) -> (k, m)."""
    d = wrapped(here[:, None] - there[None], layers.wraps) * layers.source.weight
    return np.asarray(np.abs(d).max(axis=2))


def _course(layers: Layers, chosen: Numbers, cost: float, whole: bool) -> Course:
    """Return the trajectory of the chosen nodes, one of each layer."""
    q = np.array(layers.nodes.q[chosen])
    if len(q):
        q[1:] = q[0] + np.cumsum(wrapped(np.diff(q, axis=0), layers.wraps), axis=0)
    branch = layers.nodes.branch[chosen]
    return Course(layers.times[: len(q)], q, branch, np.zeros(len(q), np.bool_), whole, energy=cost)


def joined(parts: Sequence[Course]) -> Course:
    """Concatenate several trajectories, with a jump from each to the next."""
    jumped = np.concatenate([np.append(k > 0, part.jumped[1:]) for k, part in enumerate(parts)])
    return replace(
        parts[-1],
        times=np.concatenate([part.times for part in parts]),
        q=np.concatenate([part.q for part in parts]),
        branch=np.concatenate([part.branch for part in parts]),
        jumped=jumped.astype(np.bool_),
    )

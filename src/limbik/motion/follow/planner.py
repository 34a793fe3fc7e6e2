"""Plan the configuration (posture) at every time of a path: the joint trajectory with the least energy.

The path is sampled at layers, first at the requested frames. Each layer contains every configuration that reaches its pose.
Dynamic programming (`core/motion/trajectory_search.hpp`) finds the trajectory with the least energy. Long steps in it are
examined by inserting layers: a fast but continuous motion near a singular configuration divides into short steps; a jump stays
long, however close the layers are, and is excluded. So a step counts as a jump only if it stays long in an interval of
`layers.SHORTEST` of the path's duration.

The trajectory is first found modulo 2 pi and then unwrapped. If an unwrapped joint leaves its limits, the 2-pi copies of every
configuration are listed as separate configurations, and the search is repeated.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from limbik._core import best_trajectory
from limbik.geometry.arrays import Array
from limbik.motion.follow.layers import MOST_LAYERS, Layers, distance, wrapped
from limbik.motion.follow.postures import Numbers, PostureSource, thinned
from limbik.motion.follow.self_motion_layers import TRACED, OpenFamilies
from limbik.motion.path import Path

# A step this many times as fast as its neighbours is examined, if it is longer than NOTICED.
OUTSTANDING, NOTICED = 4.0, 0.01
# Postures closer than this are equal [rad, or fractions of the reach].
SAME = 1e-7
# The most rounds of inserting layers.
MOST_ROUNDS = 200
# The cost of a radian between the first posture and the seed: more than any motion.
NEAR_THE_SEED = 1e6
# An elbow bent by less than this [rad] may pass its straight posture at any speed.
STRAIGHT = 1e-3
# The most postures of a layer that are compared with all of the next one where a trajectory ends.
COMPARED = 200
# The most postures of a layer that warm starts continue where a trajectory ends.
CONTINUED = 64


@dataclass(frozen=True)
class JointTrajectory:
    """A joint trajectory: the unwrapped configurations at the layers that were reached, and its end.

    times: (k,). q: (k, n). branch: (k,). jumped: (k,) after a discontinuity. complete: whether it reaches the end of the path.
    dead_end: whether it ended because the next layer has no configuration. next_time: the time of the first layer that was not
    reached [s]. energy: the cost of the plan.
    """

    times: Array
    q: Array
    branch: Numbers
    jumped: npt.NDArray[np.bool_]
    complete: bool
    dead_end: bool = False
    next_time: float = math.inf
    energy: float = math.inf


class Planner:
    """Finds the joint trajectory of one path with the least energy.

    layers: the candidate configurations, and the allowed steps between them.
    """

    def __init__(
        self,
        source: PostureSource,
        path: Path,
        frames: Array,
        seed: Array | None,
        nearest: Array,
        *,
        refine: bool = True,
    ) -> None:
        """Prepare the layers. seed: the start, None for any; nearest: the reference for equal 2-pi copies.

        refine: insert layers; if False, long steps are excluded at once.
        """
        self.layers = Layers(source, path, frames, seed, refine=refine)
        self._families = OpenFamilies(self.layers)
        self._frames = len(frames)
        self._seeded, self._wanted = seed is not None, nearest if seed is None else seed

    @property
    def families(self) -> bool:
        """Whether any layer had an open family."""
        return self._families.found

    def find(self, *, first_q: Array | None = None, last_q: Array | None = None) -> JointTrajectory:
        """Return the best smooth trajectory, as far as one exists. first_q, last_q: its required first and last configuration."""
        layers = self.layers
        for _ in range(MOST_ROUNDS):
            chosen, cost, costs = self._run(first_q, last_q)
            reached = len(chosen) - 1
            if reached + 1 == len(layers.times):
                if self._refine_long_steps(chosen):
                    continue
                trajectory = _trajectory_of(layers, chosen, cost, True)
                stuck = self._unwrap(trajectory.q)
                if not stuck.any():
                    return trajectory
                layers.list_copies(stuck)
                continue
            if reached >= 0 and self._refine_end(reached, costs):
                continue
            # the part that was reached must pass the same test
            if reached < 1 or not self._refine_long_steps(chosen):
                break
        return self._partial(chosen, cost)

    def first_postures(self) -> Array:
        """Return the configurations of the first layer, (k, n)."""
        return np.asarray(self.layers.nodes.q[self.layers.nodes_at(0)])

    def add_layers(self, times: Array) -> None:
        """Add layers at some times, if they have configurations."""
        self.layers.add_layers(times)
        self._families.fill()

    def _bisect(self, gaps: Numbers) -> None:
        self.layers.bisect(gaps)
        self._families.fill()

    def _run(self, first_q: Array | None, last_q: Array | None) -> tuple[Numbers, float, Array]:
        layers = self.layers
        source, nodes, times = layers.source, layers.nodes, layers.times
        first, wraps = layers.first_nodes, layers.wraps
        starts, ends = nodes.q[: first[1]], nodes.q[first[-2] :]
        beginning = distance(starts, self._wanted, wraps, source.weight) * (NEAR_THE_SEED if self._seeded else 1e-6)
        if first_q is not None:
            beginning = np.where(distance(starts, first_q, wraps, source.weight) < SAME, beginning, np.inf)
        ending = np.zeros(len(ends))
        if last_q is not None:
            ending = np.where(distance(ends, last_q, wraps, source.weight) < SAME, 0.0, np.inf)
        scale = self._frames / max(times[-1] - times[0], 1e-9)
        return best_trajectory(
            nodes.q, first, nodes.key.astype(np.int32), source.keys, source.cyclic, source.window, np.diff(times) * scale,
            layers.bound, _passes_straight(layers, first), nodes.branch.astype(np.int32), layers.branch_held.astype(np.uint8),
            source.weight, source.speed * source.weight / scale, wraps.tolist(), beginning, ending,
        )  # fmt: skip

    def _refine_long_steps(self, chosen: Numbers) -> bool:
        """Bisect the gaps with long steps, and exclude steps that stay long. Return whether anything changed."""
        layers, source = self.layers, self.layers.source
        q = layers.nodes.q[chosen]
        count = len(chosen) - 1
        steps = distance(q[1:], q[:-1], layers.wraps, source.weight)
        rate = steps / np.diff(layers.times[: count + 1])
        beside = np.maximum(np.append(rate[1:], 0.0), np.append(0.0, rate[:-1]))
        long = steps > source.unchecked_step
        if source.keys == 1:
            long |= (steps > NOTICED) & (rate > OUTSTANDING * beside)
        if not long.any():
            return False
        can_bisect = long & layers.can_bisect[:count]
        if can_bisect.any() and len(layers.times) + can_bisect.sum() < MOST_LAYERS:
            self._bisect(np.flatnonzero(can_bisect))
            return True
        proven = np.flatnonzero(long & ~can_bisect)
        layers.limit_steps(proven, 0.5 * steps[proven])
        return True

    def _refine_end(self, reached: int, costs: Array) -> bool:
        """Insert layers where this or another trajectory ended. Return False if nothing is left to refine."""
        layers, source = self.layers, self.layers.source
        after = float(layers.times[reached + 1])
        if not layers.nodes_at(reached + 1).any():
            return False
        if self._families.trace_families(after):
            return True
        alive = np.flatnonzero(np.isfinite(costs) & layers.nodes_at(reached))
        if source.cyclic and _shift_keys(layers, alive, reached + 1):
            return True
        seeds = layers.nodes.q[alive]
        if source.leaves_limits(layers.path.at(after), thinned(seeds, TRACED)).all():
            return False
        can_bisect = layers.can_bisect
        if can_bisect[reached] and len(layers.times) < MOST_LAYERS:
            if layers.depth[reached] == 0 or source.keys > 1:
                layers.add_near(reached + 1, seeds[:CONTINUED])
            self._bisect(np.array([reached]))
            return True
        if source.keys > 1:
            return False
        # gaps that can still be bisected, at which other trajectories ended earlier
        gaps = [k for k in np.flatnonzero(can_bisect[:reached]) if _nearly_continues(layers, int(k), costs)]
        if not gaps or len(layers.times) + len(gaps) > MOST_LAYERS:
            return False
        self._bisect(np.array(gaps))
        return True

    def _unwrap(self, q: Array) -> npt.NDArray[np.bool_]:
        """Shift joints by multiples of 2 pi into their limits, in place. Return the joints (n,) for which this is impossible."""
        source, turn, stuck = self.layers.source, 2 * np.pi, np.zeros(q.shape[1], np.bool_)
        for j in np.flatnonzero(self.layers.wraps):
            low, high = q[:, j].min(), q[:, j].max()
            # the least and the greatest number of turns that keep the joint inside its limits
            first = math.ceil((source.lower[j] - low) / turn - 1e-9) if np.isfinite(source.lower[j]) else -math.inf
            last = math.floor((source.upper[j] - high) / turn + 1e-9) if np.isfinite(source.upper[j]) else math.inf
            goal = self._wanted[j] - (q[0, j] if self._seeded else 0.5 * (low + high))
            shift = round(goal / turn)
            # with a seed, another trajectory may continue from the seed's own 2-pi copy
            if first > last or (self._seeded and not first <= shift <= last):
                stuck[j] = True
                continue
            q[:, j] += turn * min(max(shift, first), last)
        if not stuck.any():
            q[:] = np.clip(q, source.lower, source.upper)
        return stuck

    def _partial(self, chosen: Numbers, cost: float) -> JointTrajectory:
        layers = self.layers
        trajectory = _trajectory_of(layers, chosen, cost, False)
        while len(trajectory.q) and (stuck := self._unwrap(trajectory.q)).any():
            # not all of this trajectory is inside the limits
            layers.list_copies(stuck)
            chosen = self._run(None, None)[0]
            trajectory = _trajectory_of(layers, chosen, cost, False)
        k = len(chosen)
        there = k < len(layers.times) and bool(layers.nodes_at(k).any())
        return replace(trajectory, dead_end=not there, next_time=float(layers.times[min(k, len(layers.times) - 1)]))


def _passes_straight(layers: Layers, first: Numbers) -> npt.NDArray[np.uint8]:
    """Return the gaps in which the elbow may pass its straight posture: it is at most one step away from it."""
    count, elbow = len(layers.times), layers.source.elbow
    out = np.zeros(count - 1, np.uint8)
    there = np.flatnonzero(np.diff(first) > 0)
    if elbow < 0 or len(there) < 2:
        return out
    bend = np.full(count, np.inf)
    bend[there] = np.abs(layers.nodes.q[first[there], elbow])
    with np.errstate(invalid="ignore"):
        change = np.abs(np.diff(bend, prepend=bend[0], append=bend[-1]))
        # of the neighbouring gaps, since inside this gap the bend decreases and increases again
        quick = np.fmax(change[:-2], change[2:])
    quick[~np.isfinite(quick)] = 0.0
    out[bend[:-1] + bend[1:] <= np.maximum(STRAIGHT, 2.0 * quick)] = 1
    return out


def _shift_keys(layers: Layers, alive: Numbers, layer: int) -> bool:
    """Shift the grid indices of a family from a layer on, if the zero direction rotates there. Return whether it did.

    The zero direction of a swivel rotates abruptly if the wrist passes over or under the shoulder. With the shift, close
    configurations keep close grid indices.
    """
    there = np.flatnonzero(layers.nodes_at(layer))
    here = thinned(alive, COMPARED)
    if not len(here) or not len(there):
        return False
    q, keys = layers.nodes.q, layers.source.keys
    far = _distances(layers, q[here], q[there])
    a, b = np.unravel_index(int(np.argmin(far)), far.shape)
    turn = int(layers.nodes.key[here[a]] - layers.nodes.key[there[b]]) % keys
    if far[a, b] > layers.bound[layer - 1] or min(turn, keys - turn) <= layers.source.window:
        return False
    layers.shift_keys(layer, turn)
    return True


def _nearly_continues(layers: Layers, gap: int, costs: Array) -> bool:
    """Return whether a step of at most three times the bound continues a trajectory that ended at a gap."""
    before, behind = layers.times[gap], layers.times[gap + 1]
    first, middle, last = np.searchsorted(layers.at, [before, behind, np.nextafter(behind, np.inf)])
    here = layers.nodes.q[first:middle][np.isfinite(costs[first:middle])]
    there = layers.nodes.q[middle:last]
    if not len(here) or not len(there):
        return False
    far = _distances(layers, here, there).min(axis=1)
    return bool(((far > layers.bound[gap]) & (far <= 3 * layers.bound[gap])).any())


def _distances(layers: Layers, here: Array, there: Array) -> Array:
    """Return the distances between two sets of configurations, (k, n) and (m, n) -> (k, m)."""
    d = wrapped(here[:, None] - there[None], layers.wraps) * layers.source.weight
    return np.asarray(np.abs(d).max(axis=2))


def _trajectory_of(layers: Layers, chosen: Numbers, cost: float, complete: bool) -> JointTrajectory:
    """Return the trajectory of the chosen nodes, one of each layer, unwrapped."""
    q = np.array(layers.nodes.q[chosen])
    if len(q):
        q[1:] = q[0] + np.cumsum(wrapped(np.diff(q, axis=0), layers.wraps), axis=0)
    branch = layers.nodes.branch[chosen]
    return JointTrajectory(layers.times[: len(q)], q, branch, np.zeros(len(q), np.bool_), complete, energy=cost)


def joined(parts: Sequence[JointTrajectory]) -> JointTrajectory:
    """Concatenate several trajectories, with a jump from each to the next."""
    jumped = np.concatenate([np.append(k > 0, part.jumped[1:]) for k, part in enumerate(parts)])
    return replace(
        parts[-1],
        times=np.concatenate([part.times for part in parts]),
        q=np.concatenate([part.q for part in parts]),
        branch=np.concatenate([part.branch for part in parts]),
        jumped=jumped.astype(np.bool_),
    )

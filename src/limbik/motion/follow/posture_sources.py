"""The configurations (postures) of an arm for the trajectory planner: its branches, or self-motion families on a grid."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, family_postures, pose_error
from limbik.geometry.arrays import Array
from limbik.model.model import position_tolerance
from limbik.motion.follow.postures import Postures, with_copies
from limbik.motion.follow.self_motion import has_self_motion, trace_self_motion
from limbik.solvers.all_postures import closed_form
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.finder import POSE_JOINTS

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# The grid spacing of the members of a family [rad].
GRID = math.radians(6.0)
# A feasible range shorter than this number of grid steps gets its own samples.
NARROW = 3.0
# The most grid steps between two consecutive layers.
WINDOW = 4
# The distance of samples from the ends of a feasible range [rad].
INSIDE = 1e-9
# The largest step to a posture that continues a trajectory [rad, or fractions of the reach].
CONTINUES = 0.3
# A solution farther from its seed than this is retried by the second method [rad, or fractions of the reach].
NEAR = 0.05

Valid = Callable[[Any], Any]


class BranchSource:
    """The configurations of a non-redundant arm."""

    keys, cyclic, window, elbow = 1, False, 0, -1
    unchecked_step, longest_step = 0.1, 1.0
    # The methods that find the posture near a seed: the first, and that of retries.
    near_methods: tuple[str | None, str | None] = (None, "lm")
    # The most retries per layer when many postures are continued.
    retries = 96
    # Whether `near` also adds the family members closest to the seeds: more candidates at a higher cost.
    members = False

    def __init__(
        self,
        arm: "Chain",
        limits: bool,
        seed: Array,
        valid: Valid | None,
        speed: Array,
        finer: int = 1,
        each_copy: bool = False,
    ) -> None:
        """Prepare. finer: the refinement factor of the grid. each_copy: call `valid` for every 2-pi copy, not for one of them."""
        self.arm, self.limits, self.seed, self.valid = arm, limits, seed, valid
        self.speed = speed
        self.finer, self._each_copy = finer, each_copy
        unlimited = np.full(arm.n, np.inf)
        self.lower: Array = arm.lower if limits else -unlimited
        self.upper: Array = arm.upper if limits else unlimited
        self.revolute = arm.model.revolute
        self.weight = np.where(self.revolute, 1.0, 1.0 / (arm.model.reach.span or 1.0))
        self.refused = 0
        with np.errstate(invalid="ignore"):
            room = self.upper - self.lower
        self.multi_turn = self.revolute & np.isfinite(room) & (room >= 2 * np.pi)
        self.lists_copies = self.multi_turn & each_copy
        self._prepare()

    def _prepare(self) -> None:
        """Prepare the grid of a subclass."""

    def refined(self, finer: int) -> Self:
        """Return a copy whose grid is refined by a factor."""
        return type(self)(self.arm, self.limits, self.seed, self.valid, self.speed, finer, self._each_copy)

    def unbounded(self, seed: Array) -> Self:
        """Return a copy without limits and without `valid`. seed: its seed."""
        return type(self)(self.arm, False, seed, None, self.speed)

    @property
    def listed(self) -> bool:
        """Whether every posture of a pose can be listed; for a redundant arm, every branch."""
        arm = self.arm
        return closed_form(arm.model) is not None or (arm.n <= POSE_JOINTS and bool(arm.model.one_axis.all()))

    def postures(self, Ts: Array) -> Postures:
        """Return every posture of some poses (k, 4, 4) that `valid` allows."""
        found = self.every(Ts)
        if self.lists_copies.any():
            found = with_copies(found, self.lower, self.upper, self.lists_copies)[0]
        return self._only_allowed(found)

    def every(self, Ts: Array) -> Postures:
        """Return every posture of some poses (k, 4, 4), before `valid`."""
        found = self.arm.solve_all_batch(Ts, self.seed, limits=self.limits)
        row, place = np.nonzero(np.arange(found.q.shape[1]) < found.count[:, None])
        return Postures(
            found.q[row, place],
            row,
            found.branches[row, place].astype(np.int64),
            np.zeros(len(row), np.int64),
            found.families[row, place],
        )

    def near(self, T: Array, seeds: Array) -> Postures:
        """Return the postures of a pose that warm starts from some seeds find."""
        q, ok = self.solve_near(np.broadcast_to(T, (len(seeds), 4, 4)), seeds, self.retries)
        q = np.concatenate([q[ok], self._in_families(T, seeds[ok], q[ok])]) if self.members else q[ok]
        none = np.zeros(len(q), np.int64)
        return self._only_allowed(Postures(q, none, self.branch(q, T), self._keys(q), none.astype(np.bool_)))

    def _in_families(self, T: Array, seeds: Array, q: Array) -> Array:
        """Return, for singular postures, the family members closest to their seeds.

        A closed form keeps one joint of a family at the seed's value, so another member may be closer.
        """
        rows = np.flatnonzero(has_self_motion(self.arm.jacobian(q)))[: self.retries]
        if self.near_methods[1] is None or not len(rows):
            return q[:0]
        Ts = np.broadcast_to(T, (len(rows), 4, 4))
        found = self.arm.solve_batch(Ts, seeds[rows], limits=self.limits, method=self.near_methods[1])
        return np.asarray(found.q[found.ok])

    def on_self_motion(self, Ts: Array, q: Array) -> Postures:
        """Return postures on the self-motion manifolds through some postures q (k, n), which reach the poses Ts (k, 4, 4)."""
        found, row = trace_self_motion(self, self.arm.jacobian, Ts, q)
        none = np.zeros(len(row), np.int64)
        return self._only_allowed(Postures(found, row, none - 1, self._keys(found), none.astype(np.bool_)))

    def at_seed(self, T: Array, seed: Array) -> Postures:
        """Return the seed itself if it reaches a pose and is allowed, else nothing."""
        error = np.asarray(pose_error(self.arm.forward(seed), T))
        near = np.linalg.norm(error[:3]) <= position_tolerance(self.arm.model.reach)
        inside = bool((seed >= self.lower).all() and (seed <= self.upper).all())
        q = seed[None] if near and inside and np.linalg.norm(error[3:]) <= ROTATION_TOLERANCE else seed[None][:0]
        none = np.zeros(len(q), np.int64)
        return self._only_allowed(Postures(q, none, self.branch(q, T), self._keys(q), none.astype(np.bool_)))

    def allows(self, q: Array) -> npt.NDArray[np.bool_]:
        """Return which postures `valid` allows."""
        if self.valid is None:
            return np.ones(len(q), np.bool_)
        fine = np.array([bool(self.valid(x)) for x in q], np.bool_)
        self.refused += int((~fine).sum())
        return fine

    def solve_near(self, Ts: Array, seeds: Array, retries: int | None = None) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Return the posture of each pose near its seed, (k, n), and whether there is one.

        retries: the most failures that are retried iteratively; None for all.
        """
        first, second = self.near_methods
        batch = self.arm.solve_batch(Ts, seeds, limits=self.limits, method=first)
        q, ok = np.array(batch.q), np.array(batch.ok)
        far = np.abs((q - seeds) * self.weight).max(axis=1, initial=0.0)
        again = np.flatnonzero(~ok | (far > NEAR))[:retries]
        if len(again):
            retried = self.arm.solve_batch(Ts[again], seeds[again], limits=self.limits, method=second)
            less = np.abs((retried.q - seeds[again]) * self.weight).max(axis=1, initial=0.0)
            better = retried.ok & (~ok[again] | (less < far[again]))
            q[again[better]], ok[again[better]] = retried.q[better], True
        return q, ok

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Return which postures continue smoothly to a pose, but only outside the limits."""
        if not self.limits or not len(seeds):
            return np.zeros(len(seeds), np.bool_)
        free = self.arm.solve_batch(np.broadcast_to(T, (len(seeds), 4, 4)), seeds, limits=False)
        near = np.abs((free.q - seeds) * self.weight).max(axis=1) <= CONTINUES
        return np.asarray(free.ok & near & ~self.arm.within_limits(free.q))

    def branch(self, q: Array, T: Array) -> npt.NDArray[np.int64]:
        """Return the branches of postures, -1 if unknown."""
        return np.full(len(q), -1, np.int64)

    def _keys(self, q: Array) -> npt.NDArray[np.int64]:
        return np.zeros(len(q), np.int64)

    def _only_allowed(self, found: Postures) -> Postures:
        """Return the postures that `valid` allows."""
        return found if self.valid is None else found.only(self.allows(found.q))


class FamilySource(BranchSource):
    """The configurations of a redundant arm: every branch, on a grid of its swivel or its free joint.

    For a swivel, the ends and middles of narrow feasible ranges are added, so that no range is missed.
    """

    unchecked_step = longest_step = 0.7
    retries = 16
    # Iteratively first, which moves the joints least; a closed form keeps the swivel and may rotate a nearly straight wrist.
    near_methods = ("lm", None)

    def _prepare(self) -> None:
        """Set up the solver and the grid of the swivel or the free joint: one key per grid value."""
        arm, finer = self.arm, self.finer
        redundancy = arm.redundancy
        assert redundancy is not None
        self._joint = -1 if redundancy.joint is None else arm.joint_names.index(redundancy.joint)
        self._solver = solver_set(arm.model, self.limits).postures
        low, high = (-math.pi, math.pi) if self._joint < 0 else (self.lower[self._joint], self.upper[self._joint])
        self.cyclic = not high - low < 2 * math.pi  # then the last grid value is a step before the first one's copy
        if self.cyclic:
            middle = 0.5 * (low + high) if math.isfinite(low) and math.isfinite(high) else 0.0
            low, high = middle - math.pi, middle + math.pi
        self.window = WINDOW * finer
        form = solver_set(arm.model, self.limits).form
        assert form is not None
        bent = form.choices[0]  # for an arm with a swivel, the elbow
        if self._joint < 0 and self.lower[bent] < 0 < self.upper[bent]:
            self.elbow = bent
        self.keys = max(math.ceil((high - low) / GRID * finer), 1) + (not self.cyclic)
        self._low, self._step = low, (high - low) / max(self.keys - (not self.cyclic), 1)
        self._grid = low + self._step * np.arange(self.keys)
        if not self.cyclic:
            self._grid[-1] = high

    def every(self, Ts: Array) -> Postures:
        """Return the postures of every branch of some poses (k, 4, 4), on the grid."""
        rows = [self._grid] * len(Ts)
        if self._joint < 0:
            rows = [np.concatenate([self._grid, self._narrow_ranges(T)]) for T in Ts]
        values = np.full((len(Ts), max(map(len, rows), default=0)), np.nan)
        for k, row in enumerate(rows):
            values[k, : len(row)] = row
        q, first, branch, place, family = family_postures(self._solver, Ts, values, self.seed)
        row_of = np.repeat(np.arange(len(Ts)), np.diff(first))
        key = self._key_of(values[row_of, place])
        return Postures(q, row_of, branch.astype(np.int64), key, np.zeros(len(q), np.bool_) & family)

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Return which postures have no close continuation to a pose inside the limits, by any member of the family."""
        if not self.limits or not len(seeds):
            return np.zeros(len(seeds), np.bool_)
        q, ok = self.solve_near(np.broadcast_to(T, (len(seeds), 4, 4)), seeds)
        return np.asarray(~ok | (np.abs((q - seeds) * self.weight).max(axis=1) > self.unchecked_step))

    def _narrow_ranges(self, T: Array) -> Array:
        """Return the ends and middles of the narrow swivel ranges of a pose [rad]."""
        arcs = np.array([arc for found in self._solver.swivel_ranges(T).values() for arc in found]).reshape(-1, 2)
        arcs = arcs[arcs[:, 1] - arcs[:, 0] < NARROW * self._step]
        inset = np.minimum(INSIDE, 0.25 * (arcs[:, 1] - arcs[:, 0]))
        values = np.concatenate([arcs[:, 0] + inset, arcs.mean(axis=1), arcs[:, 1] - inset])
        return values[np.unique(values.round(12), return_index=True)[1]]

    def _key_of(self, values: Array) -> npt.NDArray[np.int64]:
        key = np.rint((values - self._low) / self._step).astype(np.int64)
        return key % self.keys if self.cyclic else np.clip(key, 0, self.keys - 1)

    def _keys(self, q: Array) -> npt.NDArray[np.int64]:
        values = q[:, self._joint] if self._joint >= 0 else np.array([self.arm.swivel(x) for x in q])
        return self._key_of(values)

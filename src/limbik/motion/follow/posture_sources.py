"""The configurations (postures) of an arm for the trajectory planner: branches, or a self-motion family on a grid."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, family_postures, pose_error
from limbik.geometry.arrays import Array
from limbik.model.model import position_tolerance
from limbik.motion.follow.postures import Postures, copied
from limbik.motion.follow.self_motion import held_still, walked
from limbik.solvers.all_postures import closed_form
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.finder import POSE_JOINTS

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# The grid spacing of the members of a family [rad].
GRID = math.radians(6.0)
# A feasible range with fewer grid steps is sampled separately.
NARROW = 3.0
# The most grid steps of a trajectory from one layer to the next.
WINDOW = 4
# The distance of samples from the ends of a feasible range [rad].
INSIDE = 1e-9
# The largest step to a posture that continues a trajectory [rad, or fractions of the reach].
LEADS_ON = 0.3
# A warm start that ends farther away than this is retried iteratively [rad, or fractions of the reach].
NEAR = 0.05

Valid = Callable[[Any], Any]


class Branches:
    """The configurations of a non-redundant arm."""

    keys, round, window, elbow = 1, False, 0, -1
    passing, first = 0.1, 1.0
    # The method for the posture near a seed, and the method of retries.
    settling: tuple[str | None, str | None] = (None, "lm")
    # The most retries per layer if many postures are continued.
    retries = 96
    # Whether `near` adds the members of singular families nearest to their seeds: more candidates at a higher cost.
    members = False

    def __init__(
        self,
        arm: "Chain",
        limits: bool,
        seed: Array,
        valid: Valid | None,
        speed: Array,
        finer: int = 1,
        turns: bool = False,
    ) -> None:
        """Prepare. finer: the refinement factor of the grid. turns: call `valid` for every 2-pi copy, not for one."""
        self.arm, self.limits, self.seed, self.valid = arm, limits, seed, valid
        self.speed = speed
        self.finer, self._turns = finer, turns
        endless = np.full(arm.n, np.inf)
        self.lower: Array = arm.lower if limits else -endless
        self.upper: Array = arm.upper if limits else endless
        self.turning = arm.model.revolute
        self.weight = np.where(self.turning, 1.0, 1.0 / (arm.model.reach.span or 1.0))
        self.refused = 0
        with np.errstate(invalid="ignore"):
            room = self.upper - self.lower
        self.wound = self.turning & np.isfinite(room) & (room >= 2 * np.pi)
        self.copied = self.wound & turns
        self._prepare()

    def _prepare(self) -> None:
        """Prepare the data of a subclass."""

    def refined(self, finer: int) -> Self:
        """Return the same with a grid refined by a factor."""
        return type(self)(self.arm, self.limits, self.seed, self.valid, self.speed, finer, self._turns)

    def unbounded(self, seed: Array) -> Self:
        """Return the same without limits and without `valid`, near a configuration."""
        return type(self)(self.arm, False, seed, None, self.speed)

    @property
    def listed(self) -> bool:
        """Whether every posture of a pose can be listed, or, of a family, every branch."""
        arm = self.arm
        return closed_form(arm.model) is not None or (arm.n <= POSE_JOINTS and bool(arm.model.one_axis.all()))

    def postures(self, Ts: Array) -> Postures:
        """Return every allowed posture of some poses."""
        found = self.every(Ts)
        if self.copied.any():
            found = copied(found, self.lower, self.upper, self.copied)[0]
        return self._allowed(found)

    def every(self, Ts: Array) -> Postures:
        """Return every posture of some poses."""
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
        """Return the postures of a pose that warm starts find."""
        q, ok = self.settle(np.broadcast_to(T, (len(seeds), 4, 4)), seeds, self.retries)
        q = np.concatenate([q[ok], self._in_families(T, seeds[ok], q[ok])]) if self.members else q[ok]
        none = np.zeros(len(q), np.int64)
        return self._allowed(Postures(q, none, self.branch(q, T), self._keys(q), none.astype(np.bool_)))

    def _in_families(self, T: Array, seeds: Array, q: Array) -> Array:
        """Return the family members nearest to their seeds, for singular postures.

        A closed form keeps one joint of a family at the seed's value, so another member may be closer.
        """
        rows = np.flatnonzero(held_still(self.arm.jacobian(q)))[: self.retries]
        if self.settling[1] is None or not len(rows):
            return q[:0]
        Ts = np.broadcast_to(T, (len(rows), 4, 4))
        found = self.arm.solve_batch(Ts, seeds[rows], limits=self.limits, method=self.settling[1])
        return np.asarray(found.q[found.ok])

    def slid(self, Ts: Array, q: Array) -> Postures:
        """Return the postures on the self-motion manifolds of some postures, for each pose."""
        found, row = walked(self, self.arm.jacobian, Ts, q)
        none = np.zeros(len(row), np.int64)
        return self._allowed(Postures(found, row, none - 1, self._keys(found), none.astype(np.bool_)))

    def at_seed(self, T: Array, seed: Array) -> Postures:
        """Return the seed itself if it reaches a pose and is allowed, else nothing."""
        error = np.asarray(pose_error(self.arm.forward(seed), T))
        near = np.linalg.norm(error[:3]) <= position_tolerance(self.arm.model.reach)
        inside = bool((seed >= self.lower).all() and (seed <= self.upper).all())
        q = seed[None] if near and inside and np.linalg.norm(error[3:]) <= ROTATION_TOLERANCE else seed[None][:0]
        none = np.zeros(len(q), np.int64)
        return self._allowed(Postures(q, none, self.branch(q, T), self._keys(q), none.astype(np.bool_)))

    def may(self, q: Array) -> npt.NDArray[np.bool_]:
        """Return which postures `valid` allows."""
        if self.valid is None:
            return np.ones(len(q), np.bool_)
        fine = np.array([bool(self.valid(x)) for x in q], np.bool_)
        self.refused += int((~fine).sum())
        return fine

    def settle(self, Ts: Array, seeds: Array, retries: int | None = None) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Return the posture of each pose near its seed, (k, n), and whether there is one.

        retries: the most failures that are retried iteratively; None for all.
        """
        first, second = self.settling
        batch = self.arm.solve_batch(Ts, seeds, limits=self.limits, method=first)
        q, ok = np.array(batch.q), np.array(batch.ok)
        far = np.abs((q - seeds) * self.weight).max(axis=1, initial=0.0)
        again = np.flatnonzero(~ok | (far > NEAR))[:retries]
        if len(again):
            stepped = self.arm.solve_batch(Ts[again], seeds[again], limits=self.limits, method=second)
            less = np.abs((stepped.q - seeds[again]) * self.weight).max(axis=1, initial=0.0)
            better = stepped.ok & (~ok[again] | (less < far[again]))
            q[again[better]], ok[again[better]] = stepped.q[better], True
        return q, ok

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Return which postures continue smoothly to a pose, but only outside the limits."""
        if not self.limits or not len(seeds):
            return np.zeros(len(seeds), np.bool_)
        free = self.arm.solve_batch(np.broadcast_to(T, (len(seeds), 4, 4)), seeds, limits=False)
        near = np.abs((free.q - seeds) * self.weight).max(axis=1) <= LEADS_ON
        return np.asarray(free.ok & near & ~self.arm.within_limits(free.q))

    def branch(self, q: Array, T: Array) -> npt.NDArray[np.int64]:
        """Return the branches of postures, -1 if unknown."""
        return np.full(len(q), -1, np.int64)

    def _keys(self, q: Array) -> npt.NDArray[np.int64]:
        return np.zeros(len(q), np.int64)

    def _allowed(self, found: Postures) -> Postures:
        """Return the postures that `valid` allows."""
        return found if self.valid is None else found.only(self.may(found.q))


class Family(Branches):
    """The configurations of a redundant arm: every branch, on a grid of its swivel or its free joint.

    For a swivel, the ends and middles of narrow feasible ranges are added, so that none is missed.
    """

    passing = first = 0.7
    retries = 16
    # iteratively first: this moves least, while a closed form keeps the swivel and may rotate a nearly straight wrist instead
    settling = ("lm", None)

    def _prepare(self) -> None:
        arm, finer = self.arm, self.finer
        redundancy = arm.redundancy
        assert redundancy is not None
        self._joint = -1 if redundancy.joint is None else arm.joint_names.index(redundancy.joint)
        self._solver = solver_set(arm.model, self.limits).postures
        low, high = (-math.pi, math.pi) if self._joint < 0 else (self.lower[self._joint], self.upper[self._joint])
        self.round = not high - low < 2 * math.pi
        if self.round:
            middle = 0.5 * (low + high) if math.isfinite(low) and math.isfinite(high) else 0.0
            low, high = middle - math.pi, middle + math.pi
        self.window = WINDOW * finer
        form = solver_set(arm.model, self.limits).form
        assert form is not None
        bent = form.choices[0]  # for a swivel, the elbow
        if self._joint < 0 and self.lower[bent] < 0 < self.upper[bent]:
            self.elbow = bent
        self.keys = max(math.ceil((high - low) / GRID * finer), 1) + (not self.round)
        self._low, self._step = low, (high - low) / max(self.keys - (not self.round), 1)
        self._grid = low + self._step * np.arange(self.keys)
        if not self.round:
            self._grid[-1] = high

    def every(self, Ts: Array) -> Postures:
        """Return postures of every branch of some poses."""
        rows = [self._grid] * len(Ts)
        if self._joint < 0:
            rows = [np.concatenate([self._grid, self._ends(T)]) for T in Ts]
        values = np.full((len(Ts), max(map(len, rows), default=0)), np.nan)
        for k, row in enumerate(rows):
            values[k, : len(row)] = row
        q, first, branch, place, family = family_postures(self._solver, Ts, values, self.seed)
        row_of = np.repeat(np.arange(len(Ts)), np.diff(first))
        key = self._key_of(values[row_of, place])
        return Postures(q, row_of, branch.astype(np.int64), key, np.zeros(len(q), np.bool_) & family)

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Return which postures cannot continue to a pose inside the limits, for any member of the family."""
        if not self.limits or not len(seeds):
            return np.zeros(len(seeds), np.bool_)
        q, ok = self.settle(np.broadcast_to(T, (len(seeds), 4, 4)), seeds)
        return np.asarray(~ok | (np.abs((q - seeds) * self.weight).max(axis=1) > self.passing))

    def _ends(self, T: Array) -> Array:
        arcs = np.array([arc for found in self._solver.swivel_ranges(T).values() for arc in found]).reshape(-1, 2)
        arcs = arcs[arcs[:, 1] - arcs[:, 0] < NARROW * self._step]
        inset = np.minimum(INSIDE, 0.25 * (arcs[:, 1] - arcs[:, 0]))
        values = np.concatenate([arcs[:, 0] + inset, arcs.mean(axis=1), arcs[:, 1] - inset])
        return values[np.unique(values.round(12), return_index=True)[1]]

    def _key_of(self, values: Array) -> npt.NDArray[np.int64]:
        key = np.rint((values - self._low) / self._step).astype(np.int64)
        return key % self.keys if self.round else np.clip(key, 0, self.keys - 1)

    def _keys(self, q: Array) -> npt.NDArray[np.int64]:
        values = q[:, self._joint] if self._joint >= 0 else np.array([self.arm.swivel(x) for x in q])
        return self._key_of(values)

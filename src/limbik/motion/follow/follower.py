"""Choose the configuration (posture) of an arm at every frame of a path, by a planner for the kind of arm.

An arm whose branches can be listed is planned over all branches at every frame (`branch_planning`). An arm with one redundant
joint and a closed form is planned over its self-motion manifolds (`redundant_follower`). Other arms use warm starts (`tracing`),
and so do paths whose plan is incomplete or does not start at the seed.
"""

from typing import TYPE_CHECKING

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.follow.branch_planning import plan_on_branches
from limbik.motion.follow.planner import JointTrajectory, joined
from limbik.motion.follow.posture_sources import BranchSource
from limbik.motion.follow.postures import thinned, with_copies
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.tracing import Predictor, trace
from limbik.motion.follow.trajectory_checks import progress, starts_at_seed, without_jump
from limbik.motion.follow.trajectory_shaping import with_less_motion
from limbik.motion.path import Path
from limbik.solvers.all_postures import closed_form
from limbik.solvers.preference import Valid
from limbik.solvers.table.finder import POSE_JOINTS

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# The number of random first postures for warm starts.
WARM_STARTS = 32
# The most first postures from which warm starts trace a trajectory, and the step by which they move away from limits [rad].
TRACED, INWARDS = 64, 0.02
# The most postures, and 2-pi copies of each, for the test whether `valid` distinguishes 2-pi copies.
TESTED, COPIES_TESTED = 24, 12


class Follower:
    """Follows a path with a non-redundant arm; `FamilyFollower` is the variant for redundant arms.

    task: the query. source: the source of configurations. closed: whether the last trajectory should return to its start.
    kind: the class of the source.
    """

    kind: type[BranchSource] = BranchSource

    def __init__(
        self, arm: "Chain", path: Path, rate: float, seed: Array | None, limits: bool, valid: Valid | None, speed: Array
    ) -> None:
        self.task = FollowTask(arm, path, rate, seed, limits, valid, speed)
        self.closed = False
        self._each_copy = False  # whether `valid` is called for every 2-pi copy
        self.source = self._make_source()

    def _make_source(self) -> BranchSource:
        task = self.task
        return self.kind(task.arm, task.limits, task.start, task.valid, task.speed, 1, self._each_copy)

    @staticmethod
    def plan(
        task: FollowTask, source: BranchSource, frames: Array, seed: Array | None, closed: bool
    ) -> JointTrajectory:
        """Return the best planned trajectory along some frames, at their times (k,) [s]."""
        return plan_on_branches(task, source, frames, seed, closed)

    def trajectory(self, allow: bool, closed: bool) -> JointTrajectory:
        """Return the best trajectory. allow: with jumps if necessary. closed: prefer one that ends in its first configuration.

        Each smooth trajectory is followed to its end before it jumps, which needs the fewest jumps.
        """
        self.closed = closed
        frames = self.task.frames
        trajectory = self._smooth_trajectory(frames, self.task.seed, closed)
        if not allow or trajectory.complete or not len(trajectory.q):
            return trajectory
        parts = [trajectory]
        while not trajectory.complete and len(trajectory.q):
            remaining = frames[frames > trajectory.times[-1]]
            if not len(remaining):
                break
            trajectory = self._smooth_trajectory(remaining, trajectory.q[-1], False)
            if len(trajectory.q):
                parts.append(trajectory)
        return joined(parts)

    def _smooth_trajectory(self, frames: Array, seed: Array | None, closed: bool) -> JointTrajectory:
        """Return the best trajectory along some frames, from near a configuration: planned, else by warm starts."""
        task, arm, path = self.task, self.task.arm, self.task.path
        listed = self.source.listed
        first = path.at(frames[0])
        best = self.plan(task, self.source, frames, seed, closed) if listed else None
        if (
            best is not None
            and not (best.complete and self.source.allows(best.q).all())
            and self._copies_matter(frames)
        ):
            self._each_copy, refused = True, self.source.refused
            self.source = self._make_source()
            self.source.refused = refused
            again = self.plan(task, self.source, frames, seed, closed)
            if progress(again) >= progress(best):
                best = again
        source = self.source
        if best is not None and (
            not len(best.q) or (best.complete and (closed or starts_at_seed(source, path, best, seed)))
        ):
            return best
        if best is not None and best.dead_end and closed_form(arm.model) is not None:
            return best  # no allowed posture reaches the next pose
        predictors = (None, self._extrapolated, self._inwards)[: 3 if arm.n > POSE_JOINTS else 2]
        own = source.at_seed(first, seed).q if seed is not None else np.zeros((0, arm.n))
        every = source.postures(first[None]).q if listed else self._first_postures(float(frames[0]), seed)
        for starts in (own, thinned(every, TRACED)):
            for predict in predictors:
                if (
                    best is not None
                    and best.complete
                    and (starts is not own or starts_at_seed(source, path, best, seed))
                ):
                    return best
                if best is None or len(starts):
                    found = self._traced(frames, starts, seed, predict)
                    # among trajectories of equal length, one that starts at the seed is better
                    at_seed = starts is own and found.complete and starts_at_seed(source, path, found, seed)
                    if best is None or at_seed or progress(found) > progress(best):
                        best = found
        assert best is not None
        return best

    def _copies_matter(self, frames: Array) -> bool:
        """Return whether `valid` distinguishes 2-pi copies, tested on some postures and their copies."""
        source, valid = self.source, self.task.valid
        if valid is None or self._each_copy or not source.multi_turn.any():
            return False
        found = source.every(self.task.path.at(thinned(frames, TESTED)))
        found = found.only(thinned(np.arange(len(found.q)), TESTED))
        for q in found.q:
            copies = with_copies(
                found.only(slice(0, 1))._replace(q=q[None]), source.lower, source.upper, source.multi_turn
            )[0].q
            verdicts = {bool(valid(x)) for x in (q, *thinned(copies, COPIES_TESTED))}
            if len(verdicts) > 1:
                return True
        return False

    def _traced(self, frames: Array, starts: Array, seed: Array | None, predict: Predictor | None) -> JointTrajectory:
        """Return the best trajectory that warm starts find from some first postures."""
        task, source, path = self.task, self.source, self.task.path
        trajectory = trace(source, path, frames, starts, seed, task.valid, predict)
        smooth = trajectory
        if trajectory.complete and task.arm.n > POSE_JOINTS:
            smooth = with_less_motion(task, source, trajectory, (seed is not None, False))
        return max((without_jump(source, path, smooth), without_jump(source, path, trajectory)), key=progress)

    def _extrapolated(self, before: Array, q: Array) -> Array:
        """Extrapolate each configuration linearly, clipped to the limits."""
        return np.clip(q + (q - before), self.source.lower, self.source.upper)

    def _inwards(self, before: Array, q: Array) -> Array:
        """Move each configuration away from its limits along its null space."""
        low, high = self.source.lower, self.source.upper
        with np.errstate(invalid="ignore"):
            away = np.where(np.isfinite(low) & np.isfinite(high), (0.5 * (low + high) - q) / (high - low), 0.0)
        J = self.task.arm.jacobian(q)
        along = away - np.einsum("kij,kj->ki", np.linalg.pinv(J, rcond=1e-3), np.einsum("kij,kj->ki", J, away))
        return np.asarray(np.clip(q + INWARDS * along, low, high))

    def _first_postures(self, t: float, seed: Array | None) -> Array:
        """Return configurations at a time of the path, from random seeds, for an arm whose configurations cannot be listed."""
        rng = np.random.default_rng(0)
        low = np.where(np.isfinite(self.source.lower), self.source.lower, -np.pi)
        high = np.where(np.isfinite(self.source.upper), self.source.upper, np.pi)
        first = self.task.arm.home if seed is None else seed
        seeds = np.vstack([first, rng.uniform(low, high, (WARM_STARTS - 1, self.task.arm.n))])
        q, ok = self.source.solve_near(np.broadcast_to(self.task.path.at(t), (len(seeds), 4, 4)), seeds)
        return q[ok]

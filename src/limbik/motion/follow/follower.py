"""Choose the configuration (posture) of an arm at every frame of a path, by a planner for the kind of arm.

Non-redundant arms: all branches at every frame, see `branch_planning`. One redundant joint and a closed form: see
`redundant_follower`. Other arms, and paths without a complete plan or without one from the seed: warm starts.
"""

from typing import TYPE_CHECKING

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.follow.branch_planning import plan_on_branches
from limbik.motion.follow.planner import Course, joined
from limbik.motion.follow.posture_sources import Branches
from limbik.motion.follow.postures import copied, some
from limbik.motion.follow.task import FollowTask
from limbik.motion.follow.tracing import Lead, trace
from limbik.motion.follow.trajectory_laws import begins, progress, without_jump
from limbik.motion.follow.trajectory_shaping import with_less_motion
from limbik.motion.path import Path
from limbik.solvers.all_postures import closed_form
from limbik.solvers.preference import Valid
from limbik.solvers.table.finder import POSE_JOINTS

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# The number of starts of a trajectory by warm starts.
WARM_STARTS = 32
# The number of postures traced by warm starts where the plan ends, and the distance that they move away from limits [rad].
TRACED, INWARDS = 64, 0.02
# The number of postures, and of 2-pi copies of each, for the test whether `valid` depends on whole turns.
ASKED, COPIES_ASKED = 24, 12


class Follower:
    """Follows a path with an arm.

    task: the query. source: the source of configurations. closed: whether the last trajectory should return to its start.
    kind: the class of the source; `plan`: the planner.
    """

    kind: type[Branches] = Branches

    def __init__(
        self, arm: "Chain", path: Path, rate: float, seed: Array | None, limits: bool, valid: Valid | None, speed: Array
    ) -> None:
        self.task = FollowTask(arm, path, rate, seed, limits, valid, speed)
        self.closed = False
        self._turns = False  # whether `valid` is called for every 2-pi copy
        self.source = self._make_source()

    def _make_source(self) -> Branches:
        task = self.task
        return self.kind(task.arm, task.limits, task.start, task.valid, task.speed, 1, self._turns)

    @staticmethod
    def plan(task: FollowTask, source: Branches, frames: Array, seed: Array | None, closed: bool) -> Course:
        """Return the best planned trajectory along some frames."""
        return plan_on_branches(task, source, frames, seed, closed)

    def course(self, allow: bool, closed: bool) -> Course:
        """Return the best trajectory. allow: with jumps if necessary. closed: return to its start, if possible.

        Following each smooth trajectory to its end, and jumping only there, needs the fewest jumps.
        """
        self.closed = closed
        frames = self.task.frames
        course = self._smooth_course(frames, self.task.seed, closed)
        if not allow or course.whole or not len(course.q):
            return course
        parts = [course]
        while not course.whole and len(course.q):
            left = frames[frames > course.times[-1]]
            if not len(left):
                break
            course = self._smooth_course(left, course.q[-1], False)
            if len(course.q):
                parts.append(course)
        return joined(parts)

    def _smooth_course(self, frames: Array, seed: Array | None, closed: bool) -> Course:
        """Return the best trajectory along some frames, from near a configuration: planned, else by warm starts."""
        task, arm, path = self.task, self.task.arm, self.task.path
        listed = self.source.listed
        first = path.at(frames[0])
        best = self.plan(task, self.source, frames, seed, closed) if listed else None
        if best is not None and not (best.whole and self.source.may(best.q).all()) and self._turns_matter(frames):
            self._turns, refused = True, self.source.refused
            self.source = self._make_source()
            self.source.refused = refused
            again = self.plan(task, self.source, frames, seed, closed)
            if progress(again) >= progress(best):
                best = again
        source = self.source
        if best is not None and (not len(best.q) or (best.whole and (closed or begins(source, path, best, seed)))):
            return best
        if best is not None and best.empty and closed_form(arm.model) is not None:
            return best  # no method reaches the next pose
        leads = (None, self._ahead, self._inwards)[: 3 if arm.n > POSE_JOINTS else 2]
        own = source.at_seed(first, seed).q if seed is not None else np.zeros((0, arm.n))
        every = source.postures(first[None]).q if listed else self._first_postures(float(frames[0]), seed)
        for starts in (own, some(every, TRACED)):
            for lead in leads:
                if best is not None and best.whole and (starts is not own or begins(source, path, best, seed)):
                    return best
                if best is None or len(starts):
                    found = self._traced(frames, starts, seed, lead)
                    # a trajectory that is not longer is better only by its start
                    at_seed = starts is own and found.whole and begins(source, path, found, seed)
                    if best is None or at_seed or progress(found) > progress(best):
                        best = found
        assert best is not None
        return best

    def _turns_matter(self, frames: Array) -> bool:
        """Return whether `valid` depends on whole turns, tested on some postures and their 2-pi copies."""
        source, valid = self.source, self.task.valid
        if valid is None or self._turns or not source.wound.any():
            return False
        found = source.every(self.task.path.at(some(frames, ASKED)))
        found = found.only(some(np.arange(len(found.q)), ASKED))
        for q in found.q:
            turned = copied(found.only(slice(0, 1))._replace(q=q[None]), source.lower, source.upper, source.wound)[0].q
            said = {bool(valid(x)) for x in (q, *some(turned, COPIES_ASKED))}
            if len(said) > 1:
                return True
        return False

    def _traced(self, frames: Array, starts: Array, seed: Array | None, lead: Lead | None) -> Course:
        """Return the best trajectory by warm starts."""
        task, source, path = self.task, self.source, self.task.path
        course = trace(source, path, frames, starts, seed, task.valid, lead)
        smooth = course
        if course.whole and task.arm.n > POSE_JOINTS:
            smooth = with_less_motion(task, source, course, (seed is not None, False))
        return max((without_jump(source, path, smooth), without_jump(source, path, course)), key=progress)

    def _ahead(self, before: Array, q: Array) -> Array:
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
        """Return configurations at a time of the path, for an arm whose configurations cannot be listed."""
        rng = np.random.default_rng(0)
        low = np.where(np.isfinite(self.source.lower), self.source.lower, -np.pi)
        high = np.where(np.isfinite(self.source.upper), self.source.upper, np.pi)
        first = self.task.arm.home if seed is None else seed
        seeds = np.vstack([first, rng.uniform(low, high, (WARM_STARTS - 1, self.task.arm.n))])
        q, ok = self.source.settle(np.broadcast_to(self.task.path.at(t), (len(seeds), 4, 4)), seeds)
        return q[ok]

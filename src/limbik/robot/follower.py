"""Which posture an arm takes at every frame of a path: planning for what the arm is.

As many joints as a pose needs: all branches at every frame. One more, and a closed form: see `family_follower`. Anything else,
and where no plan leads to the end or none from the seed: warm starts. Whatever is found is held to the law of `continuity`: a
step that stands out is proven to be continuous, or planned again without.
"""

import itertools
import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.continuity import jumps_of
from limbik.motion.course import Course, Planner, joined
from limbik.motion.path import Path
from limbik.motion.postures import copied, some
from limbik.motion.slack import smoothed
from limbik.motion.tracing import Lead, trace
from limbik.robot.looking_up import POSE_JOINTS
from limbik.robot.open_family import held_still
from limbik.robot.posture_sources import Branches
from limbik.solvers.preference import Valid

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# The farthest that a tip moves and turns from one layer to the next [parts of the reach, rad].
LAYER_LENGTH, LAYER_ANGLE = 0.05, 0.1
# Starts that are tried for a course that returns to its start, and for one that goes by warm starts.
MOST_STARTS, WARM_STARTS = 24, 32
# How often a plan is made again without the jumps that were found in it.
MOST_TRIES = 12
# Postures that are led along by warm starts where no plan leads on, and how far they slide away from limits [rad].
TRACED, INWARDS = 64, 0.02
# Postures whose whole turns are shown to the caller's function, and turns of each, to see whether it tells them apart.
ASKED, COPIES_ASKED = 24, 12
# A course that ends this near its start returns to it [rad, or parts of the reach].
RETURNED = 1e-6


class Follower:
    """An arm, a path, and what is wanted of the way along it."""

    def __init__(
        self, arm: "Chain", path: Path, rate: float, seed: Array | None, limits: bool, valid: Valid | None, speed: Array
    ) -> None:
        self.arm, self.path, self.rate, self.seed, self.limits = arm, path, rate, seed, limits
        self._valid, self._speed = valid, speed
        self.closed = False
        self._turns = False  # whether the caller's function is asked about every whole turn
        self.frames = np.linspace(0.0, path.duration, max(math.ceil(path.duration * rate - 1e-6), 1) + 1)
        self.source = self._source(1)

    def _source(self, finer: int) -> Branches:
        return Branches(self.arm, self.limits, self._start, self._valid, self._speed, 1, self._turns)

    @property
    def _start(self) -> Array:
        return self.arm.home if self.seed is None else self.seed

    def course(self, allow: bool, closed: bool) -> Course:
        """Return the best course. allow: with jumps where there is no other. closed: back to its start, if that can be.

        Going as far as a smooth course leads, and jumping only there, needs the fewest jumps.
        """
        self.closed = closed
        course = self._smooth_course(self.frames, self.seed, closed)
        if not allow or course.whole or not len(course.q):
            return course
        parts = [course]
        while not course.whole and len(course.q):
            left = self.frames[self.frames > course.times[-1]]
            if not len(left):
                break
            course = self._smooth_course(left, course.q[-1], False)
            if len(course.q):
                parts.append(course)
        return joined(parts)

    def _smooth_course(self, frames: Array, seed: Array | None, closed: bool) -> Course:
        """Return the best course along some frames, from near a posture: by a plan, else by warm starts."""
        listed = self.source.listed
        first = self.path.at(frames[0])
        best = self._planned(frames, seed, closed) if listed else None
        if best is not None and not (best.whole and self.source.may(best.q).all()) and self._turns_matter(frames):
            self._turns, refused = True, self.source.refused
            self.source = self._source(1)
            self.source.refused = refused
            again = self._planned(frames, seed, closed)
            if progress(again) >= progress(best):
                best = again
        if best is not None and (not len(best.q) or (best.whole and (closed or self._begins(best, seed)))):
            return best
        if best is not None and best.empty and self.arm._form is not None:
            return best  # nobody reaches the next pose
        leads = (None, self._ahead, self._inwards)[: 3 if self.arm.n > POSE_JOINTS else 2]
        own = self.source.at_seed(first, seed).q if seed is not None else np.zeros((0, self.arm.n))
        every = self.source.postures(first[None]).q if listed else self._first_postures(float(frames[0]), seed)
        for starts in (own, some(every, TRACED)):
            for lead in leads:
                if best is not None and best.whole and (starts is not own or self._begins(best, seed)):
                    return best
                if best is None or len(starts):
                    found = self._traced(frames, starts, seed, lead)
                    # what comes no farther is no better, but for where it begins
                    begins = starts is own and found.whole and self._begins(found, seed)
                    if best is None or begins or progress(found) > progress(best):
                        best = found
        assert best is not None
        return best

    def _turns_matter(self, frames: Array) -> bool:
        """Tell whether the caller's function tells whole turns apart: asked about some postures, as they are and turned."""
        source = self.source
        if self._valid is None or self._turns or not source.wound.any():
            return False
        found = source.every(self.path.at(some(frames, ASKED)))
        found = found.only(some(np.arange(len(found.q)), ASKED))
        for q in found.q:
            turned = copied(found.only(slice(0, 1))._replace(q=q[None]), source.lower, source.upper, source.wound)[0].q
            said = {bool(self._valid(x)) for x in (q, *some(turned, COPIES_ASKED))}
            if len(said) > 1:
                return True
        return False

    def _traced(self, frames: Array, starts: Array, seed: Array | None, lead: Lead | None) -> Course:
        """Return the best course by warm starts."""
        course = trace(self.source, self.path, frames, starts, seed, self._valid, lead)
        smooth = self._smoothed(course, seed, False) if course.whole and self.arm.n > POSE_JOINTS else course
        return max((self._up_to_jumps(smooth), self._up_to_jumps(course)), key=progress)

    def _begins(self, course: Course, seed: Array | None) -> bool:
        """Tell whether a course begins at the seed, or at least as near as its first pose lets it."""
        if seed is None or not len(self.source.at_seed(self.path.at(course.times[0]), seed).q):
            return True
        return _apart(course.q[0], seed, self.source.weight) <= RETURNED

    def _ahead(self, before: Array, q: Array) -> Array:
        """Return where postures go that go on as they did."""
        return np.clip(q + (q - before), self.source.lower, self.source.upper)

    def _inwards(self, before: Array, q: Array) -> Array:
        """Return where postures go that slide away from their limits with the hand held still."""
        low, high = self.source.lower, self.source.upper
        with np.errstate(invalid="ignore"):
            away = np.where(np.isfinite(low) & np.isfinite(high), (0.5 * (low + high) - q) / (high - low), 0.0)
        J = self.arm.jacobian(q)
        along = away - np.einsum("kij,kj->ki", np.linalg.pinv(J, rcond=1e-3), np.einsum("kij,kj->ki", J, away))
        return np.asarray(np.clip(q + INWARDS * along, low, high))

    def _planned(self, frames: Array, seed: Array | None, closed: bool) -> Course:
        """Return the best course that a plan finds."""
        arm, source = self.arm, self.source
        layers = self._layers(frames)
        # of a sampled path only the frames are certain: first without what may lie between
        closer = (False, True) if self.path.sampled else (True,)
        planner, course = None, None
        # and first without all members of families: they are many, and most paths need none of them
        for close, members in itertools.product(closer, (False, True)):
            if (course is not None and course.whole) or (members and not (planner and planner.families)):
                continue
            source.members = members
            again = Planner(source, self.path, layers, seed, arm.home, closer=close)
            found = self._without_jumps(again)
            if course is None or progress(found) > progress(course):
                planner, course = again, found
        source.members = False
        assert planner is not None and course is not None
        course = self._returning(planner, course) if closed and course.whole else course
        return self._calmed(course)

    def _calmed(self, course: Course) -> Course:
        """Return the course with less motion where it is singular: there a family may be slid along in steps of any length."""
        if len(course.q) < 3:
            return course
        held = ~held_still(self.arm.jacobian(course.q))
        held[[0, -1]] = True
        if held.all():
            return course
        calm = self._slid(course, held)
        return course if len(self._jumps(calm)) else calm

    def _without_jumps(self, planner: Planner) -> Course:
        """Return the best course of a planner that holds no jump, or as much of one as comes before its first."""
        best: Course | None = None
        for tried in range(MOST_TRIES):
            course = planner.find()
            jumps = self._jumps(course)
            sure = self._up_to(course, jumps)
            if best is None or progress(sure) > progress(best):
                best = sure
            if not len(jumps):
                break
            for k in jumps:
                a, b = float(course.times[k - 1]), float(course.times[k])
                if min(course.branch[k - 1], course.branch[k]) >= 0 and course.branch[k - 1] != course.branch[k]:
                    around = (2**tried - 1) * (b - a)  # the branches may be as near beside it
                    planner.layers.hold_branch(a - around, b + around)
                else:
                    planner.layers.forbid(a, b, self._step(course, int(k)))
        assert best is not None
        return best

    def _jumps(self, course: Course) -> npt.NDArray[np.int64]:
        known = None if self.source.keys > 1 else course.branch
        return jumps_of(self.source, self.path, course.times, course.q, known)

    def _step(self, course: Course, k: int) -> float:
        return _apart(course.q[k], course.q[k - 1], self.source.weight)

    def _up_to_jumps(self, course: Course) -> Course:
        return self._up_to(course, self._jumps(course))

    def _up_to(self, course: Course, jumps: npt.NDArray[np.int64]) -> Course:
        """Return what comes before the first jump."""
        if not len(jumps):
            return course
        k = int(jumps[0])
        return replace(
            course, times=course.times[:k], q=course.q[:k], branch=course.branch[:k], jumped=course.jumped[:k],
            whole=False, empty=False, next=float(course.times[k]),
        )  # fmt: skip

    def _layers(self, frames: Array) -> Array:
        """Return the times of the frames, and times between them where these are far apart and the path is known there."""
        if self.path.sampled:
            return frames
        size = self.arm.model.reach.span or 1.0
        needed = max(self.path.length / (LAYER_LENGTH * size), self.path.angle / LAYER_ANGLE)
        times = max(1, math.ceil(needed / (len(self.frames) - 1)))
        places = np.arange((len(frames) - 1) * times + 1) / times
        return self._with_corners(np.interp(places, np.arange(len(frames)), frames))

    def _with_corners(self, times: Array) -> Array:
        inside = [t for t in self.path.corners if times[0] < t < times[-1]]
        return np.union1d(times, inside) if inside else times

    def _returning(self, planner: Planner, course: Course) -> Course:
        """Return a course that ends in its first posture, or the given one where there is none."""
        weight = self.source.weight
        if self._returned(course):
            return course
        starts = planner.first_postures()
        near = course.q[0] if self.seed is None else self.seed
        order = np.argsort(np.abs((starts - near) * weight).max(axis=1), kind="stable")
        half = MOST_STARTS // 2
        found: list[Course] = []
        for k in (*order[:half], *some(order[half:], half)):
            way = self._up_to_jumps(planner.find(begin=starts[k], end=starts[k]))
            if way.whole and self._returned(way):
                found.append(way)
                if self.seed is not None:  # the nearest of all
                    break
        return min(found, key=lambda c: c.energy, default=course)

    def _returned(self, course: Course) -> bool:
        """Tell whether a course ends in the posture that it began in."""
        return len(course.q) > 0 and _apart(course.q[0], course.q[-1], self.source.weight) <= RETURNED

    def _worth(self, course: Course, seed: Array | None, closed: bool) -> tuple[bool, float, bool, bool]:
        """Return what a course is worth, to be compared: how far it comes, whether it returns as it should, where it begins."""
        whole, far = progress(course)
        return whole, far, whole and closed and self._returned(course), whole and self._begins(course, seed)

    def _first_postures(self, t: float, seed: Array | None) -> Array:
        """Return postures at a time of the path, of an arm whose postures are endless."""
        rng = np.random.default_rng(0)
        low = np.where(np.isfinite(self.source.lower), self.source.lower, -np.pi)
        high = np.where(np.isfinite(self.source.upper), self.source.upper, np.pi)
        first = self.arm.home if seed is None else seed
        seeds = np.vstack([first, rng.uniform(low, high, (WARM_STARTS - 1, self.arm.n))])
        q, ok = self.source.settle(np.broadcast_to(self.path.at(t), (len(seeds), 4, 4)), seeds)
        return q[ok]

    def _smoothed(self, course: Course, seed: Array | None, closed: bool) -> Course:
        if len(course.q) < 3:
            return course
        held = np.zeros(len(course.q), np.bool_)
        held[0], held[-1] = seed is not None or closed, closed
        return self._slid(course, held)

    def _slid(self, course: Course, held: npt.NDArray[np.bool_]) -> Course:
        """Return the course with less motion, with the hand where it is. held: which postures stay as they are."""
        source = self.source
        settle = partial(source.settle, self.path.at(course.times))
        bounds = source.lower, source.upper, source.weight, source.speed
        q = smoothed(course.q, course.times, self.arm.jacobian, settle, *bounds, held)
        if self._valid is not None and not all(bool(self._valid(x)) for x in q):
            return course
        return replace(course, q=q)


def progress(course: Course) -> tuple[bool, float]:
    """Return how far a course comes, to be compared."""
    return course.whole, float(course.times[-1]) if len(course.q) else -math.inf


def _apart(a: Array, b: Array, weight: Array) -> float:
    return float(np.abs((a - b) * weight).max(initial=0.0))

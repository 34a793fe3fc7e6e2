"""Planning for an arm with a joint too many and a closed form: a family on a grid at few layers, the frames in between filled in.

What the grid leaves of steps is smoothed away (`motion/slack.py`). Where that leads nowhere it is tried on more layers and a
finer grid; where a jump was found in what was filled in, the frames about it take part in the plan and the jump is left out.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.motion.course import Course, Planner
from limbik.motion.open_layers import trace_layers
from limbik.robot.follower import MOST_TRIES, Follower
from limbik.robot.posture_sources import Family

# Layers that a family of postures is planned on, and by how much its grid is finer than usual.
FAMILY_LAYERS = ((80, 1), (250, 2), (2000, 3))
# How often a plan on the fewest layers is made again without the jumps that were found in it.
FIRST_TRIES = 4
# A posture between two layers is no farther than this from the straight way between them [rad, or parts of the reach].
BESIDE = 0.3
# A pose that is missed by more is out of reach, not at its edge [parts of the reach, rad].
CLEARLY = 1e-4
# The shortest step that is left out about a jump [rad, or parts of the reach].
LEAST_BOUND = 0.2


class FamilyFollower(Follower):
    """A follower that slides along the family of every branch."""

    def _source(self, finer: int) -> Family:
        return Family(self.arm, self.limits, self._start, self._valid, self._speed, finer, self._turns)

    def _planned(self, frames: Array, seed: Array | None, closed: bool) -> Course:
        """Return the best course that a plan finds: on few layers first."""
        best: Course | None = None
        every = self._layers(frames)
        for count, finer in FAMILY_LAYERS:
            source = self.source if finer == 1 else self._source(finer)
            layers = every[np.unique(np.linspace(0, len(every) - 1, min(count, len(every))).round().astype(int))]
            planner = Planner(source, self.path, layers, seed, self.arm.home)
            if finer > 1:
                trace_layers(planner.layers)
            for _ in range(MOST_TRIES if finer > 1 else FIRST_TRIES):
                course = planner.find()
                if closed and course.whole:
                    course = self._returning(planner, course)
                between = frames[(frames > course.times[-1]) & (frames < course.next)] if len(course.q) else frames[:0]
                if course.empty and len(between):  # as far as it goes
                    places = np.union1d(np.append(course.times, course.next), between)
                    course = Planner(source, self.path, places, seed, self.arm.home).find()
                jumps = np.zeros(0, np.int64)
                if len(course.q) > 1:
                    course = self._filled(frames, course, closed)
                    smooth = self._smoothed(course, seed, closed)
                    jumps = self._jumps(smooth)
                    if not len(jumps):
                        course = smooth
                    else:
                        jumps = self._jumps(course)
                sure = self._up_to(course, jumps)
                if best is None or self._worth(sure, seed, closed) > self._worth(best, seed, closed):
                    best = sure
                if not len(jumps):
                    break
                self._forbid(planner, frames, course, jumps)
            assert best is not None
            if best.whole and (finer > 1 or (self._begins(best, seed) and (not closed or self._returned(best)))):
                return best
            if course.empty and self._cannot_reach(min(course.next, self.path.duration), course):
                break
        assert best is not None
        return best

    def _forbid(self, planner: Planner, frames: Array, course: Course, jumps: npt.NDArray[np.int64]) -> None:
        """Let the frames about jumps take part in a plan, and leave the jumps out."""
        for k in jumps:
            a, b, length = float(course.times[k - 1]), float(course.times[k]), self._step(course, int(k))
            first, last = planner.layers.gap(a, b)
            inside = frames[(frames > first) & (frames < last)]
            planner.add_layers(np.append(inside, [a, b]))
            planner.layers.forbid(first, last, max(length, LEAST_BOUND))
            planner.layers.forbid(a, b, length)

    def _cannot_reach(self, t: float, course: Course) -> bool:
        """Tell whether a pose is clearly out of what an arm can do: a posture at the edge of it may escape a single solve."""
        answer = self.arm.solve(self.path.at(t), self.seed, limits=self.limits)
        far = max(answer.position_error / (self.arm.model.reach.span or 1.0), answer.rotation_error)
        if answer.ok or far <= CLEARLY:
            return False
        return not len(course.q) or not self.arm.solve(self.path.at(t), course.q[-1], "lm", limits=self.limits).ok

    def _filled(self, frames: Array, course: Course, closed: bool) -> Course:
        """Return the course with every frame of the path."""
        source = self.source
        at = self._with_corners(np.union1d(frames[frames <= course.times[-1]], course.times))
        q = np.stack([np.interp(at, course.times, course.q[:, j]) for j in range(self.arm.n)], axis=1)
        gap = np.flatnonzero(~np.isin(at, course.times))
        lost = at[:0]
        if len(gap):
            settled, ok = source.settle(self.path.at(at[gap]), np.clip(q[gap], source.lower, source.upper))
            near = np.abs((settled - q[gap]) * source.weight).max(axis=1) <= BESIDE
            q[gap] = settled
            fine = ok & near
            fine[fine] &= source.may(settled[fine])
            if not fine.all():
                lost = at[gap[~fine]]
                more = Planner(source, self.path, np.union1d(course.times, lost), course.q[0], self.arm.home).find()
                if more.whole and len(more.times) > len(course.times):
                    return self._filled(frames, more, closed)
                kept = at < lost[0]
                at, q = at[kept], q[kept]
        branch = course.branch[np.clip(np.searchsorted(course.times, at), 0, len(course.branch) - 1)]
        whole = bool(course.whole and at[-1] == frames[-1])
        none = np.zeros(len(at), np.bool_)
        follows = float(lost[0]) if len(lost) else course.next
        return replace(course, times=at, q=q, branch=branch, jumped=none, whole=whole, next=follows)

"""What an arm does with a path: `follow`."""

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from limbik._core import pose_error
from limbik.errors import BadOption, ShapeError, shown
from limbik.goals.subject import ROTATION_TOLERANCE, position_tolerance
from limbik.model.transform import Array, number, numbers
from limbik.motion.course import Course, Planner
from limbik.motion.path import Path, as_path
from limbik.motion.slack import smoothed
from limbik.motion.timing import Schedule, by_acceleration, by_speed
from limbik.motion.tracing import trace
from limbik.robot.broken import Broken, why_broken, why_jumped
from limbik.robot.looking_up import POSE_JOINTS
from limbik.robot.pneumatic import Pneumatic
from limbik.robot.posture_sources import Branches, Family
from limbik.solvers.answer import Status
from limbik.solvers.preference import Valid, checked_valid

if TYPE_CHECKING:
    from limbik.robot.followed import FollowedClip

# Layers that a family of postures is planned on, and by how much its grid is finer than usual; the frames in between are filled in.
FAMILY_LAYERS = ((80, 1), (250, 2), (2000, 3))
# A posture between two layers is no farther than this from the straight way between them [rad, or parts of the reach].
BESIDE = 0.3
# A frame between two known postures is no farther than this from the way between them [rad, or parts of the reach].
ON_COURSE = 0.05
# A pose that is missed by more is out of reach, not at its edge [parts of the reach, rad].
CLEARLY = 1e-4
# Starts that are tried for a course that returns to its start.
MOST_STARTS = 24
# A course that ends this near its start returns to it [rad, or parts of the reach].
RETURNED = 1e-6
# Frames that one clip may have.
MOST_FRAMES = 2_000_000
# Rounds in which a clip is slowed down until its frames keep every bound.
SLOWINGS = 6
REFUSE, ALLOW = "refuse", "allow"


class Following(Pneumatic):
    """The verb of a chain that is about paths."""

    def follow(
        self,
        path: Any,
        seed: Any = None,
        rate: float = 100.0,
        *,
        limits: bool = True,
        valid: Valid | None = None,
        jumps: str = REFUSE,
        closed: bool = False,
        velocity: Any = None,
        acceleration: Any = None,
        fastest: bool = False,
    ) -> "FollowedClip":
        """Return the motion that leads the tip along a path, a clip with `rate` frames a second.

        path: a Path, or poses (N, 4, 4), one a frame. The branch and the whole turns are chosen for all of it at once, and the swivel
        of a redundant arm: the smoothest course that keeps the limits. seed: where it should begin: the nearest posture from which
        the path can be followed; None leaves the choice free. valid: a function of q that says whether a posture may be used.

        jumps: where no smooth course leads on, "refuse" ends the clip there and says why; "allow" goes on from another posture, and
        `clip.jumps` lists the frames that cannot be reached smoothly from the one before. closed: end in the posture it began in,
        if that can be.

        velocity: the greatest speed of each joint [rad/s or m/s], one number or n; None takes the model's own. acceleration: likewise
        [rad/s^2]; None sets no bound, else the motion begins and ends at rest, and stops at corners. Where joints cannot keep up
        with the path's own time the clip takes longer; the path is not left. fastest: as fast as these bounds allow.

        Not following is an answer, not an error: see `clip.ok`, `clip.failed` and `clip.why`. Raises as `solve` does for misuse.
        """
        from limbik.robot.clip import checked_rate

        frequency = checked_rate(rate)
        way = as_path(path, frequency)
        frames = way.duration * frequency
        if not frames < MOST_FRAMES:
            raise BadOption(f"{frames:.3g} frames are too many for one clip; follow the path in parts, or lower rate=")
        if jumps not in (REFUSE, ALLOW):
            raise BadOption(f"jumps={shown(jumps)} is not known; use '{REFUSE}' or '{ALLOW}'")
        for name, value in (("closed", closed), ("fastest", fastest), ("limits", limits)):
            if not isinstance(value, bool | np.bool_):
                raise BadOption(f"{name}={shown(value)}: True or False")
        speed = self._bound_of(velocity, self.velocity, "velocity")
        most = self._bound_of(acceleration, np.full(self.n, np.inf), "acceleration")
        if fastest and not (np.isfinite(speed).all() or np.isfinite(most).all()):
            raise BadOption(f"fastest=True needs bounds: give velocity= or acceleration= for '{self.name}'")
        start = None if seed is None else self._kernel.checked(seed)
        if start is not None and start.shape != (self.n,):
            raise ShapeError(f"the seed has shape {start.shape}, but '{self.name}' has n = {self.n} joint values")
        times = np.linspace(0.0, way.duration, max(math.ceil(frames - 1e-6), 1) + 1)
        source = self._source(bool(limits), start, checked_valid(valid), np.full(self.n, np.inf) if fastest else speed)
        course = self._plan(source, way, times, start, jumps == ALLOW, bool(closed), checked_valid(valid))
        return self._clip(source, way, times, course, frequency, speed, most, bool(fastest), jumps == ALLOW)

    # ---- which posture -------------------------------------------------------------------------------------------------

    def _source(self, limits: bool, seed: Array | None, valid: Valid | None, speed: Array) -> Branches:
        start = self.home if seed is None else seed
        if self._solvers(limits).form is not None and self.redundancy is not None:
            return Family(self, limits, start, valid, speed)
        return Branches(self, limits, start, valid, speed)

    def _plan(
        self, source: Branches, path: Path, times: Array, seed: Array | None, allow: bool, closed: bool, valid: Valid | None
    ) -> Course:
        if self._form is None and (self.n > POSE_JOINTS or not self._one_axis.all()):
            course = trace(source, path, times, self._starts(path.at(0.0), seed, source), seed, valid, allow)
            return self._smoothed(source, path, course, seed) if course.whole and self.n > POSE_JOINTS else course
        if isinstance(source, Family):
            return self._plan_family(source, path, times, seed, allow, closed)
        planner = Planner(source, path, times, seed, self.home)
        course = planner.find()
        if closed and course.whole:
            course = self._returning(source, planner, course)
        return planner.find_with_jumps() if not course.whole and allow else course

    def _plan_family(
        self, source: Family, path: Path, times: Array, seed: Array | None, allow: bool, closed: bool
    ) -> Course:
        """Return the course of a redundant arm: on few layers and a coarse grid, and on finer ones where that leads nowhere."""
        best = None
        for count, finer in FAMILY_LAYERS:
            grid = source if finer == 1 else Family(self, source._limits, source._seed, source._valid, source.speed, finer)
            layers = times[np.unique(np.linspace(0, len(times) - 1, min(count, len(times))).round().astype(int))]
            planner = Planner(grid, path, layers, seed, self.home)
            if finer > 1:
                planner.trace_layers()
            course = planner.find()
            if closed and course.whole:
                course = self._returning(grid, planner, course)
            if len(course.q) > 1:
                course = self._filled(grid, path, times, course, seed, closed)
            if course.whole:
                return course
            if best is None or len(course.q) and course.times[-1] > (best.times[-1] if len(best.q) else -1.0):
                best = course
            if course.empty and self._cannot_reach(path.at(min(course.next, path.duration)), source):
                break
        if allow:
            course = planner.find_with_jumps()
            return self._filled(grid, path, times, course, seed, closed) if len(course.q) > 1 else course
        assert best is not None
        return best

    def _cannot_reach(self, T: Array, source: Branches) -> bool:
        """Tell whether a pose is clearly out of what an arm can do: a posture at the edge of it may escape a single solve."""
        answer = self.solve(T, source._seed, limits=source._limits)
        return not answer.ok and max(answer.position_error / (self._reach.span or 1.0), answer.rotation_error) > CLEARLY

    def _returning(self, source: Branches, planner: Planner, course: Course) -> Course:
        """Return a course that ends in its first posture, or the given one where there is none."""
        if _apart(course.q[0], course.q[-1], source.weight) <= RETURNED:
            return course
        starts = planner.first_postures()
        order = np.argsort(np.abs((starts - course.q[0]) * source.weight).max(axis=1), kind="stable")[:MOST_STARTS]
        found = [planner.find(begin=starts[k], end=starts[k]) for k in order]
        back = [c for c in found if c.whole and _apart(c.q[0], c.q[-1], source.weight) <= RETURNED]
        return min(back, key=lambda c: c.energy, default=course)

    def _starts(self, T: Array, seed: Array | None, source: Branches) -> Array:
        """Return postures at the beginning of a path, of an arm whose postures are endless."""
        rng = np.random.default_rng(0)
        low = np.where(np.isfinite(source.lower), source.lower, -np.pi)
        high = np.where(np.isfinite(source.upper), source.upper, np.pi)
        first = self.home if seed is None else seed
        seeds = np.vstack([first, rng.uniform(low, high, (31, self.n))])
        q, ok = source.settle(np.broadcast_to(T, (len(seeds), 4, 4)), seeds)
        return q[ok]

    def _filled(
        self, source: Family, path: Path, times: Array, course: Course, seed: Array | None, closed: bool
    ) -> Course:
        """Return the course with every frame of the path, smoothed."""
        frames = times[times <= course.times[-1]]
        at = np.union1d(frames, course.times)
        q = np.stack([np.interp(at, course.times, course.q[:, j]) for j in range(self.n)], axis=1)
        known = np.isin(at, course.times)
        gap = np.flatnonzero(~known)
        if len(gap):
            settled, ok = source.settle(path.at(at[gap]), np.clip(q[gap], source.lower, source.upper))
            near = np.abs((settled - q[gap]) * source.weight).max(axis=1) <= BESIDE
            q[gap] = settled
            if not (ok & near).all():
                lost = at[gap[~(ok & near)]]
                more = Planner(source, path, np.union1d(course.times, lost), course.q[0], self.home).find()
                if more.whole and len(more.times) > len(course.times):
                    return self._filled(source, path, times, more, seed, closed)
                kept = at < lost[0]
                at, q, known = at[kept], q[kept], known[kept]
        jumped = np.zeros(len(at), np.bool_)
        jumped[np.isin(at, course.times[course.jumped])] = True
        branch = course.branch[np.clip(np.searchsorted(course.times, at), 0, len(course.branch) - 1)]
        whole = bool(course.whole and at[-1] == times[-1])
        full = Course(at, q, branch, jumped, whole, course.empty, course.next, course.energy)
        return self._smoothed(source, path, full, seed, closed)

    def _smoothed(
        self, source: Branches, path: Path, course: Course, seed: Array | None, closed: bool = False
    ) -> Course:
        held = np.array(course.jumped)
        held[:-1] |= course.jumped[1:]
        if seed is not None or closed:
            held[0] = True
        if closed:
            held[-1] = True
        if len(course.q) < 3:
            return course
        Ts = path.at(course.times)
        q = smoothed(course.q, course.times, self.jacobian, partial(source.settle, Ts), source.lower, source.upper, source.weight, source.speed, held)
        if source._valid is not None and not all(bool(source._valid(x)) for x in q):
            return course
        return Course(course.times, q, course.branch, course.jumped, course.whole, course.empty, course.next, course.energy)

    # ---- how fast ------------------------------------------------------------------------------------------------------

    def _bound_of(self, given: Any, own: Array, what: str) -> Array:
        if given is None:
            return own
        bound = numbers(given, f"{what} must be one number or {self.n} numbers")
        if bound.shape not in ((), (self.n,)):
            raise ShapeError(f"{what} must be one number or {self.n} numbers; got shape {bound.shape}")
        if not (bound > 0).all():
            raise BadOption(f"{what}={shown(given)}: bounds are above 0; inf for none")
        return np.array(np.broadcast_to(bound, (self.n,)))

    def _clip(
        self,
        source: Branches,
        path: Path,
        frames: Array,
        course: Course,
        rate: float,
        speed: Array,
        most: Array,
        fastest: bool,
        allow: bool,
    ) -> "FollowedClip":
        from limbik.robot.followed import FollowedClip, Outcome

        chain: Any = self
        if not len(course.q):
            answer = self.solve(path.at(0.0), source._seed, limits=source._limits)
            broken = why_broken(chain, source, path, frames, course, 0)
            errors = np.array([answer.position_error]), np.array([answer.rotation_error])
            outcome = Outcome(broken.status, broken.why, 0, len(frames))
            return FollowedClip.made(chain, answer.q[None], np.zeros(1), np.zeros(1), errors, [-1], (), outcome)
        rows = np.flatnonzero(np.isin(course.times, frames))
        places, q, branch = course.times[rows], course.q[rows], course.branch[rows]
        leaps = [int(np.searchsorted(places, t)) for t in course.times[course.jumped]]
        leaps = sorted({k for k in leaps if 0 < k < len(places)})
        times, note = places - places[0], ""
        bounded = np.isfinite(speed).any() or np.isfinite(most).any()
        if bounded and len(places) > 1 and not leaps:
            timed = self._timed(source, path, course, places, q, rate, speed, most, fastest)
            if timed is not None:
                times, places, q = timed
                branch = course.branch[np.clip(np.searchsorted(course.times, places), 0, len(course.branch) - 1)]
                note = f"; it takes {times[-1]:.4g} s instead of {course.times[rows[-1]]:.4g} s, as fast as the joints may"
        if np.unique(places).size < len(places) and len(places) > 1 and not (np.diff(times) > 0).all():
            raise AssertionError("times must rise")
        error = np.asarray(pose_error(self.forward(q), path.at(places))).reshape(-1, 6)
        errors = np.linalg.norm(error[:, :3], axis=1), np.linalg.norm(error[:, 3:], axis=1)
        good = (errors[0] <= position_tolerance(self._reach)) & (errors[1] <= ROTATION_TOLERANCE)
        if source._limits:
            good &= self.within_limits(q)
        broken = Broken(Status.SOLVED, "", None)
        if not good.all() or not course.whole:
            keep = int(np.argmin(good)) if not good.all() else len(q)
            broken = why_broken(chain, source, path, frames, course, keep)
            keep = max(keep, 1)
            q, times, places, branch = q[:keep], times[:keep], places[:keep], branch[:keep]
            errors = errors[0][:keep], errors[1][:keep]
            leaps = [k for k in leaps if k < keep]
        why = broken.why
        if broken.failed is None:
            why = f"followed {len(q)} frames{note}"
        if leaps:
            why += "; " + "; ".join(why_jumped(chain, source, q, places, path, k) for k in leaps)
        outcome = Outcome(broken.status, why, broken.failed, len(frames) if broken.failed is not None else len(q))
        return FollowedClip.made(chain, q, times, places, errors, branch, tuple(leaps), outcome)

    def _timed(
        self,
        source: Branches,
        path: Path,
        course: Course,
        places: Array,
        q: Array,
        rate: float,
        speed: Array,
        most: Array,
        fastest: bool,
    ) -> tuple[Array, Array, Array] | None:
        """Return times, places and postures that keep the bounds; None where the path's own time does already."""
        if not fastest and not np.isfinite(most).any() and _worst(q, places, speed, most) <= 1.0:
            return None
        end = int(np.searchsorted(course.times, places[-1]))
        grid, through = course.times[: end + 1], course.q[: end + 1]
        if np.isfinite(most).any():
            stops = np.array([t for t in path.corners if grid[0] < t < grid[-1]])
            schedule = by_acceleration(grid, through, speed, most, stops, fastest)
        else:
            schedule = by_speed(grid, through, speed, fastest)
        slower = 1.0
        for _ in range(SLOWINGS):
            times = np.linspace(0.0, slower * schedule.duration, max(math.ceil(slower * schedule.duration * rate - 1e-6), 1) + 1)
            if len(times) > MOST_FRAMES:
                break
            where = schedule.place(times / slower)
            where[-1] = grid[-1]
            seeds = np.stack([np.interp(where, grid, through[:, j]) for j in range(self.n)], axis=1)
            postures, ok = source.settle(path.at(where), np.clip(seeds, source.lower, source.upper))
            if not ok.all() or np.abs((postures - seeds) * source.weight).max() > ON_COURSE:
                break
            worst = _worst(postures, times, speed, most)
            if worst <= 1.0:
                return times, where, postures
            slower *= worst * (1.0 + 1e-6)
        # the places in between are not all to be had: the frames as they are, later
        times = np.interp(places, schedule.places, schedule.times)
        for _ in range(SLOWINGS):
            times = times * max(1.0, _worst(q, times, speed, most) * (1.0 + 1e-9))
        return times, places, q


def _apart(a: Array, b: Array, weight: Array) -> float:
    return float(np.abs((a - b) * weight).max(initial=0.0))


def _worst(q: Array, times: Array, speed: Array, acceleration: Array) -> float:
    """Return by how much the frames exceed their bounds: a factor on time that would cure it, 1 where they keep them."""
    if len(q) < 2:
        return 1.0
    v = np.diff(q, axis=0) / np.diff(times)[:, None]
    worst = float((np.abs(v) / speed).max(initial=0.0))
    if np.isfinite(acceleration).any():
        # at rest before the first frame and after the last
        still = np.zeros((1, q.shape[1]))
        spans = np.diff(times)
        between = 0.5 * (np.append(spans, spans[-1]) + np.append(spans[0], spans))
        a = np.diff(np.vstack([still, v, still]), axis=0) / between[:, None]
        worst = max(worst, math.sqrt(float((np.abs(a) / acceleration).max(initial=0.0))))
    return worst

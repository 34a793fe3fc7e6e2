"""What chains and skeletons do with goals: several at once, weighed or in order, for one tip or many."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.geometry.se3 import matrices
from limbik.goals.clearance import Clearance, Obstacles
from limbik.goals.goal import Goal, checked_goals
from limbik.goals.orientation import Orientation
from limbik.goals.plan import Plan, make_plan
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.model import Model
from limbik.model.reach import reach
from limbik.motion.track import FULL_SPEED, Step
from limbik.robot.blocking import coverings, proof_of_collision
from limbik.robot.colliding import Colliding
from limbik.robot.known_postures import among_known
from limbik.solvers.budget import Budget
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.iterative.many_goals import ATTEMPTS, plans
from limbik.solvers.preference import Preference, Score, Valid, checked_score, checked_valid

NEAREST = "nearest"
# How much of a tolerance is made free where goals cannot be met exactly.
LOOSE = 0.9

Named = Mapping[str, Any] | Iterable[str]
Frozen = Named | None
Goals = Goal | Sequence[Goal] | Mapping[str, Any]


class Pursuing(Colliding):
    """A mechanism that can be given goals."""

    def _known_postures(self, T: Array, limits: bool) -> tuple[Array, bool]:
        """Return postures whose tip is at T, (k, n), and whether there are no others."""
        return np.zeros((0, self.n)), False

    def track(
        self,
        q: Any,
        target: Any,
        dt: float,
        *,
        speed: Any = None,
        limits: bool = True,
        frozen: Frozen = None,
        obstacles: Obstacles | None = None,
    ) -> Step:
        """Return one bounded step from q towards a target that may move: what a teleoperation or a control loop calls.

        target: a pose of the tip, (4, 4), or goals, one or several, or {frame: pose or point}. dt: the time of the step [s].
        speed: the greatest speed of each joint [rad/s or m/s], one number or n; None takes `velocity`, the model's own, which is
        infinite where none is known. limits: keep joint limits; a joint outside comes back no faster than it may. frozen: joints
        that do not move, by name. obstacles: Spheres, Capsules and Boxes to keep off, as far as the target allows;
        `step.unchecked` names the links that are not seen. Wishes (a Posture ...) move what the other goals leave free.

        A step takes a bounded time, never jumps and is never an error: a target out of reach is followed as near as it gets.
        """
        if isinstance(target, Iterator):
            target = list(target)
        goals = self._goals(target) if type(target) is not np.ndarray and is_goals(target) else (Pose.at(None, target),)
        if obstacles is not None:
            goals = (*goals, Clearance(obstacles))
        if len(goals) > 1 and any(isinstance(goal, Clearance) for goal in goals):  # what is in the way comes first
            goals = tuple(g if isinstance(g, Clearance) else replace(g, priority=g.priority + 1) for g in goals)
        if not isinstance(limits, bool | np.bool_):
            raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
        time = number(dt, "dt")
        start = np.asarray(q, np.float64) if isinstance(q, Step) else q
        if frozen is None:
            held: tuple[int, ...] = ()
        else:
            start, held = self._start(start, frozen, False)
        most = self._speeds(speed)
        held += tuple(j for j, v in enumerate(most) if v == 0.0 and j not in held)
        plan = make_plan(goals, self.model)
        tracker = plans(self.model).tracker(plan.key, limits=bool(limits), frozen=held, speed=most)
        moved, missing, _ = tracker.step(plan.aims, start, time)
        errors, met = plan.results(missing)
        velocity = self.model.kernel.difference(start, moved) / time
        with np.errstate(invalid="ignore"):
            at_speed = np.abs(velocity) >= FULL_SPEED * np.array(most)
        return Step(moved, velocity, plan.goals, errors, met, at_speed, unchecked(goals, self.model))

    def _speeds(self, given: Any) -> tuple[float, ...]:
        """Return the greatest speed of each number of q. Raises BadOption."""
        if given is None:
            return self._own_speeds
        speeds = numbers(given, f"speed must be one number or {self.n} numbers")
        if speeds.shape not in ((), (self.n,)):
            raise ShapeError(f"speed must be one number or {self.n} numbers; got shape {speeds.shape}")
        if not (speeds >= 0).all():
            raise BadOption(f"speed={shown(given)}: speeds are not below 0")
        return self._by_joint(np.broadcast_to(speeds, (self.n,)))

    def _by_joint(self, speeds: Array) -> tuple[float, ...]:
        """Return speeds with one for all numbers of a rotation or a shift: the least that was given."""
        out = np.array(speeds)
        for v in self.model.compiled.variables:
            for first in range(v.first, v.first + v.joint.kind.size, 3) if v.joint.kind.size > 1 else ():
                out[first : first + 3] = out[first : first + 3].min()
        return tuple(out.tolist())

    @cached_property
    def _own_speeds(self) -> tuple[float, ...]:
        return self._by_joint(self.velocity)

    def _pursue(
        self,
        goals: tuple[Goal, ...],
        seed: Any,
        *,
        limits: object = True,
        frozen: Frozen = None,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        seconds: float | None = None,
    ) -> GoalAnswer:
        """Return the posture that meets the goals, or the best compromise, and what that does not hold for."""
        answer = self._sought(goals, seed, limits, frozen, valid, prefer, seconds)
        left_out = unchecked(goals, self.model)
        return answer if left_out is NOTHING else replace(answer, unchecked=left_out)

    def _sought(
        self,
        goals: tuple[Goal, ...],
        seed: Any,
        limits: object,
        frozen: Frozen,
        valid: Valid | None,
        prefer: str | Score,
        seconds: float | None,
    ) -> GoalAnswer:
        if not isinstance(limits, bool | np.bool_):
            raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
        budget = Budget(seconds)
        preference = Preference(checked_valid(valid), self._score(prefer))
        start, held = self._start(seed, frozen, bool(limits))
        plan = make_plan(goals, self.model)

        def attempts(first: int) -> GoalAnswer:
            return self._attempts(plan, start, held, bool(limits), first, budget)

        answer = attempts(0)
        solved = answer.ok
        if not solved and not answer.timed_out:
            answer = self._within_tolerances(plan, answer, start, held, bool(limits), budget)
            solved = answer.ok
        if not solved and not held and any(isinstance(goal, Clearance) and goal.required for goal in goals):
            known = among_known(self, plan, bool(limits), answer.tried, budget)
            answer = answer if known is None else known  # an answer that is not ok is false
            if answer.proof:
                return answer
            solved = answer.ok
        if solved:
            if preference == Preference():
                return answer
            picked = preference.pick(answer, attempts, budget)
            if picked.ok or all(goal.required for goal in goals):
                return picked
            return self._without_wishes(plan, picked, start, held, bool(limits), preference, budget)
        if answer.timed_out:
            return answer
        answer = self._nearest_pose(plan, answer, start, held, bool(limits), budget)
        others = tuple(goal for goal in goals if not isinstance(goal, Clearance))
        if len(others) < len(goals) and (not others or self._meets(others, start, held, bool(limits), budget)):
            proof = proof_of_collision(goals, self.model)
            if proof:
                return replace(answer, status=Status.BLOCKED, hindered=True, proof=proof)
            return replace(answer, hindered=True, note=coverings(goals, self.model))
        return answer

    def _measured(self, plan: Plan, found: GoalAnswer, held: tuple[int, ...], limits: bool) -> GoalAnswer:
        """Return an answer to other goals as one to these: the same posture, what these goals miss there."""
        errors, met = plan.results(
            plans(self.model).solver(plan.key, limits=limits, frozen=held).errors(plan.aims, found.q)
        )
        return replace(found, goals=plan.goals, errors=errors, met=met)

    def _within_tolerances(
        self, plan: Plan, answer: GoalAnswer, start: Array, held: tuple[int, ...], limits: bool, budget: Budget
    ) -> GoalAnswer:
        """Try again with most of the tolerances that were asked for made free: goals that fight may all be met inside them."""
        loose = tuple(goal.widened(LOOSE, self.model) if goal.required else goal for goal in plan.goals)
        if all(a is b for a, b in zip(loose, plan.goals, strict=True)):
            return answer
        found = self._attempts(make_plan(loose, self.model), start, held, limits, 0, budget)
        if not found.ok:
            return answer
        found = self._measured(plan, found, held, limits)
        needed = (met for goal, met in zip(plan.goals, found.met, strict=True) if goal.required)
        return found if all(needed) else answer

    def _without_wishes(
        self,
        plan: Plan,
        refused: GoalAnswer,
        start: Array,
        held: tuple[int, ...],
        limits: bool,
        preference: Preference,
        budget: Budget,
    ) -> GoalAnswer:
        """Ask `valid` about postures that serve no wish: a wish may lead every attempt to the same refused one."""
        needed = make_plan([goal for goal in plan.goals if goal.required], self.model)

        def attempts(first: int) -> GoalAnswer:
            return self._attempts(needed, start, held, limits, first, budget)

        picked = preference.pick(attempts(0), attempts, budget)
        return self._measured(plan, picked, held, limits) if picked.ok else refused

    def _nearest_pose(
        self, plan: Plan, answer: GoalAnswer, start: Array, held: tuple[int, ...], limits: bool, budget: Budget
    ) -> GoalAnswer:
        """Return the nearest posture to one pose that is not reached: by position first, then by rotation, as `solve` has it."""
        needed = [goal for goal in plan.goals if goal.required and not isinstance(goal, Clearance)]
        if len(needed) != 1 or not isinstance(needed[0], Pose) or needed[0].weight != 1.0 or answer.timed_out:
            return answer
        pose = needed[0]
        options = {"relative_to": pose.relative_to}
        (near, turned), (free, angle) = pose._tolerances(self.model), pose._each(pose.range, "range")
        apart: list[Goal] = [
            Position(pose.frame, pose.T[:3, 3], tolerance=near, range=free, priority=0, **options),
            Orientation(pose.frame, pose.T, tolerance=turned, range=angle, priority=1, **options),
        ]
        apart += [
            replace(goal, priority=goal.priority + (0 if isinstance(goal, Clearance) else 2))
            for goal in plan.goals
            if goal is not pose
        ]
        found = self._attempts(make_plan(apart, self.model), start, held, limits, 0, budget)
        return replace(self._measured(plan, found, held, limits), status=answer.status, attempt=-1)

    def _meets(
        self, goals: tuple[Goal, ...], start: Array, held: tuple[int, ...], limits: bool, budget: Budget
    ) -> bool:
        plan = make_plan(goals, self.model)
        return self._attempts(plan, start, held, limits, 0, budget).ok

    def _attempts(
        self, plan: Plan, start: Array, held: tuple[int, ...], limits: bool, first: int, budget: Budget
    ) -> GoalAnswer:
        solver = plans(self.model).solver(plan.key, limits=limits, frozen=held)
        if first >= ATTEMPTS:
            return GoalAnswer(start, Status.NOT_FOUND, plan.goals, (), (), tried=first)
        q, missing, solved, attempt, tried, late = solver.solve(plan.aims, start, first, ATTEMPTS, budget.left())
        errors, met = plan.results(missing)
        status = Status.SOLVED if solved else self._failure(plan.goals)
        return GoalAnswer(q, status, plan.goals, errors, met, attempt, tried, late)

    def _failure(self, goals: tuple[Goal, ...]) -> Status:
        """Return why goals are not met: several fight, one is provably too far, or nothing is known."""
        needed = [goal for goal in goals if goal.required and not isinstance(goal, Clearance)]
        if len(needed) > 1:
            return Status.COMPROMISE
        return Status.OUT_OF_REACH if needed and self._too_far(needed[0]) else Status.NOT_FOUND

    def _too_far(self, goal: Goal) -> bool:
        """Tell whether a place lies provably farther away than the arm that leads there is long, whatever its limits."""
        model = self.model
        if not isinstance(goal, Pose | Position) or model.observer(goal.relative_to) != -1:
            return False
        frame = model.frame_index(goal.frame)
        unlimited = [math.inf] * self.n
        if self.model.kernel.goes_anywhere(frame, [-x for x in unlimited], unlimited):
            return False
        point, at = (goal.T[:3, 3], 0.0) if isinstance(goal, Pose) else (goal.point, math.hypot(*goal.at))
        bound = reach(self.model.compiled, self.frames[frame])
        spare = at + max(goal._each(goal.range, "range")) + max(goal._tolerances(model))
        return math.dist(point, bound.centre) > bound.span * (1 + 1e-9) + spare

    # ---- measures ----------------------------------------------------------------------------------------------------

    def centre_of_mass(self, q: Any) -> Array:
        """Return the centre of all masses in the base frame [m], (n,) -> (3,). Raises BadOption where the model has none."""
        masses = np.array(self.model.masses).reshape(-1, 5)
        if not len(masses):
            raise BadOption(f"no link of '{self.name}' has a mass; give its model masses")
        poses = self.model.kernel.forward_all(self.model.kernel.checked(q))
        weighed = np.zeros(3)
        whole = 0.0
        for link in self.model.mechanism.links:
            if link.mass > 0 and link.name in self.model.compiled.frames:
                T = poses[self.model.compiled.frame_numbers[link.name]]
                weighed += link.mass * (T[:3, :3] @ np.array(link.centre_of_mass) + T[:3, 3])
                whole += link.mass
        return np.asarray(weighed / whole)

    # ---- what a caller says ------------------------------------------------------------------------------------------

    def _goals(self, given: Any) -> tuple[Goal, ...]:
        """Return goals from one, several, or {frame: pose, point or goal}. Raises BadOption."""
        if type(given) is not dict and not isinstance(given, Mapping):
            if isinstance(given, Goal):
                return (given,)
            return checked_goals([one if isinstance(one, Goal) else _pose_or_not(one) for one in given])
        if not given:
            raise BadOption("no goals: name at least one frame, {frame: pose}")
        goals: list[Goal] = []
        for frame, value in given.items():
            several = isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(one, Goal) for one in value)
            goals += [_goal_of(frame, one) for one in (value if several else [value])]
        return tuple(goals)

    def _start(self, seed: Any, frozen: Frozen, limits: bool) -> tuple[Array, tuple[int, ...]]:
        """Return the seed with frozen joints at their values, and which numbers of q these are."""
        start = self.home if seed is None else self.model.kernel.checked(seed)
        if start.shape != (self.n,):
            raise ShapeError(f"the seed has shape {start.shape}, but '{self.name}' has n = {self.n} joint values")
        if frozen is None:
            return start, ()
        if isinstance(frozen, str):
            frozen = [frozen]
        try:
            values = dict(frozen) if isinstance(frozen, Mapping) else dict.fromkeys(frozen)
        except TypeError:
            raise BadOption(f"frozen={shown(frozen)} must be joint names, or {{joint name: value}}") from None
        start = np.array(start)
        held: list[int] = []
        for name, value in values.items():
            variable = self.model.variable(name)
            place = range(variable.first, variable.first + variable.joint.kind.size)
            if value is not None:
                start[place.start : place.stop] = _frozen_value(value, name, len(place))
            held += place
            alone = np.array(self.home)
            alone[place.start : place.stop] = start[place.start : place.stop]
            if limits and not bool(self.model.ranges.within(alone)):
                if len(place) > 1:
                    raise BadOption(f"joint '{name}' is to be frozen outside its range; pass limits=False to allow it")
                raise BadOption(
                    f"joint '{name}' is to be frozen at {start[place.start]:g}, outside its limits "
                    f"[{self.lower[place.start]:g}, {self.upper[place.start]:g}]; pass limits=False to allow it"
                )
        return start, tuple(sorted(held))

    def _score(self, prefer: Any) -> Score | None:
        """Return the function whose greatest value is preferred; None where the first solution is."""
        if callable(prefer):
            return checked_score(prefer)
        if not isinstance(prefer, str):
            raise BadOption(f"prefer={shown(prefer)} is neither a name nor a function of q")
        if prefer == NEAREST:
            return None
        scores = self._scores()
        if prefer not in scores:
            names = ", ".join(repr(name) for name in (NEAREST, *scores))
            raise BadOption(f"prefer={prefer!r} is not known; use {names} or a function of q")
        return scores[prefer]

    def _scores(self) -> dict[str, Score]:
        """Return the preferences that have a name."""
        limited = np.isfinite(self.lower) & np.isfinite(self.upper) & (self.upper > self.lower)
        low, high = self.lower[limited], self.upper[limited]
        return {
            "limits": lambda q: float(
                np.min(np.minimum(q[limited] - low, high - q[limited]) / (high - low), initial=1.0)
            )
        }


def unchecked(goals: Iterable[Goal], model: Model) -> Unchecked:
    """Return what answers about obstacles do not hold for, nothing where none is asked for."""
    found = NOTHING
    for goal in goals:
        if isinstance(goal, Clearance):
            found |= goal.unchecked(model)
    return found if found else NOTHING


def is_goals(given: Any) -> bool:
    """Tell whether something is goals rather than a pose."""
    if type(given) is dict or isinstance(given, Goal | Mapping | Iterator):
        return True
    return isinstance(given, list | tuple) and any(isinstance(one, Goal) for one in given)


def _pose_or_not(given: Any) -> Any:
    """Return the goal that a pose among goals stands for: the tip's. What is no pose comes back as it is."""
    shape = getattr(given, "shape", None)
    return Pose.at(None, given) if shape == (4, 4) else given


def _goal_of(frame: Any, value: Any) -> Goal:
    """Return what is wanted of a frame: a goal as it is, a pose, or a point."""
    if isinstance(value, Goal):
        if getattr(value, "frame", frame) is None:
            return replace(value, frame=frame)  # type: ignore[call-arg]
        if getattr(value, "frame", frame) != frame:
            raise BadOption(f"the goal for {shown(frame)} is about {shown(getattr(value, 'frame', None))}")
        return value
    if type(value) is np.ndarray and value.shape == (4, 4):
        return Pose.at(frame, value)
    given = numbers(matrices(value), f"the goal for {shown(frame)} must be a pose (4, 4), a point (3,) or a goal")
    if given.shape == (3,):
        return Position(frame, given)
    if given.shape == (4, 4):
        return Pose(frame, given)
    raise ShapeError(f"the goal for {shown(frame)} must be a pose (4, 4) or a point (3,); got shape {given.shape}")


def _frozen_value(value: Any, name: str, size: int) -> Array:
    if size == 1:
        return np.array([number(value, f"frozen joint '{name}'")])
    values = numbers(value, f"frozen joint '{name}' takes {size} numbers")
    if values.shape != (size,) or not np.isfinite(values).all():
        raise ShapeError(f"frozen joint '{name}' takes {size} finite numbers; got {shown(value)}")
    return values

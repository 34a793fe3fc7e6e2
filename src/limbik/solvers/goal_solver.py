"""Goals by Levenberg-Marquardt: several at once, with weights and priorities, for one tip or many.

`goal_candidates` yields verified answers, the first successful attempt first. If no attempt succeeds, it yields one unsolved
answer: the closest configuration, with the available evidence.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.goals.clearance import Clearance
from limbik.goals.given import unchecked
from limbik.goals.goal import Goal
from limbik.goals.orientation import Orientation
from limbik.goals.plan import make_plan
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.model import Model
from limbik.model.reach import reach
from limbik.solvers.blocking import coverings, proof_of_collision
from limbik.solvers.deadline import Deadline
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.known_configurations import among_known
from limbik.solvers.many_goals import ATTEMPTS, plans

# Share of a tolerance that becomes a free range if goals cannot be met exactly.
LOOSE = 0.9


@dataclass(frozen=True, eq=False)
class GoalProblem:
    """Goals of a model. held: the frozen numbers of q, by index; they keep their values in `start`."""

    model: Model
    goals: tuple[Goal, ...]
    start: Array
    held: tuple[int, ...]
    limits: bool
    deadline: Deadline

    def attempts(self, first: int = 0, goals: tuple[Goal, ...] | None = None) -> GoalAnswer:
        """Return the first successful attempt from a given number on, for these goals or others."""
        plan = make_plan(self.goals if goals is None else goals, self.model)
        solver = plans(self.model).solver(plan.key, limits=self.limits, frozen=self.held)
        if first >= ATTEMPTS:
            return GoalAnswer(self.start, Status.NOT_FOUND, plan.goals, (), (), tried=first)
        left = self.deadline.left()
        q, missing, solved, attempt, tried, late = solver.solve(plan.aims, self.start, first, ATTEMPTS, left)
        errors, met = plan.results(missing)
        status = Status.SOLVED if solved else failure(plan.goals, self.model)
        return GoalAnswer(q, status, plan.goals, errors, met, attempt, tried, late)

    def measured(self, found: GoalAnswer, left_out: Unchecked = NOTHING) -> GoalAnswer:
        """Return an answer to other goals as one to these: the same configuration with the errors of these goals."""
        plan = make_plan(self.goals, self.model)
        solver = plans(self.model).solver(plan.key, limits=self.limits, frozen=self.held)
        errors, met = plan.results(solver.errors(plan.aims, found.q))
        return replace(found, goals=plan.goals, errors=errors, met=met, unchecked=left_out)


def goal_candidates(problem: GoalProblem) -> Iterator[GoalAnswer]:
    """Yield the solutions of attempts, in their order; if there is none, the closest configuration."""
    left_out = unchecked(problem.goals, problem.model)
    if left_out is NOTHING:
        yield from _candidates(problem)
        return
    for answer in _candidates(problem):
        yield replace(answer, unchecked=left_out)


def _candidates(problem: GoalProblem) -> Iterator[GoalAnswer]:
    goals = problem.goals
    answer = problem.attempts()
    if not answer.ok and not answer.timed_out:
        answer = _within_tolerances(problem, answer)
    if not answer.ok and not problem.held and any(isinstance(goal, Clearance) and goal.required for goal in goals):
        known = among_known(
            problem.model, make_plan(goals, problem.model), problem.limits, answer.tried, problem.deadline
        )
        answer = answer if known is None else known
        if answer.proof:
            yield answer
            return
    if not answer.ok:
        yield answer if answer.timed_out else _closest(problem, answer)
        return
    while answer.ok:
        yield answer
        answer = problem.attempts(answer.attempt + 1)
    yield answer
    if not all(goal.required for goal in goals):
        yield from _without_preferences(problem)


def _without_preferences(problem: GoalProblem) -> Iterator[GoalAnswer]:
    """Yield solutions without secondary objectives: these may lead every attempt to the same refused configuration."""
    needed = tuple(goal for goal in problem.goals if goal.required)
    answer = problem.attempts(0, needed)
    while answer.ok:
        yield problem.measured(answer)
        answer = problem.attempts(answer.attempt + 1, needed)


def _within_tolerances(problem: GoalProblem, answer: GoalAnswer) -> GoalAnswer:
    """Try again with most of the given tolerances as free ranges: competing goals may all be met inside them."""
    model = problem.model
    loose = tuple(goal.widened(LOOSE, model) if goal.required else goal for goal in problem.goals)
    if all(a is b for a, b in zip(loose, problem.goals, strict=True)):
        return answer
    found = problem.attempts(0, loose)
    if not found.ok:
        return answer
    found = problem.measured(found)
    needed = (met for goal, met in zip(problem.goals, found.met, strict=True) if goal.required)
    return found if all(needed) else answer


def _closest(problem: GoalProblem, answer: GoalAnswer) -> GoalAnswer:
    """Return the closest configuration if no attempt succeeded, with a proof if obstacles block the target."""
    goals, model = problem.goals, problem.model
    answer = _closest_pose(problem, answer)
    others = tuple(goal for goal in goals if not isinstance(goal, Clearance))
    if len(others) == len(goals) or not (not others or problem.attempts(0, others).ok):
        return answer
    proof = proof_of_collision(goals, model)
    if proof:
        return replace(answer, status=Status.BLOCKED, hindered=True, proof=proof)
    return replace(answer, hindered=True, note=coverings(goals, model))


def _closest_pose(problem: GoalProblem, answer: GoalAnswer) -> GoalAnswer:
    """Return the configuration closest to one unreached pose: position first, then rotation."""
    needed = [goal for goal in problem.goals if goal.required and not isinstance(goal, Clearance)]
    if len(needed) != 1 or not isinstance(needed[0], Pose) or needed[0].weight != 1.0 or answer.timed_out:
        return answer
    pose = needed[0]
    options = {"relative_to": pose.relative_to}
    (metres, radians), (free_metres, free_radians) = pose.tolerances(problem.model), pose.each(pose.range, "range")
    separate: list[Goal] = [
        Position(pose.frame, pose.T[:3, 3], tolerance=metres, range=free_metres, priority=0, **options),
        Orientation(pose.frame, pose.T, tolerance=radians, range=free_radians, priority=1, **options),
    ]
    separate += [
        replace(goal, priority=goal.priority + (0 if isinstance(goal, Clearance) else 2))
        for goal in problem.goals
        if goal is not pose
    ]
    found = problem.attempts(0, tuple(separate))
    return replace(problem.measured(found), status=answer.status, attempt=-1)


def failure(goals: tuple[Goal, ...], model: Model) -> Status:
    """Return the status of unmet goals: COMPROMISE for several; for one, OUT_OF_REACH if that is proven, else NOT_FOUND."""
    needed = [goal for goal in goals if goal.required and not isinstance(goal, Clearance)]
    if len(needed) > 1:
        return Status.COMPROMISE
    return Status.OUT_OF_REACH if needed and too_far(needed[0], model) else Status.NOT_FOUND


def too_far(goal: Goal, model: Model) -> bool:
    """Return whether a target point is provably farther away than the length of the chain to its frame, limits aside."""
    if not isinstance(goal, Pose | Position) or model.observer(goal.relative_to) != -1:
        return False
    frame = model.frame_index(goal.frame)
    unlimited = [math.inf] * model.n
    if model.kernel.goes_anywhere(frame, [-x for x in unlimited], unlimited):
        return False
    point, at = (goal.T[:3, 3], 0.0) if isinstance(goal, Pose) else (goal.point, math.hypot(*goal.at))
    bound = reach(model.compiled, model.frames[frame])
    slack = at + max(goal.each(goal.range, "range")) + max(goal.tolerances(model))
    return math.dist(point, bound.centre) > bound.span * (1 + 1e-9) + slack

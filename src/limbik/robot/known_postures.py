"""The closed form asked about obstacles: its postures of a target, where random starts have found none that is clear.

A chain that is not redundant has finitely many postures at a pose. Where the closed form gives them all, either one of them is
clear, or none is and that is proven. A redundant chain is asked at many values of its free parameter; that proves nothing, but
postures that are nearly clear are good starts.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from limbik.goals.clearance import CUSHION, Clearance
from limbik.goals.plan import Plan
from limbik.goals.pose import Pose
from limbik.solvers.answer import Status
from limbik.solvers.budget import Budget
from limbik.solvers.goal_answer import GoalAnswer

if TYPE_CHECKING:
    from limbik.robot.pursuing import Pursuing

# The best postures that a search is started from.
STARTS = 16
# Tolerances up to this, in metres per length that they are counted in and in radians, move a posture less than the cushion
# of a clearance, also where it is singular.
EXACT = 1e-6


def among_known(robot: "Pursuing", plan: Plan, limits: bool, tried: int, budget: Budget) -> GoalAnswer | None:
    """Return an answer from the postures of the closed form: solved, or proven to be blocked; else None."""
    needed = [goal for goal in plan.goals if goal.required and not isinstance(goal, Clearance)]
    if len(needed) != 1 or not isinstance(needed[0], Pose) or not budget.left() > 0:
        return None
    pose, subject = needed[0], robot._subject
    if robot.frames[subject.frame(pose.frame)] not in robot._ends or subject.observer(pose.relative_to) >= 0:
        return None
    postures, every = robot._known_postures(pose.T, limits)
    if not len(postures):
        return None
    solver = robot._plans.solver(plan.key, limits=limits, frozen=())
    measured = [plan.results(solver.errors(plan.aims, q)) for q in postures]
    missing = [_missing(plan, errors) for errors, _ in measured]
    order = sorted(range(len(postures)), key=lambda k: (missing[k], k))
    for k in order[:STARTS]:
        if not budget.left() > 0:
            return None
        q, left, solved, _, _, late = solver.solve(plan.aims, postures[k], 0, 1, budget.left())
        if solved:
            errors, met = plan.results(left)
            note = "from a posture of the closed form"
            return GoalAnswer(q, Status.SOLVED, plan.goals, errors, met, tried, tried, late, note=note)
    near, turned = pose._tolerances(subject)
    exact = near <= EXACT * subject.length and turned <= EXACT and not any(pose._each(pose.range, "range"))
    if every and exact and min(missing) > CUSHION * subject.length:
        best = order[0]
        proof = f"each of all {len(postures)} postures brings a link too near to an obstacle or another link"
        blocked = GoalAnswer(postures[best], Status.BLOCKED, plan.goals, *measured[best], tried=tried)
        return replace(blocked, hindered=True, proof=proof)
    return None


def _missing(plan: Plan, errors: tuple[tuple[float, ...], ...]) -> float:
    """Return how much nearer than it may a link comes to anything [m]."""
    return max(
        sum(e) for goal, e in zip(plan.goals, errors, strict=True) if isinstance(goal, Clearance) and goal.required
    )

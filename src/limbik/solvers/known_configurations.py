"""Collision-free postures (configurations) from the closed form, after random starts have found none.

A chain that is not redundant has finitely many configurations at a pose. If the closed form gives all of them, either one is
collision-free, or it is proven that none is. For a redundant chain many values of the free parameter are sampled. That proves
nothing, but configurations that are nearly collision-free are good starts.
"""

import math
from dataclasses import replace

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.goals.clearance import CUSHION, Clearance
from limbik.goals.plan import Plan, make_plan
from limbik.goals.pose import Pose
from limbik.model.model import Model
from limbik.solvers.all_postures import all_postures, closed_form, redundancy
from limbik.solvers.deadline import Deadline
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.many_goals import plans

# Number of best configurations from which a search starts.
STARTS = 16
# Tolerances up to this [relative to the length unit, rad] move a configuration by less than the margin of a clearance, even at
# singularities.
EXACT = 1e-6
# Number of sampled values of a redundant chain's free parameter.
FREE_VALUES = 64


def among_known(model: Model, plan: Plan, limits: bool, tried: int, deadline: Deadline) -> GoalAnswer | None:
    """Return an answer from the configurations of the closed form: solved, or proven to be blocked; else None."""
    needed = [goal for goal in plan.goals if goal.required and not isinstance(goal, Clearance)]
    if len(needed) != 1 or not isinstance(needed[0], Pose) or not deadline.left() > 0:
        return None
    pose = needed[0]
    if model.frames[model.frame_index(pose.frame)] not in model.tips or model.observer(pose.relative_to) >= 0:
        return None
    postures, complete = _known(model, pose.T, limits)
    if not len(postures):
        return None
    solver = plans(model).solver(plan.key, limits=limits, frozen=())
    measured = [plan.results(solver.errors(plan.aims, q)) for q in postures]
    missing = [_missing(plan, errors) for errors, _ in measured]
    order = sorted(range(len(postures)), key=lambda k: (missing[k], k))
    for k in order[:STARTS]:
        if not deadline.left() > 0:
            return None
        q, remaining, solved, _, _, late = solver.solve(plan.aims, postures[k], 0, 1, deadline.left())
        if solved:
            errors, met = plan.results(remaining)
            note = "from a posture given by the closed form"
            return GoalAnswer(q, Status.SOLVED, plan.goals, errors, met, tried, tried, late, note=note)
    metres, radians = pose.tolerances(model)
    exact = metres <= EXACT * model.length and radians <= EXACT and not any(pose.each(pose.range, "range"))
    if complete and exact and _least_certain(model, plan, postures, missing, limits) > CUSHION * model.length:
        best = order[0]
        subject = "the only posture" if len(postures) == 1 else f"each of the {len(postures)} postures"
        proof = f"{subject} brings a link too close to an obstacle or another link"
        blocked = GoalAnswer(postures[best], Status.BLOCKED, plan.goals, *measured[best], tried=tried)
        return replace(blocked, hindered=True, proof=proof)
    return None


def _known(model: Model, T: Array, limits: bool) -> tuple[Array, bool]:
    """Return configurations whose tip is at T, (k, n), and whether the list is complete."""
    if model.is_tree:
        return np.zeros((0, model.n)), False
    free = redundancy(model)
    if free is None:
        answers = all_postures(model, T, limits=limits)
        return answers.q, closed_form(model) is not None and not answers.families.any()
    low, high = -math.pi, math.pi
    if free.joint is not None:
        index = model.joint_names.index(free.joint)
        low, high = (float(ends[index]) for ends in model.ranges.drawing(model.from_base or 1.0))
    values = np.linspace(low, high, FREE_VALUES).tolist()
    return np.concatenate([all_postures(model, T, limits=limits, swivel=value).q for value in values]), False


def _least_certain(model: Model, plan: Plan, postures: Array, missing: list[float], limits: bool) -> float:
    """Return the least violation of the clearance over the configurations [m], without shapes larger than their links."""
    goals = tuple(goal.exact(model) if isinstance(goal, Clearance) else goal for goal in plan.goals)
    if all(one is other for one, other in zip(goals, plan.goals, strict=True)):
        return min(missing)
    if any(isinstance(goal, Clearance) and not goal.bodies(model) for goal in goals):
        return 0.0
    exact = make_plan(goals, model)
    solver = plans(model).solver(exact.key, limits=limits, frozen=())
    return min(_missing(exact, exact.results(solver.errors(exact.aims, q))[0]) for q in postures)


def _missing(plan: Plan, errors: tuple[tuple[float, ...], ...]) -> float:
    """Return by how much a link is closer to an obstacle or link than allowed [m]."""
    return max(
        sum(e) for goal, e in zip(plan.goals, errors, strict=True) if isinstance(goal, Clearance) and goal.required
    )

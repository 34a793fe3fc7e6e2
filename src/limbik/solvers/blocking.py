"""Proofs that no posture keeps clear of obstacles: for what a target itself puts into one.

A body rigidly fixed to a frame whose pose is asked for is known, up to the tolerances, in every posture that meets the goal.
Where it is nearer to an obstacle than asked for, by more than the tolerances, no posture is left. Everything else is a matter of
search. A body that covers a larger room than its link proves nothing.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.goals.clearance import ROUNDING, Clearance, gap
from limbik.goals.goal import Goal
from limbik.goals.pose import Pose
from limbik.goals.unchecked import named
from limbik.model.model import Body, Model
from limbik.model.shape import Box, Shape, Sphere


def proof_of_collision(goals: tuple[Goal, ...], model: Model) -> str:
    """Return why no posture that meets the other goals can keep its clearance, or "" where that is not shown."""
    poses = [
        goal for goal in goals if isinstance(goal, Pose) and goal.required and model.observer(goal.relative_to) < 0
    ]
    for goal in goals:
        if not isinstance(goal, Clearance) or not goal.required:
            continue
        for body in goal.bodies(model):
            if body.element < 0 or body.covers:
                continue
            for pose in poses:
                said = _at_target(goal, body, pose, model)
                if said:
                    return f"at the target link '{body.link}' is {said}"
    return ""


def coverings(goals: tuple[Goal, ...], model: Model) -> str:
    """Return which of the shapes that are kept apart are larger than their links, in one sentence; "" where none is."""
    own = any(isinstance(goal, Clearance) and goal.required and goal.shapes is None for goal in goals)
    if not own or not model.covered:
        return ""
    return f"nothing is proven by shapes that are larger than the link: {named(model.covered)}"


def _at_target(goal: Clearance, body: Body, pose: Pose, model: Model) -> str:
    """Return how near a body is to an obstacle where a pose holds the frame that it is fixed to."""
    frame = list(model.compiled.frames)[model.frame_index(pose.frame)]
    element, T_element_frame = model.compiled.frames[frame]
    if element != body.element:
        return ""
    shape = body.shape.moved(inverse(T_element_frame))
    (near, turned), (free, angle) = pose.tolerances(model), pose.each(pose.range, "range")
    return _too_near(goal, shape.moved(pose.T), near + free + (turned + angle) * _farthest(shape), model)


def _too_near(goal: Clearance, shape: Shape, slack: float, model: Model) -> str:
    for k, obstacle in enumerate(goal.obstacles):
        here = gap(shape, obstacle)
        if here + slack + ROUNDING * model.length < goal.distance:
            return f"{-here:.3g} m inside obstacle {k}" if here < 0 else f"{here:.3g} m from obstacle {k}, too near"
    return ""


def _farthest(shape: Shape) -> float:
    """Return how far a shape reaches from the origin of its frame, at most [m]."""
    if isinstance(shape, Box):
        return float(np.linalg.norm(shape.corners, axis=1).max())
    ends: Array = np.array([shape.centre] if isinstance(shape, Sphere) else [shape.start, shape.end])
    return float(np.linalg.norm(ends, axis=1).max()) + shape.radius

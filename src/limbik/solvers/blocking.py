"""Proofs of collision: a target that puts a link into an obstacle cannot be reached by any posture.

A pose goal fixes the pose of every body rigidly attached to its frame, up to the tolerances. If such a body is closer to an
obstacle than the required clearance, by more than the tolerances, no configuration meets both goals. Other links need a search.
A covering shape that is larger than its link proves nothing.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.goals.clearance import ROUNDING, Clearance, gap
from limbik.goals.goal import Goal
from limbik.goals.pose import Pose
from limbik.goals.unchecked import named
from limbik.model.body import Body
from limbik.model.model import Model
from limbik.model.shape import Box, Shape, Sphere


def proof_of_collision(goals: tuple[Goal, ...], model: Model) -> str:
    """Return why no configuration that meets the other goals keeps its clearance; "" if that is not proven."""
    # poses relative to another frame do not fix a body in the base frame
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
                reason = _at_target(goal, body, pose, model)
                if reason:
                    return f"at the target link '{body.link}' is {reason}"
    return ""


def coverings(goals: tuple[Goal, ...], model: Model) -> str:
    """Return a sentence naming the collision shapes that are larger than their links; "" if there are none."""
    own = any(isinstance(goal, Clearance) and goal.required and goal.shapes is None for goal in goals)
    if not own or not model.covered:
        return ""
    return f"nothing is proven by shapes that are larger than the link: {named(model.covered)}"


def _at_target(goal: Clearance, body: Body, pose: Pose, model: Model) -> str:
    """Return a phrase about a body that is too close to an obstacle at the target pose; "" if none is."""
    frame = list(model.compiled.frames)[model.frame_index(pose.frame)]
    element, T_element_frame = model.compiled.frames[frame]
    if element != body.element:
        return ""
    shape = body.shape.moved(inverse(T_element_frame))
    (metres, radians), (free_metres, free_radians) = pose.tolerances(model), pose.each(pose.range, "range")
    slack = metres + free_metres + (radians + free_radians) * _farthest(shape)
    return _too_near(goal, shape.moved(pose.T), slack, model)


def _too_near(goal: Clearance, shape: Shape, slack: float, model: Model) -> str:
    """Return a phrase about the first obstacle that a shape is too close to. slack: by how much the shape may move [m]."""
    for k, obstacle in enumerate(goal.obstacles):
        distance = gap(shape, obstacle)
        if distance + slack + ROUNDING * model.length < goal.distance:
            return (
                f"{-distance:.3g} m inside obstacle {k}"
                if distance < 0
                else f"{distance:.3g} m from obstacle {k}, too near"
            )
    return ""


def _farthest(shape: Shape) -> float:
    """Return an upper bound on the distance of a shape's points from the origin of its frame [m]."""
    if isinstance(shape, Box):
        return float(np.linalg.norm(shape.corners, axis=1).max())
    ends: Array = np.array([shape.centre] if isinstance(shape, Sphere) else [shape.start, shape.end])
    return float(np.linalg.norm(ends, axis=1).max()) + shape.radius

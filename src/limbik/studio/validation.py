"""The goals of a state, and the errors of a posture."""

import numpy as np

from limbik._core import pose_error
from limbik.geometry.arrays import Array
from limbik.goals.goal import Goal
from limbik.goals.look_at import LookAt
from limbik.goals.pose import Pose
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.state import State


def goals_of(state: State, dragged: str | None) -> list[Goal]:
    """Return the goals of a state: the pose of the dragged frame, pins and points to look at."""
    goals: list[Goal] = []
    for frame, T in state.targets.items():
        if frame == dragged or frame in state.pins:
            goals.append(Pose(frame, np.array(T)))
    goals += [LookAt(frame, point) for frame, point in state.look_at.items()]
    return goals


def apart(robot: Chain | Skeleton, q: Array, frame: str, T: Array) -> tuple[float, float]:
    """Return the position and rotation error of a frame against a pose [m, rad]."""
    error = pose_error(robot.forward(q, frame), T)
    return float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))

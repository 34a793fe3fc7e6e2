"""Collision shapes of a robot: the shapes, their distance from obstacles, and the links without shapes.

>>> import limbik as lk
>>> arm = lk.load("ur5")
>>> float(lk.collision.clearance(arm, arm.home, [lk.Sphere((2.0, 0.0, 0.5), 0.1)])) > 0.5  # [m]
True
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from limbik.goals import shapes as _shapes
from limbik.goals.clearance import Obstacles
from limbik.goals.shapes import Distance
from limbik.goals.unchecked import Unchecked
from limbik.model.robots import of_the_same_kind
from limbik.model.shape import Shape
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

__all__ = ["clearance", "shapes", "unchecked", "with_shapes"]

Robot = TypeVar("Robot", Chain, Skeleton)


def shapes(robot: Chain | Skeleton) -> tuple[tuple[str, Shape], ...]:
    """Return the collision shapes of the links: (frame, shape in that frame) for every shape on one of `robot.frames`."""
    return robot.model.shapes


def with_shapes(robot: Robot, shapes: Mapping[str, Any]) -> Robot:
    """Return a copy in which links have other shapes: {link: one Sphere, Capsule or Box, or several, in the link's frame}.

    They replace the link's own shapes, and the link no longer counts as having unread collision geometry. Raises
    BadOption, UnknownFrame.
    """
    mechanism = _shapes.with_shapes(robot.model.mechanism, shapes)
    return of_the_same_kind(robot, mechanism)


def clearance(robot: Chain | Skeleton, q: Any, obstacles: Obstacles = ()) -> Distance:
    """Return the least distance of any link from any obstacle [m]; negative if they overlap, infinite without
    obstacles.

    `.unchecked` names the links left out: those whose collision geometry was not read, and those that do not move and
    are in contact with an obstacle. Raises BadOption if no link has a shape.
    """
    return _shapes.clearance(robot.model, q, obstacles)


def unchecked(robot: Chain | Skeleton) -> Unchecked:
    """Return the links and pairs of links whose collisions are not checked.

    `.links`: their collision geometry, or part of it, is missing or was not read (a mesh ...), or joints outside this chain move
    them; `with_shapes` adds shapes. `.pairs`: not checked because they touch in the home posture (configuration). Links that a
    joint connects are never checked and not listed.
    """
    return _shapes.unchecked_of(robot.model)

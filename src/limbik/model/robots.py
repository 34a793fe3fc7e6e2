"""Chains and skeletons for the layers below `limbik.robot`: objects with a model. A `Chain` is an arm, a `Skeleton` a figure.

Those layers import neither class: they call methods of the object that they are given, and make another of its class.
"""

from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from limbik.model.mechanism import Mechanism
from limbik.model.model import Model

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.skeleton import Skeleton

R = TypeVar("R")


def is_robot(given: object) -> "TypeGuard[Chain | Skeleton]":
    """Return whether an object is an arm or a figure."""
    return isinstance(getattr(given, "model", None), Model)


def is_arm(given: object) -> "TypeGuard[Chain]":
    """Return whether an object is an arm: a chain to one tip."""
    return is_robot(given) and not given.model.is_tree


def is_figure(given: object) -> "TypeGuard[Skeleton]":
    """Return whether an object is a figure: a tree, which may have several tips."""
    return is_robot(given) and given.model.is_tree


def of_the_same_kind(robot: R, mechanism: Mechanism) -> R:
    """Return an arm or a figure of a changed mechanism, with the class, base and tip of another."""
    kind: Any = type(robot)
    base, tip = _ends(robot)
    return kind(mechanism, base) if tip is None else kind(mechanism, base, tip)  # type: ignore[no-any-return]


def _ends(robot: Any) -> tuple[str, str | None]:
    return robot.model.base, None if robot.model.is_tree else robot.model.tip

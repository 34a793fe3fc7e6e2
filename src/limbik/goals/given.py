"""Validation of goals, seeds and frozen joints: one goal, several, or {frame: pose, point or goal}."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotNumeric, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.geometry.se3 import matrices
from limbik.goals.clearance import Clearance
from limbik.goals.goal import Goal, checked_goals
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.model import Model

Named = Mapping[str, Any] | Iterable[str]
Frozen = Named | None
Goals = Goal | Sequence[Goal] | Mapping[str, Any]


def is_goals(given: Any) -> bool:
    """Return whether an argument gives goals rather than a pose."""
    if type(given) is dict or isinstance(given, Goal | Mapping | Iterator):
        return True
    return isinstance(given, list | tuple) and any(isinstance(one, Goal) for one in given)


def goals_from(given: Any, model: Model) -> tuple[Goal, ...]:
    """Return goals from one, several, or {frame: pose, point or goal}. Raises BadOption."""
    if model.is_tree:
        _check_for_tree(given, model)
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


def start_from(seed: Any, frozen: Frozen, limits: bool, model: Model) -> tuple[Array, tuple[int, ...]]:
    """Return the seed with frozen joints at their values, and the indices of these in q. Raises ShapeError, BadOption."""
    start = model.ranges.home if seed is None else model.kernel.checked(seed)
    if start.shape != (model.n,):
        raise ShapeError(f"the seed has shape {start.shape}, but '{model.name}' has n = {model.n} joint values")
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
    ranges = model.ranges
    for name, value in values.items():
        variable = model.variable(name)
        place = range(variable.first, variable.first + variable.joint.kind.size)
        if value is not None:
            start[place.start : place.stop] = _frozen_value(value, name, len(place))
        held += place
        alone = np.array(ranges.home)
        alone[place.start : place.stop] = start[place.start : place.stop]
        if limits and not bool(ranges.within(alone)):
            if len(place) > 1:
                raise BadOption(f"joint '{name}' would be frozen outside its range; pass limits=False to allow it")
            raise BadOption(
                f"joint '{name}' would be frozen at {start[place.start]:g}, outside its limits "
                f"[{ranges.lower[place.start]:g}, {ranges.upper[place.start]:g}]; pass limits=False to allow it"
            )
    return start, tuple(sorted(held))


def checked_limits(limits: object) -> bool:
    """Return whether limits apply. Raises BadOption for anything but True and False."""
    if not isinstance(limits, bool | np.bool_):
        raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
    return bool(limits)


def unchecked(goals: Iterable[Goal], model: Model) -> Unchecked:
    """Return the links and pairs whose collisions are not checked; empty without a Clearance goal."""
    found = NOTHING
    for goal in goals:
        if isinstance(goal, Clearance):
            found |= goal.unchecked(model)
    return found if found else NOTHING


def likely_tip(model: Model) -> str:
    """Return the frame that an error text suggests: a leaf that is no tip, with the most joints above it; else the first tip."""
    m = model.mechanism
    joints = {leaf: [j.name for j in m.ancestry(leaf) if j.kind.size] for leaf in m.leaves}
    inner = [leaf for leaf in m.leaves if leaf not in model.tips and joints[leaf]]
    return max(inner, key=lambda leaf: len(joints[leaf]), default=model.tips[0])


def _check_for_tree(given: Any, model: Model) -> None:
    """Raise BadOption for a pose or a point that does not say which frame it is for."""
    if is_goals(given) or (isinstance(given, list | tuple) and not given):
        return
    try:
        shape = numbers(matrices(given), "").shape
    except NotNumeric:
        if not isinstance(given, Iterable) or isinstance(given, str):
            raise BadOption(f"goals are {{frame: pose or point}} or limbik goals; got {shown(given)}") from None
    else:
        tip, what = likely_tip(model), "xyz" if shape == (3,) else "T"
        raise BadOption(
            f"'{model.name}' has several tips: name the frame, solve({{{tip!r}: {what}}}); or select the tip of "
            f"one chain: load(..., tip={tip!r}), or .chain({tip!r})"
        )


def _pose_or_not(given: Any) -> Any:
    """Return a pose among goals as a Pose goal of the tip; other arguments are returned unchanged."""
    shape = getattr(given, "shape", None)
    return Pose.at(None, given) if shape == (4, 4) else given


def _goal_of(frame: Any, value: Any) -> Goal:
    """Return the goal for a frame, from a goal, a pose, or a point."""
    if isinstance(value, Goal):
        if getattr(value, "frame", frame) is None:
            return replace(value, frame=frame)  # type: ignore[call-arg]
        if getattr(value, "frame", frame) != frame:
            raise BadOption(f"the goal for {shown(frame)} names another frame, {shown(getattr(value, 'frame', None))}")
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

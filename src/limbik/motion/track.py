"""Tracking of a moving target: one bounded step at a time, at the velocity level.

A step reduces the errors of the goals as far as joint speeds and limits allow in the given time: bounded damped least squares
(Nakamura and Hanafusa 1986, Wampler 1986 for the damping). There are no restarts, so the computation time hardly depends on the
target. Near a singular posture (configuration), and for an unreachable target, the damping bounds the joint velocities.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Status
from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.goals.clearance import Clearance, Obstacles
from limbik.goals.given import Frozen, checked_limits, goals_from, is_goals, start_from, unchecked
from limbik.goals.goal import Goal, worst
from limbik.goals.plan import make_plan
from limbik.goals.pose import Pose
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.model import Model
from limbik.model.record import Record
from limbik.model.results import OneAnswer
from limbik.solvers.many_goals import plans

# A joint counts as moving at full speed above this fraction of its speed limit.
FULL_SPEED = 0.999


@dataclass(frozen=True, eq=False)
class Step(OneAnswer, Record):
    """The result of one tracking step. `np.asarray(step)` is its q, so that a step can be passed as q.

    q: (n,). velocity: (n,) of each joint value [rad/s or m/s]. errors: the errors of each goal after the step, one number for
    each of its units. met: whether each goal is met. at_speed: (n,) whether each joint is at its speed limit. unchecked: the
    links and pairs of links whose collisions are not checked.
    """

    q: Array
    velocity: Array
    goals: tuple[Goal, ...]
    errors: tuple[tuple[float, ...], ...]
    met: tuple[bool, ...]
    at_speed: npt.NDArray[np.bool_]
    unchecked: Unchecked = NOTHING

    @property
    def status(self) -> Status:
        """SOLVED if the step ends at the target, with all required goals met; else COMPROMISE, or NOT_FOUND for one goal."""
        required = [met for goal, met in zip(self.goals, self.met, strict=True) if goal.required]
        if all(required):
            return Status.SOLVED
        return Status.COMPROMISE if len(required) > 1 else Status.NOT_FOUND

    @property
    def position_error(self) -> float:
        """The largest position error of the required goals [m]."""
        return worst(self.goals, self.errors, "m")

    @property
    def rotation_error(self) -> float:
        """The largest rotation error of the required goals [rad]."""
        return worst(self.goals, self.errors, "rad")

    @property
    def why(self) -> str:
        """One sentence: at the target, on the way, or at rest elsewhere; with the links that are not checked."""
        return self._progress + (f"; {self.unchecked}" if self.unchecked else "")

    @property
    def _progress(self) -> str:
        if self.ok:
            return "at the target"
        left = f"{self.position_error:.3g} m and {self.rotation_error:.3g} rad to go"
        if self.at_speed.any():
            return f"on the way, {left}; {int(self.at_speed.sum())} joint values at full speed"
        if math.isclose(float(np.abs(self.velocity).max(initial=0.0)), 0.0, abs_tol=1e-6):
            return f"at rest, {left}: out of reach from here, or held by a limit"
        return f"on the way, {left}"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.q, dtype=dtype or np.float64, copy=True)


def track(
    model: Model,
    q: Any,
    target: Any,
    dt: float,
    *,
    speed: Any = None,
    limits: Any = True,
    frozen: Frozen = None,
    obstacles: Obstacles | None = None,
) -> Step:
    """Return one bounded step from q towards a target, as `Chain.track` documents."""
    if isinstance(target, Iterator):
        target = list(target)
    goals = (
        goals_from(target, model) if type(target) is not np.ndarray and is_goals(target) else (Pose.at(None, target),)
    )
    if obstacles is not None:
        goals = (*goals, Clearance(obstacles))
    if len(goals) > 1 and any(isinstance(goal, Clearance) for goal in goals):  # obstacles have priority
        goals = tuple(g if isinstance(g, Clearance) else replace(g, priority=g.priority + 1) for g in goals)
    time = number(dt, "dt")
    start = np.asarray(q, np.float64) if isinstance(q, Step) else q
    if frozen is None:
        held: tuple[int, ...] = ()
    else:
        start, held = start_from(start, frozen, False, model)
    most = _speeds(speed, model)
    held += tuple(j for j, v in enumerate(most) if v == 0.0 and j not in held)
    plan = make_plan(goals, model)
    tracker = plans(model).tracker(plan.key, limits=checked_limits(limits), frozen=held, speed=most)
    moved, missing, _ = tracker.step(plan.aims, start, time)
    errors, met = plan.results(missing)
    velocity = model.kernel.difference(start, moved) / time
    with np.errstate(invalid="ignore"):
        at_speed = np.abs(velocity) >= FULL_SPEED * np.array(most)
    return Step(moved, velocity, plan.goals, errors, met, at_speed, unchecked(goals, model))


def _speeds(given: Any, model: Model) -> tuple[float, ...]:
    """Return the speed limit of each joint value. Raises BadOption."""
    if given is None:
        return model.derived(_own_speeds)
    speeds = numbers(given, f"speed must be one number or {model.n} numbers")
    if speeds.shape not in ((), (model.n,)):
        raise ShapeError(f"speed must be one number or {model.n} numbers; got shape {speeds.shape}")
    if not (speeds >= 0).all():
        raise BadOption(f"speed={shown(given)}: speeds must not be below 0")
    return _by_joint(np.broadcast_to(speeds, (model.n,)), model)


def _own_speeds(model: Model) -> tuple[float, ...]:
    """Return the speed limits of the model."""
    return _by_joint(model.ranges.velocity, model)


def _by_joint(speeds: Array, model: Model) -> tuple[float, ...]:
    """Return speed limits (n,); the three values of a rotation or translation all take the smallest of them."""
    out = np.array(speeds)
    for v in model.compiled.variables:
        for first in range(v.first, v.first + v.joint.kind.size, 3) if v.joint.kind.size > 1 else ():
            out[first : first + 3] = out[first : first + 3].min()
    return tuple(out.tolist())

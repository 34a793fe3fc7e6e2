"""Following a target that moves: one bounded step at a time, at the level of velocities.

A step lowers what the goals miss as far as joint speeds and limits allow in the time there is: damped least squares with bounds
(Nakamura and Hanafusa 1986, Wampler 1986 for the damping). It takes the same short time wherever the target is: there are no
restarts and no waiting. Near a singular posture, and for a target out of reach, the damping keeps the joints calm.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

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
from limbik.model.truth import Judged
from limbik.solvers.iterative.many_goals import plans

# A joint moves at full speed from this part of it on.
FULL_SPEED = 0.999


@dataclass(frozen=True, eq=False)
class Step(Judged, Record):
    """Where one step of tracking leads. `np.asarray(step)` is its q, so that a step can be passed on as q.

    q: (n,). velocity: (n,) of each number of q [rad/s or m/s]. errors: what each goal misses after the step, one number per unit
    of its kind. met: which goals are. at_speed: (n,) which joints move as fast as they may. unchecked: the links and pairs of
    links that obstacles are not kept from.
    """

    q: Array
    velocity: Array
    goals: tuple[Goal, ...]
    errors: tuple[tuple[float, ...], ...]
    met: tuple[bool, ...]
    at_speed: npt.NDArray[np.bool_]
    unchecked: Unchecked = NOTHING

    @property
    def ok(self) -> bool:
        """True when the step ends at the target: every goal that must be met is."""
        return all(met for goal, met in zip(self.goals, self.met, strict=True) if goal.required)

    @property
    def position_error(self) -> float:
        """The most that is missing to a goal, in metres."""
        return worst(self.goals, self.errors, "m")

    @property
    def rotation_error(self) -> float:
        """The most that is missing to a goal, in radians."""
        return worst(self.goals, self.errors, "rad")

    @property
    def why(self) -> str:
        """One sentence: arrived, on the way, or as near as it gets; and what obstacles are not kept from."""
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
    if len(goals) > 1 and any(isinstance(goal, Clearance) for goal in goals):  # what is in the way comes first
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
    """Return the greatest speed of each number of q. Raises BadOption."""
    if given is None:
        return model.derived(_own_speeds)
    speeds = numbers(given, f"speed must be one number or {model.n} numbers")
    if speeds.shape not in ((), (model.n,)):
        raise ShapeError(f"speed must be one number or {model.n} numbers; got shape {speeds.shape}")
    if not (speeds >= 0).all():
        raise BadOption(f"speed={shown(given)}: speeds are not below 0")
    return _by_joint(np.broadcast_to(speeds, (model.n,)), model)


def _own_speeds(model: Model) -> tuple[float, ...]:
    return _by_joint(model.ranges.velocity, model)


def _by_joint(speeds: Array, model: Model) -> tuple[float, ...]:
    """Return speeds with one for all numbers of a rotation or a shift: the least that was given."""
    out = np.array(speeds)
    for v in model.compiled.variables:
        for first in range(v.first, v.first + v.joint.kind.size, 3) if v.joint.kind.size > 1 else ():
            out[first : first + 3] = out[first : first + 3].min()
    return tuple(out.tolist())

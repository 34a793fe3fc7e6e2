"""A whole body, held by pins and dragged frame by frame: full-body inverse kinematics for animation.

Each frame starts from the previous posture: one attempt by damped least squares, with a bounded step of each joint, so
that motion has no jumps. A pin that cannot be met is approached as far as possible, and motion stays smooth when it
becomes reachable again. Two settings resolve the remaining freedom: `stiffness`, the metric of the damped step, is the
resistance of each joint; `relax` is the fraction of the distance to the rest posture that each joint moves before the
pins are solved. Neither adds computation time. Secondary objectives (a Posture ...) are improved a little in every
frame.
"""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, ShapeError, UnknownFrame, shown, suggest
from limbik.geometry.arrays import Array, frozen, number, numbers
from limbik.goals.balance import Balance
from limbik.goals.goal import Goal
from limbik.goals.pin import Gaze, Pin, Planted, checked_load
from limbik.goals.plan import Plan, make_plan
from limbik.model.joint import Kind
from limbik.model.robots import is_figure
from limbik.model.segments import segment_joints
from limbik.posing.body_state import Posed
from limbik.posing.footprint import Footprint, weighted_centre
from limbik.solvers.many_goals import plans

if TYPE_CHECKING:
    from limbik.robot.skeleton import Skeleton

# The largest joint step per frame [rad], and the default of `relax`. At 60 frames per second these are 15 rad/s, faster than
# people move, and a time constant of a third of a second.
STEP, RELAX = 0.25, 0.05
# The bound on the motion by `relax`, as a fraction of the step; and its recovery per frame after a frame with unmet pins. With
# conflicting pins, relaxation would only make joints shake.
RELAXED, EASING = 0.25, 0.1

AnyPin = Pin | Gaze


class Body:
    """A skeleton and the pins that hold it. Immutable: `at(q)` returns a `Posed`, whose `drag` returns the next one.

    pins: Pin, Planted and Gaze. goals: further permanent goals (Clearance, Posture ...). stiffness: {joint or frame: number
    above 0}, default 1; inf locks a joint. rest: the posture to which free joints return, (n,); None means the posture given to
    `at`. relax: the fraction of that distance per frame. step: the largest rotation of a joint per frame [rad]; prismatic
    joints move at most this number times half their range. balance: the smallest distance of the centre of mass from the edge
    of the soles of planted frames [m]; None disables it. Raises BadOption, UnknownFrame, UnknownJoint.
    """

    def __init__(
        self,
        figure: "Skeleton",
        pins: Iterable[AnyPin],
        goals: Iterable[Goal] = (),
        *,
        stiffness: Mapping[str, float] | None = None,
        rest: Any = None,
        relax: float = RELAX,
        step: float = STEP,
        balance: float | None = None,
    ) -> None:
        if not is_figure(figure):
            raise BadOption(f"a Body needs a Skeleton, not {shown(figure)}; load one with limbik.load")
        self._figure = figure
        self._pins = _checked_pins(pins)
        self._goals = _checked(goals)
        self._stiffness = dict(stiffness) if isinstance(stiffness, Mapping) else _no_stiffness(stiffness)
        self._rest = None if rest is None else frozen(figure.clamp(_posture(rest, figure)))
        self._relax, self._step = _fraction(relax), number(step, "step")
        if not 0 < self._step <= math.pi:
            raise BadOption(f"step={shown(step)}: give an angle above 0 and at most pi [rad]")
        self._balance = None if balance is None else number(balance, "balance")
        if self._balance is not None and not any(isinstance(pin, Planted) for pin in self._pins):
            raise BadOption("balance= needs a planted frame: add lk.Planted(...)")
        model = figure.model
        self._model = model
        for pin in self._pins:
            model.frame_index(pin.frame)
        self._stiff, self._held = self._metric()
        self._footprint = Footprint.of(figure, self._pins, model)
        self._plan = make_plan(self._all_goals(), model)
        lengths = [len(spec.aims) for spec in self._plan.specs]
        ends = np.cumsum([0, *lengths]).tolist()
        self._places = {pin.name: slice(ends[k], ends[k + 1]) for k, pin in enumerate(self._pins)}
        self._tail = ends[len(self._pins) + len(self._goals)]
        self._named = {pin.name: pin for pin in self._pins}
        self._solver = plans(figure.model).solver(self._plan.key, limits=True, frozen=self._held, stiffness=self._stiff)
        self._most = self._bounds()

    # ---- properties --------------------------------------------------------------------------------------------------

    @property
    def figure(self) -> "Skeleton":
        """The skeleton."""
        return self._figure

    @property
    def pins(self) -> tuple[AnyPin, ...]:
        """The pins."""
        return self._pins

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The permanent goals besides the pins."""
        return self._goals

    @property
    def plan(self) -> Plan:
        """All pins and goals, compiled for the solver."""
        return self._plan

    @property
    def places(self) -> Mapping[str | None, slice]:
        """The slice of each pin in the target vector of the plan, by name."""
        return self._places

    @property
    def step(self) -> float:
        """The largest rotation of a joint per frame [rad]."""
        return self._step

    def with_pins(self, *pins: AnyPin) -> "Body":
        """Return the same body with other pins, for example after a foot is lifted."""
        arguments = self._settings | {"pins": pins}
        return Body(**arguments)

    @property
    def _settings(self) -> dict[str, Any]:
        return {
            "figure": self._figure, "pins": self._pins, "goals": self._goals, "stiffness": self._stiffness,
            "rest": self._rest, "relax": self._relax, "step": self._step, "balance": self._balance,
        }  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._settings,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Body):
            return NotImplemented
        mine, theirs = self._settings, other._settings
        return np.array_equal(self._plan.aims, other._plan.aims) and all(
            np.array_equal(mine[key], theirs[key]) if key == "rest" else mine[key] == theirs[key] for key in mine
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Body of '{self._figure.name}' held by {', '.join(str(pin.name) for pin in self._pins)}>"

    # ---- methods -----------------------------------------------------------------------------------------------------

    def at(self, q: Any = None) -> Posed:
        """Return the body in a posture, with every pin at its current pose. None means home; q is clamped to the limits."""
        start = self._figure.home if q is None else self._figure.clamp(_posture(q, self._figure))
        aims = np.array(self._plan.aims)
        poses = self._figure.model.forward_all(start)
        frames = self._model.compiled.frame_numbers
        for pin in self._pins:
            aims[self._places[pin.name]] = pin.here(poses[frames[pin.frame]])
        support, centres = self._footprint.stand(poses)
        loads = self._footprint.loads
        if self._balance is not None:
            aims[self._tail : self._tail + support.size] = support.ravel()
        if loads:
            aims[-3:] = weighted_centre(loads, centres)
        missing = self._solver.errors(aims, start)
        rest = start if self._rest is None else self._rest
        return Posed(self, frozen(start), frozen(aims), frozen(missing), frozen(np.array(rest)), centres, loads)

    def advance(self, now: Posed, targets: Mapping[str, Any], load: Mapping[str, Any] | None) -> Posed:
        """Return the body one frame later; `Posed.drag` calls this."""
        aims = np.array(now.aims)
        for name, target in targets.items():
            pin = self._named.get(name)
            if pin is None or not pin.moves:
                self._refuse(name, pin)
            place = self._places[name]
            aims[place] = pin.towards(target, aims[place])  # type: ignore[union-attr]
        loads = now.loads
        if load is not None:
            loads = self._loaded(now, load)
            aims[-3:] = weighted_centre(loads, now.centres)
        start, most = now.q, self._most
        if self._relax > 0 and now.ease > 0:
            start, most = self._relaxed(now)
        q, missing, met = self._solver.drag(aims, start, most)
        for part in (q, aims, missing):
            part.setflags(write=False)
        return Posed(self, q, aims, missing, now.rest, now.centres, loads, min(1.0, now.ease + EASING) if met else 0.0)

    def _relaxed(self, now: Posed) -> tuple[Array, Array]:
        """Return the posture after relaxation, and the remaining joint steps of this frame."""
        bound = RELAXED * self._most
        dq = np.clip(now.ease * self._relax * self._figure.model.difference(now.q, now.rest), -bound, bound)
        dq[self._unrelaxed] = 0.0
        used = np.abs(dq)
        for first in self._balls:
            used[first : first + 3] = np.linalg.norm(dq[first : first + 3])
        return self._figure.model.integrate(now.q, dq), self._most - used

    def _refuse(self, name: Any, pin: AnyPin | None) -> None:
        if pin is None:
            raise UnknownFrame(f"no pin {shown(name)}; {suggest(str(name), [str(k) for k in self._named])}")
        raise BadOption(f"'{name}' is planted and cannot be dragged; use lk.Pin({pin.frame!r}) instead")

    # ---- support -----------------------------------------------------------------------------------------------------

    def _all_goals(self) -> tuple[Goal, ...]:
        goals: tuple[Goal, ...] = (*(pin.goal() for pin in self._pins), *self._goals)
        if self._balance is not None:
            goals = (*goals, Balance(np.zeros((self._footprint.corners, 3)), self._balance))
        if self._footprint.loads:
            goals = (*goals, Balance(np.zeros((1, 3)), tolerance=math.inf))
        return goals

    def _loaded(self, now: Posed, load: Any) -> tuple[tuple[str, float], ...]:
        if not isinstance(load, Mapping):
            raise BadOption(f"load={shown(load)} must be {{planted frame: share of the weight}}")
        loads = dict(now.loads)
        if not loads:
            raise BadOption("no planted frame carries a load: add one with lk.Planted(frame, load=0.5)")
        for name, given in load.items():
            if name not in loads:
                raise UnknownFrame(f"no planted frame {shown(name)} with a load; {suggest(str(name), loads)}")
            loads[name] = checked_load(given, name)
        return tuple(loads.items())

    # ---- joints ------------------------------------------------------------------------------------------------------

    def _metric(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the stiffness of each joint value, and the indices of the locked ones."""
        stiff = np.ones(self._figure.n)
        for name, given in self._stiffness.items():
            value = number(given, f"the stiffness of {shown(name)}")
            if not value > 0:
                raise BadOption(
                    f"the stiffness of {shown(name)} is {shown(given)}; give a number above 0, or inf to lock it"
                )
            for variable in self._joints(name):
                stiff[variable.first : variable.first + variable.joint.kind.size] = value
        locked = np.isinf(stiff)
        if (stiff == 1.0).all():
            return (), ()
        return tuple(np.where(locked, 1.0, stiff).tolist()), tuple(np.flatnonzero(locked).tolist())

    def _joints(self, name: Any) -> list[Any]:
        """Return the joint of a name, or all joints that rotate the frame of that name relative to its parent segment."""
        known = self._model.variables
        if name in known:
            return [known[name]]
        if name in self._figure.frames:
            joints = segment_joints(self._figure.model.mechanism, name)
            found = [known[joint.name] for joint in joints if joint.name in known]
            if found:
                return found
        raise UnknownFrame(
            f"no joint and no moving frame {shown(name)} in '{self._figure.name}'; "
            f"{suggest(str(name), [*self._figure.frames, *known])}"
        )

    def _bounds(self) -> Array:
        """Return the largest step of each joint value per frame, (n,); store which values `relax` omits, and the balls."""
        most = np.full(self._figure.n, self._step)
        floating: list[int] = []
        balls: list[int] = []
        for v in self._model.compiled.variables:
            if v.joint.kind is Kind.PRISMATIC:
                most[v.first] = self._step * self._model.length
            elif v.joint.kind is Kind.FLOATING:
                most[v.first : v.first + 3] = self._step * self._model.length
                floating += range(v.first, v.first + 6)
            elif v.joint.kind is Kind.BALL:
                balls.append(v.first)
        self._unrelaxed = [*floating, *self._held]
        self._balls = tuple(balls)
        return most


def _restored(settings: dict[str, Any]) -> Body:
    return Body(**settings)


def _checked_pins(given: Any) -> tuple[AnyPin, ...]:
    """Return pins with unique names. Raises BadOption."""
    pins = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | Mapping) else ()
    if not pins or not all(isinstance(pin, Pin | Gaze) for pin in pins):
        raise BadOption(f"pins must be lk.Pin, lk.Planted or lk.Gaze objects, at least one; got {shown(given)}")
    names = [pin.name for pin in pins]
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"two pins are called '{name}'; give one of them a name=")
    return pins


def _checked(given: Any) -> tuple[Goal, ...]:
    goals = (given,) if isinstance(given, Goal) else tuple(given) if isinstance(given, Iterable) else (None,)
    if not all(isinstance(goal, Goal) for goal in goals):
        raise BadOption(f"goals must be limbik goals, such as lk.Posture(q); got {shown(given)}")
    return goals


def _no_stiffness(given: Any) -> dict[str, float]:
    if given is not None:
        raise BadOption(f"stiffness={shown(given)} must be {{joint or frame: number}}")
    return {}


def _fraction(given: Any) -> float:
    part = number(given, "relax")
    if not 0 <= part <= 1:
        raise BadOption(f"relax={shown(given)}: give the fraction of the distance to rest per frame, 0 to 1")
    return part


def _posture(given: Any, figure: "Skeleton") -> Array:
    q = numbers(given, f"a posture of '{figure.name}' must be {figure.n} numbers")
    if q.shape != (figure.n,):
        raise ShapeError(f"a posture of '{figure.name}' has shape ({figure.n},); got {q.shape}")
    return figure.model.kernel.checked(q)

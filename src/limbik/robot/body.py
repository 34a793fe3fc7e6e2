"""A whole body held by pins and dragged, frame by frame: the full-body inverse kinematics of an animator.

Each frame starts from the posture of the last one and nothing else: one attempt by damped least squares, no joint farther than a
stated step, so that nothing pops. A pin that cannot be met is followed as near as it gets, and the figure goes on smoothly when
it comes back. Where pins leave freedom, two things decide: `stiffness`, how unwilling each joint is to move, which is the metric
of the damped step; and `relax`, the part of the way back to its rest posture that every joint is led before the pins are met
again. Both cost nothing. Wishes (a Posture ...) are served as well, a little in every frame.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, ShapeError, UnknownFrame, shown, suggest
from limbik.geometry.arrays import Array, frozen, number, numbers
from limbik.goals.balance import Balance
from limbik.goals.goal import Goal
from limbik.goals.pin import Gaze, Pin, Planted, checked_load
from limbik.goals.plan import Plan, make_plan
from limbik.model.joint import Kind
from limbik.model.segments import segment_joints
from limbik.robot.footprint import Footprint, shifted
from limbik.robot.posed import Posed
from limbik.robot.skeleton import Skeleton
from limbik.solvers.iterative.many_goals import plans

# The farthest that a joint goes in one frame [rad], and the part of the way to rest that is taken in each: at 60 frames a second
# 15 rad/s, faster than people move, and a third of a second.
STEP, RELAX = 0.25, 0.05
# The bound on what `relax` moves, as a part of a step; and the part of it that comes back in every frame after one in which pins
# were not met: where they fight, leading joints elsewhere would only make them shake.
RELAXED, EASING = 0.25, 0.1

AnyPin = Pin | Gaze


class Body:
    """A skeleton and the pins that hold it. Immutable: `at(q)` gives a `Posed`, whose `drag` gives the next.

    pins: Pin, Planted and Gaze. goals: other goals that hold all the time (Clearance, Posture ...). stiffness: {joint or frame:
    number above 0}, 1 where nothing is said; inf locks it. rest: the posture that what is free returns to, (n,); None is the one
    that `at` is given. relax: the part of the way there that is taken in a frame. step: the farthest that a joint turns in a
    frame [rad]; slides go this times half the span. balance: how far inside the soles of planted frames the centre of mass stays
    [m]; None does not ask. Raises BadOption, UnknownFrame, UnknownJoint.
    """

    def __init__(
        self,
        figure: Skeleton,
        pins: Iterable[AnyPin],
        goals: Iterable[Goal] = (),
        *,
        stiffness: Mapping[str, float] | None = None,
        rest: Any = None,
        relax: float = RELAX,
        step: float = STEP,
        balance: float | None = None,
    ) -> None:
        if not isinstance(figure, Skeleton):
            raise BadOption(f"a body is made of a Skeleton, not {shown(figure)}; load one by limbik.load")
        self._figure = figure
        self._pins = _checked_pins(pins)
        self._goals = _checked(goals)
        self._stiffness = dict(stiffness) if isinstance(stiffness, Mapping) else _no_stiffness(stiffness)
        self._rest = None if rest is None else frozen(figure.clamp(_posture(rest, figure)))
        self._relax, self._step = _part(relax), number(step, "step")
        if not 0 < self._step <= math.pi:
            raise BadOption(f"step={shown(step)}: an angle above 0 is meant [rad], at most half a turn")
        self._balance = None if balance is None else number(balance, "balance")
        if self._balance is not None and not any(isinstance(pin, Planted) for pin in self._pins):
            raise BadOption("balance= needs a planted frame to stand on: add lk.Planted(...)")
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

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def figure(self) -> Skeleton:
        """The skeleton."""
        return self._figure

    @property
    def pins(self) -> tuple[AnyPin, ...]:
        """What holds it."""
        return self._pins

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The other goals that hold all the time."""
        return self._goals

    @property
    def plan(self) -> Plan:
        """Every pin and goal, as the solver takes them."""
        return self._plan

    @property
    def places(self) -> Mapping[str | None, slice]:
        """Where the numbers of each pin are among the aims of the plan, by its name."""
        return self._places

    @property
    def step(self) -> float:
        """The farthest that a joint turns in a frame [rad]."""
        return self._step

    def with_pins(self, *pins: AnyPin) -> "Body":
        """Return the same body held by other pins: a foot is lifted, a hand let go."""
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

    # ---- what it does ------------------------------------------------------------------------------------------------

    def at(self, q: Any = None) -> Posed:
        """Return the body in a posture, every pin where that puts it; None is the home posture. Moved inside the limits."""
        start = self._figure.home if q is None else self._figure.clamp(_posture(q, self._figure))
        aims = np.array(self._plan.aims)
        poses = self._figure.forward_all(start)
        frames = self._model.compiled.frame_numbers
        for pin in self._pins:
            aims[self._places[pin.name]] = pin.here(poses[frames[pin.frame]])
        support, centres = self._footprint.stand(poses)
        loads = self._footprint.loads
        if self._balance is not None:
            aims[self._tail : self._tail + support.size] = support.ravel()
        if loads:
            aims[-3:] = shifted(loads, centres)
        missing = self._solver.errors(aims, start)
        rest = start if self._rest is None else self._rest
        return Posed(self, frozen(start), frozen(aims), frozen(missing), frozen(np.array(rest)), centres, loads)

    def advance(self, now: Posed, targets: Mapping[str, Any], load: Mapping[str, Any] | None) -> Posed:
        """Return the body one frame after a posture of it; `Posed.drag` calls this."""
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
            aims[-3:] = shifted(loads, now.centres)
        start, most = now.q, self._most
        if self._relax > 0 and now.ease > 0:
            start, most = self._relaxed(now)
        q, missing, met = self._solver.drag(aims, start, most)
        for part in (q, aims, missing):
            part.setflags(write=False)
        return Posed(self, q, aims, missing, now.rest, now.centres, loads, min(1.0, now.ease + EASING) if met else 0.0)

    def _relaxed(self, now: Posed) -> tuple[Array, Array]:
        """Return a posture a little nearer to rest, and how far joints may still go in this frame."""
        bound = RELAXED * self._most
        way = np.clip(now.ease * self._relax * self._figure.difference(now.q, now.rest), -bound, bound)
        way[self._unrelaxed] = 0.0
        spent = np.abs(way)
        for first in self._turns:
            spent[first : first + 3] = np.linalg.norm(way[first : first + 3])
        return self._figure.integrate(now.q, way), self._most - spent

    def _refuse(self, name: Any, pin: AnyPin | None) -> None:
        if pin is None:
            raise UnknownFrame(f"no pin {shown(name)}; {suggest(str(name), [str(k) for k in self._named])}")
        raise BadOption(f"'{name}' is planted and stays; hold it by lk.Pin({pin.frame!r}) to drag it")

    # ---- what stands -------------------------------------------------------------------------------------------------

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
            raise BadOption("no planted frame carries a load: make one by lk.Planted(frame, load=0.5)")
        for name, given in load.items():
            if name not in loads:
                raise UnknownFrame(f"no planted frame {shown(name)} with a load; {suggest(str(name), loads)}")
            loads[name] = checked_load(given, name)
        return tuple(loads.items())

    # ---- joints ------------------------------------------------------------------------------------------------------

    def _metric(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the stiffness of each number of q, and those that are locked."""
        stiff = np.ones(self._figure.n)
        for name, given in self._stiffness.items():
            value = number(given, f"the stiffness of {shown(name)}")
            if not value > 0:
                raise BadOption(f"the stiffness of {shown(name)} is {shown(given)}; above 0 is meant, inf locks it")
            for variable in self._joints(name):
                stiff[variable.first : variable.first + variable.joint.kind.size] = value
        locked = np.isinf(stiff)
        if (stiff == 1.0).all():
            return (), ()
        return tuple(np.where(locked, 1.0, stiff).tolist()), tuple(np.flatnonzero(locked).tolist())

    def _joints(self, name: Any) -> list[Any]:
        """Return the joints that a name stands for: a joint, or all that turn a frame against the segment before it."""
        known = self._model.variables
        if name in known:
            return [known[name]]
        if name in self._figure.frames:
            joints = segment_joints(self._figure.mechanism, name)
            found = [known[joint.name] for joint in joints if joint.name in known]
            if found:
                return found
        raise UnknownFrame(
            f"no joint and no moving frame {shown(name)} in '{self._figure.name}'; "
            f"{suggest(str(name), [*self._figure.frames, *known])}"
        )

    def _bounds(self) -> Array:
        """Return the farthest that each number of q goes in a frame."""
        most = np.full(self._figure.n, self._step)
        loose: list[int] = []
        turns: list[int] = []
        for v in self._model.compiled.variables:
            if v.joint.kind is Kind.PRISMATIC:
                most[v.first] = self._step * self._model.length
            elif v.joint.kind is Kind.FLOATING:
                most[v.first : v.first + 3] = self._step * self._model.length
                loose += range(v.first, v.first + 6)
            elif v.joint.kind is Kind.BALL:
                turns.append(v.first)
        self._unrelaxed = [*loose, *self._held]
        self._turns = tuple(turns)
        return most


def _restored(settings: dict[str, Any]) -> Body:
    return Body(**settings)


def _checked_pins(given: Any) -> tuple[AnyPin, ...]:
    """Return pins with names of their own. Raises BadOption."""
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


def _part(given: Any) -> float:
    part = number(given, "relax")
    if not 0 <= part <= 1:
        raise BadOption(f"relax={shown(given)}: the part of the way to rest that is taken in a frame, 0 to 1")
    return part


def _posture(given: Any, figure: Skeleton) -> Array:
    q = numbers(given, f"a posture of '{figure.name}' is {figure.n} numbers")
    if q.shape != (figure.n,):
        raise ShapeError(f"a posture of '{figure.name}' has shape ({figure.n},); got {q.shape}")
    return figure.model.kernel.checked(q)

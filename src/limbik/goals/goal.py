"""A goal: an error function of the configuration (posture), with weight, tolerance, range and priority.

Keyword options of every goal:
weight: the weight of the error against other goals; lengths are measured in half the mechanism's span.
tolerance: the largest error with which the goal counts as met; `inf` makes it a secondary objective.
range: the free range: the goal is met anywhere in it, and the tolerance is measured from its edge.
priority: goals of priority 0 come first; later priorities never increase their errors. Secondary objectives come after all
required goals, in the order of their own priorities.
relative_to: the reference frame of its numbers; None is the base.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from limbik.errors import BadOption, LimbikError, shown
from limbik.geometry.arrays import number, vector
from limbik.model.model import Model
from limbik.model.record import Record

Vector = tuple[float, float, float]

ORIGIN: Vector = (0.0, 0.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)

# Number of compiled goals (without targets) that a mechanism caches.
MOST_REMEMBERED = 4096
# Tolerance of a unit length.
UNIT_ROUNDING = 1e-12


class Spec(NamedTuple):
    """A goal in the form of the core.

    adding: the name of the method of GoalList that adds it. arguments: its constant data. aims: its target numbers.
    tolerances: of each of its parts. spare: an amount subtracted from the largest error of its parts, such as the
    margin of a Clearance.
    """

    adding: str
    arguments: tuple[Any, ...]
    aims: tuple[float, ...]
    tolerances: tuple[float, ...]
    spare: float = 0.0


class Part(NamedTuple):
    """One part of a goal: its number of values, whether they are lengths, its weight and tolerance, and its free range."""

    rows: int
    metres: bool
    weight: float
    tolerance: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Goal(Record):
    """The base class of goals. Immutable; compares by its fields."""

    weight: Any = 1.0
    tolerance: Any = None
    range: Any = 0.0
    priority: int = 0
    relative_to: str | None = None
    # Whether the goal must be met.
    required: bool = field(init=False, repr=False, default=True)

    # The units of its parts: "m", "rad", or "" for plain numbers.
    units: ClassVar[tuple[str, ...]] = ("m",)
    # Whether the goal is required if no tolerance is given.
    needed: ClassVar[bool] = True
    # Options that do not apply.
    without: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name in ("weight", "tolerance", "range"):
            if isinstance(given := getattr(self, name), np.ndarray):
                object.__setattr__(self, name, tuple(given.tolist()) if given.ndim else float(given))
        super().__post_init__()
        if isinstance(self.priority, bool) or not isinstance(self.priority, int | np.integer) or self.priority < 0:
            raise BadOption(f"{self.kind}: priority={shown(self.priority)} must be a whole number, 0 for the first")
        plain = type(self.weight) is float and self.weight == 1.0
        for weight in () if plain else self.each(self.weight, "weight"):
            if not (math.isfinite(weight) and weight >= 0):
                raise BadOption(f"{self.kind}: weight={shown(self.weight)} must be finite and not below 0")
        for name in self.without:
            if getattr(self, name) != Goal.__dataclass_fields__[name].default:
                raise BadOption(f"{self.kind}: {name}= does not apply; leave it out")
        required = self.needed
        if self.tolerance is not None:
            tolerances = self.each(self.tolerance, "tolerance")
            if not all(t > 0 for t in tolerances):
                raise BadOption(
                    f"{self.kind}: tolerance={shown(self.tolerance)} must be above 0; inf: secondary objective"
                )
            required = any(map(math.isfinite, tolerances))
        if not plain and not any(self.each(self.weight, "weight")):
            required = False  # weight 0: the goal is only measured
        object.__setattr__(self, "required", required)

    @property
    def kind(self) -> str:
        """The name of the kind of goal."""
        return type(self).__name__

    @abstractmethod
    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism. Raises UnknownFrame, UnknownJoint or BadOption if it does not fit."""

    def _sight(
        self,
        model: Model,
        kind: str,
        aims: tuple[float, ...],
        rows: tuple[int, ...] = (),
        at: Vector = ORIGIN,
        axis: Vector = Z,
        observer: str | None = None,
    ) -> Spec:
        """Return a goal for a frame relative to another one.

        rows: the number of values of each part, whose free range is a ball; () for one value whose free range is an
        interval. at: the measured point of the frame. observer: the frame of the target. Everything except the aims is
        cached, because the next target is often for the same frame.
        """
        frame = self.frame  # type: ignore[attr-defined]
        key: Any = (kind, frame, at, axis, observer, self.weight, self.tolerance, self.range)
        try:
            known = model.remembered.get(key)
        except TypeError:  # unhashable: it contains a list
            key, known = None, None
        if known is None:
            parts = self._balls(model, *rows) if rows else self._interval(model, *self._range_ends())
            where = model.frame_index(frame), at, model.observer(observer), axis
            known = (kind, *where, parts), tolerances_of(parts)
            if key is not None and len(model.remembered) < MOST_REMEMBERED:
                model.remembered[key] = known
        return Spec("sight", known[0], aims, known[1])

    def __repr__(self) -> str:
        options = fields(Goal)
        own = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name not in {o.name for o in options}]
        given = [
            f"{option.name}={getattr(self, option.name)!r}"
            for option in options
            if option.repr and not _same(getattr(self, option.name), option.default)
        ]
        return f"{self.kind}({', '.join(own + given)})"

    def describe(self) -> str:
        """Return the kind of the goal and its frame, as text."""
        frame = getattr(self, "frame", None)
        return self.kind if frame is None else f"{self.kind} '{frame}'"

    def each(self, given: Any, what: str) -> tuple[float, ...]:
        """Return one number for each part, given one for all or one each."""
        if isinstance(given, tuple | list):
            if len(given) != len(self.units):
                count = "one number" if len(self.units) == 1 else f"one number or {len(self.units)}"
                raise BadOption(f"{self.kind}: {what}={shown(given)} must be {count}")
            return tuple(number(x, f"{self.kind}: {what}") for x in given)
        return (number(given, f"{self.kind}: {what}"),) * len(self.units)

    def tolerances(self, model: Model) -> tuple[float, ...]:
        """Return the tolerance of each part."""
        if self.tolerance is not None:
            return self.each(self.tolerance, "tolerance")
        if not self.needed:
            return (math.inf,) * len(self.units)
        return tuple(model.tolerance(unit) for unit in self.units)

    def _balls(self, model: Model, *rows: int) -> tuple[float, ...]:
        """Return parts of several values, each free within a ball of radius `range`, as one row of numbers."""
        weights, tolerances = self.each(self.weight, "weight"), self.tolerances(model)
        free = self.each(self.range, "range")
        if not all(r >= 0 and math.isfinite(r) for r in free):
            raise BadOption(f"{self.kind}: range={shown(self.range)} is the free range: a finite number, 0 or more")
        parts = zip(rows, self.units, weights, tolerances, free, strict=True)
        return tuple(
            x
            for rows, unit, w, t, r in parts
            # A part with infinite tolerance of a required goal has weight 0.
            for x in Part(rows, unit == "m", w if math.isfinite(t) or not self.required else 0.0, t, -r, r)
        )

    def _interval(self, model: Model, low: float = 0.0, high: float = 0.0) -> tuple[float, ...]:
        """Return a part of one value that is free in [low, high], as one row of numbers."""
        (weight,), (tolerance,) = self.each(self.weight, "weight"), self.tolerances(model)
        return tuple(Part(1, self.units[0] == "m", weight, tolerance, low, high))

    def _free(self) -> float:
        """Return the free range of joints."""
        (free,) = self.each(self.range, "range")
        if not (free >= 0 and math.isfinite(free)):
            raise BadOption(f"{self.kind}: range={shown(self.range)} is the free range: a finite number, 0 or more")
        return free

    def widened(self, share: float, model: Model) -> "Goal":
        """Return the goal with a share of its tolerance as free range."""
        if self.tolerance is None or "tolerance" in self.without or "range" in self.without:
            return self
        spare = [t * share if math.isfinite(t) else 0.0 for t in self.tolerances(model)]
        rest = tuple(t * (1 - share) for t in self.tolerances(model))
        if len(self.units) > 1:
            free: Any = tuple(r + s for r, s in zip(self.each(self.range, "range"), spare, strict=True))
        elif isinstance(self.range, tuple | list):
            low, high = self._range_ends()
            free = (low - spare[0], high + spare[0])
        else:
            free = self.each(self.range, "range")[0] + spare[0]
        return replace(self, range=free, tolerance=rest if len(rest) > 1 else rest[0])

    def _range_ends(self) -> tuple[float, float]:
        """Return the range of one value as (low, high), from both ends or a symmetric range."""
        given = self.range
        if isinstance(given, tuple | list) and len(given) == 2:
            low, high = (number(x, f"{self.kind}: range") for x in given)
        else:
            high = number(given, f"{self.kind}: range")
            low = -high
        if not low <= high or low == math.inf or high == -math.inf:
            raise BadOption(f"{self.kind}: range={shown(self.range)} must be (low, high), or one number for both sides")
        return low, high


def store_vector(goal: Goal, name: str, what: str) -> None:
    """Store the three numbers in the field `name` as a tuple of floats. what: the field's words in errors. Raises BadOption."""
    x, y, z = vector(getattr(goal, name), f"{goal.kind}: {what}").tolist()
    object.__setattr__(goal, name, (x, y, z))


def store_direction(goal: Goal, name: str, what: str) -> None:
    """Store the direction in the field `name` as a unit vector, a tuple of floats. Raises BadOption, also for the zero vector."""
    store_vector(goal, name, what)
    x, y, z = getattr(goal, name)
    length = math.hypot(x, y, z)
    if not length > 0:
        raise BadOption(f"{goal.kind}: {what} is zero; give a direction")
    if abs(length - 1) > UNIT_ROUNDING:  # a unit vector is kept bit for bit
        object.__setattr__(goal, name, (x / length, y / length, z / length))


def tolerances_of(parts: tuple[float, ...]) -> tuple[float, ...]:
    """Return the tolerance of every part in a row of numbers."""
    return parts[Part._fields.index("tolerance") :: len(Part._fields)]


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and not isinstance(a, np.ndarray) and bool(a == b)


def worst(goals: Sequence[Goal], errors: Sequence[Sequence[float]], unit: str) -> float:
    """Return the largest error of the required goals in a unit; 0 if none has that unit."""
    required = (pair for pair in zip(goals, errors, strict=True) if pair[0].required)
    return max((e for goal, own in required for e, u in zip(own, goal.units, strict=True) if u == unit), default=0.0)


def checked_goals(given: Any) -> tuple[Goal, ...]:
    """Return goals from one or several. Raises BadOption."""
    if isinstance(given, Goal):
        return (given,)
    try:
        goals = tuple(given)
    except (TypeError, LimbikError):
        goals = ()
    if not goals or not all(isinstance(goal, Goal) for goal in goals):
        raise BadOption(f"goals must be limbik goals, such as [lk.Position('hand', p)]; got {shown(given)}")
    return goals

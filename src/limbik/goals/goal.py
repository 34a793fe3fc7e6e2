"""A goal: something to be measured in a posture, how much it counts, and when it is met.

What every goal takes, by keyword:
weight: how much what is missing counts against other goals, lengths counted in half the mechanism's span.
tolerance: what may be missing for the goal to be met; `inf` makes it a wish that an answer does without.
range: what is free: a goal is met anywhere in it, and its tolerance is counted from its edge.
priority: goals of priority 0 come first; those of 1 may not cost them anything, and so on. Wishes come after all that must be
met, in the order of their own priorities.
relative_to: the frame that its numbers are seen from; None is the base.
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

# Goals without their aims that a mechanism remembers.
MOST_REMEMBERED = 4096
# A direction this near to length 1 has it.
UNIT_ROUNDING = 1e-12


class Spec(NamedTuple):
    """A goal as the core takes it: how it is added, what stays the same from call to call, and its numbers.

    tolerances: of each of its parts. spare: what a part may miss of its own measure without missing anything of the goal.
    """

    adding: str
    arguments: tuple[Any, ...]
    aims: tuple[float, ...]
    tolerances: tuple[float, ...]
    spare: float = 0.0


class Part(NamedTuple):
    """One measure of a goal: how many numbers, whether they are metres, and what is free."""

    rows: int
    metres: bool
    weight: float
    tolerance: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Goal(Record):
    """What every goal has. Immutable; compares by its numbers."""

    weight: Any = 1.0
    tolerance: Any = None
    range: Any = 0.0
    priority: int = 0
    relative_to: str | None = None
    # Whether an answer that does not meet it is none.
    required: bool = field(init=False, repr=False, default=True)

    # The units of its parts: "m", "rad", or "" for plain numbers.
    units: ClassVar[tuple[str, ...]] = ("m",)
    # Whether an answer must meet it when its tolerance is left out.
    needed: ClassVar[bool] = True
    # Options that say nothing about it.
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
                raise BadOption(f"{self.kind}: {name}= means nothing here; leave it out")
        required = self.needed
        if self.tolerance is not None:
            tolerances = self.each(self.tolerance, "tolerance")
            if not all(t > 0 for t in tolerances):
                raise BadOption(f"{self.kind}: tolerance={shown(self.tolerance)} must be above 0; inf makes it a wish")
            required = any(map(math.isfinite, tolerances))
        if not plain and not any(self.each(self.weight, "weight")):
            required = False  # it pulls at nothing: it is only measured
        object.__setattr__(self, "required", required)

    @property
    def kind(self) -> str:
        """What it is called."""
        return type(self).__name__

    @abstractmethod
    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism. Raises UnknownFrame, UnknownJoint or BadOption where it does not fit."""

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
        """Return a goal about a frame as another sees it.

        rows: how many numbers each part has, free within a ball; none is one number that is free in an interval. at: the point
        of the frame that is seen. All but its aims is remembered: the next target is often for the same frame.
        """
        frame = self.frame  # type: ignore[attr-defined]
        key: Any = (kind, frame, at, axis, observer, self.weight, self.tolerance, self.range)
        try:
            known = model.remembered.get(key)
        except TypeError:  # a list among them
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
        """Return what it is called and the frame it is about."""
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
        """Return what each part may miss for the goal to be met."""
        if self.tolerance is not None:
            return self.each(self.tolerance, "tolerance")
        if not self.needed:
            return (math.inf,) * len(self.units)
        return tuple(model.tolerance(unit) for unit in self.units)

    def _balls(self, model: Model, *rows: int) -> tuple[float, ...]:
        """Return parts of several numbers, each free within `range` of its target, as one row of numbers."""
        weights, tolerances = self.each(self.weight, "weight"), self.tolerances(model)
        free = self.each(self.range, "range")
        if not all(r >= 0 and math.isfinite(r) for r in free):
            raise BadOption(f"{self.kind}: range={shown(self.range)} is how far off is still there: 0 or more, finite")
        parts = zip(rows, self.units, weights, tolerances, free, strict=True)
        return tuple(
            x
            for rows, unit, w, t, r in parts
            # of a goal that must be met, a part that need not be is free
            for x in Part(rows, unit == "m", w if math.isfinite(t) or not self.required else 0.0, t, -r, r)
        )

    def _interval(self, model: Model, low: float = 0.0, high: float = 0.0) -> tuple[float, ...]:
        """Return a part of one number that is free from `low` to `high`, as one row of numbers."""
        (weight,), (tolerance,) = self.each(self.weight, "weight"), self.tolerances(model)
        return tuple(Part(1, self.units[0] == "m", weight, tolerance, low, high))

    def _free(self) -> float:
        """Return the range of joints: how far each may be off."""
        (free,) = self.each(self.range, "range")
        if not (free >= 0 and math.isfinite(free)):
            raise BadOption(f"{self.kind}: range={shown(self.range)} is how far off is still there: 0 or more, finite")
        return free

    def widened(self, share: float, model: Model) -> "Goal":
        """Return the goal with a part of its tolerance made free: what is within it then pulls no more."""
        if self.tolerance is None or "tolerance" in self.without or "range" in self.without:
            return self
        spare = [t * share if math.isfinite(t) else 0.0 for t in self.tolerances(model)]
        left = tuple(t * (1 - share) for t in self.tolerances(model))
        if len(self.units) > 1:
            free: Any = tuple(r + s for r, s in zip(self.each(self.range, "range"), spare, strict=True))
        elif isinstance(self.range, tuple | list):
            low, high = self._range_ends()
            free = (low - spare[0], high + spare[0])
        else:
            free = self.each(self.range, "range")[0] + spare[0]
        return replace(self, range=free, tolerance=left if len(left) > 1 else left[0])

    def _range_ends(self) -> tuple[float, float]:
        """Return the range of one number as (low, high): both ends, or how far to either side."""
        given = self.range
        if isinstance(given, tuple | list) and len(given) == 2:
            low, high = (number(x, f"{self.kind}: range") for x in given)
        else:
            high = number(given, f"{self.kind}: range")
            low = -high
        if not low <= high or low == math.inf or high == -math.inf:
            raise BadOption(
                f"{self.kind}: range={shown(self.range)} must be (low, high), or how far off is still there"
            )
        return low, high


def field_vector(goal: Goal, name: str, what: str) -> None:
    """Put a field of three numbers into its own form: a tuple of floats."""
    x, y, z = vector(getattr(goal, name), f"{goal.kind}: {what}").tolist()
    object.__setattr__(goal, name, (x, y, z))


def field_direction(goal: Goal, name: str, what: str) -> None:
    """Put a field that is a direction into its own form: a tuple of length 1."""
    field_vector(goal, name, what)
    x, y, z = getattr(goal, name)
    length = math.hypot(x, y, z)
    if not length > 0:
        raise BadOption(f"{goal.kind}: {what} has no length; give a direction")
    if abs(length - 1) > UNIT_ROUNDING:  # what has been made a unit vector once stays as it is
        object.__setattr__(goal, name, (x / length, y / length, z / length))


def tolerances_of(parts: tuple[float, ...]) -> tuple[float, ...]:
    """Return the tolerance of every part in a row of numbers."""
    return parts[Part._fields.index("tolerance") :: len(Part._fields)]


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and not isinstance(a, np.ndarray) and bool(a == b)


def worst(goals: Sequence[Goal], errors: Sequence[Sequence[float]], unit: str) -> float:
    """Return the most that any goal which must be met misses, in a unit; 0 where none is measured in it."""
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

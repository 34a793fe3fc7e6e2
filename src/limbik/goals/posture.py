"""Joints near given values. By default a secondary objective in the freedom that the other goals leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import numbers
from limbik.goals.goal import Goal, Part, Spec, tolerances_of
from limbik.model.joint import Kind
from limbik.model.model import Model, flat, is_prismatic


@dataclass(frozen=True, eq=False, repr=False)
class Posture(Goal):
    """The joints have the values q, (n,), or some of them {joint name: value}.

    A ball's value is a rotation vector, a floating joint's a position and a rotation vector. weight: per radian;
    prismatic joints are measured in half the span. range: the free deviation of each joint.
    """

    q: Any

    units: ClassVar[tuple[str, ...]] = ("rad",)
    needed: ClassVar[bool] = False
    without: ClassVar[tuple[str, ...]] = ("relative_to",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.q, Mapping):
            values = {name: _values(value, f"Posture: '{name}'") for name, value in self.q.items()}
            if not values:
                raise BadOption("Posture: name at least one joint")
            object.__setattr__(self, "q", values)
            return
        q = numbers(self.q, "Posture: q must be joint values, or {joint name: value}")
        if q.ndim != 1:
            raise ShapeError(f"Posture: q must have shape (n,); got {q.shape}")
        if not np.isfinite(q).all():
            raise NotFinite("Posture: q holds NaN or infinity")
        q.setflags(write=False)
        object.__setattr__(self, "q", q)

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        if isinstance(self.q, dict):
            named = sorted(((model.variable(name), value) for name, value in self.q.items()), key=lambda v: v[0].first)
            chosen = dict(named)
        else:
            if self.q.shape != (model.compiled.n,):
                raise ShapeError(
                    f"Posture: q has {self.q.size} numbers, but '{model.compiled.name}' has n = {model.compiled.n}"
                )
            chosen = {
                v: tuple(self.q[v.first : v.first + v.joint.kind.size].tolist()) for v in model.compiled.variables
            }
        for v, value in chosen.items():
            if len(value) != v.joint.kind.size:
                raise ShapeError(
                    f"Posture: joint '{v.joint.name}' takes {v.joint.kind.size} numbers; got {shown(value)}"
                )
        (weight,), (tolerance,), free = self.each(self.weight, "weight"), self.tolerances(model), self._free()
        if not chosen:
            raise BadOption(f"Posture: '{model.compiled.name}' has no joints")
        parts: list[Part] = []
        for v in chosen:
            if v.joint.kind.size == 1:
                parts.append(Part(1, is_prismatic(v), weight, tolerance, -free, free))
                continue
            if v.joint.kind is Kind.FLOATING:
                parts.append(Part(3, True, weight, tolerance, -free, free))
            parts.append(Part(3, False, weight, tolerance, -free, free))
        elements = tuple(model.element(v) for v in chosen)
        rows = flat(parts)
        return Spec("posture", (elements, rows), flat(chosen.values()), tolerances_of(rows))


def _values(given: Any, what: str) -> tuple[float, ...]:
    values = np.atleast_1d(numbers(given, f"{what} must be one number, or those of a ball or floating joint"))
    if values.ndim != 1 or not np.isfinite(values).all():
        raise NotFinite(f"{what} must be finite numbers; got {shown(given)}")
    return tuple(values.tolist())

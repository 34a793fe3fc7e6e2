"""Joints near the middle of their limits. A wish."""

from dataclasses import dataclass
from typing import ClassVar

from limbik.errors import BadOption
from limbik.goals.goal import Goal, Part, Spec, tolerances_of
from limbik.model.model import Model, flat, slides


@dataclass(frozen=True, eq=False, repr=False)
class LimitCentre(Goal):
    """Every joint that has two limits stands near their middle; half a range counts 1. range: the part that is free."""

    units: ClassVar[tuple[str, ...]] = ("",)
    needed: ClassVar[bool] = False
    without: ClassVar[tuple[str, ...]] = ("relative_to",)

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        if not model.centred:
            raise BadOption(f"LimitCentre: no joint of '{model.compiled.name}' has two limits")
        (weight,), (tolerance,), free = self.each(self.weight, "weight"), self.tolerances(model), self._free()
        parts = [
            Part(1, False, weight / half, tolerance * half, -free * half, free * half)
            if not slides(v)
            else Part(1, True, weight * model.length / half, tolerance * half, -free * half, free * half)
            for v, _, half in model.centred
        ]
        elements = tuple(model.element(v) for v, _, _ in model.centred)
        rows = flat(parts)
        return Spec("posture", (elements, rows), tuple(middle for _, middle, _ in model.centred), tolerances_of(rows))

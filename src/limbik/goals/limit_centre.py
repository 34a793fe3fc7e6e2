"""Joints near the middle of their limits. A secondary objective."""

import math
from dataclasses import dataclass
from typing import ClassVar

from limbik.errors import BadOption
from limbik.goals.goal import Goal, Part, Spec, tolerances_of
from limbik.model.compiled import Variable
from limbik.model.model import Model, flat, is_prismatic


@dataclass(frozen=True, eq=False, repr=False)
class LimitCentre(Goal):
    """Every joint with two limits is near their middle; half a range counts 1. range: the free part."""

    units: ClassVar[tuple[str, ...]] = ("",)
    needed: ClassVar[bool] = False
    without: ClassVar[tuple[str, ...]] = ("relative_to",)

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        if not centred(model):
            raise BadOption(f"LimitCentre: no joint of '{model.compiled.name}' has two limits")
        (weight,), (tolerance,), free = self.each(self.weight, "weight"), self.tolerances(model), self._free()
        parts = [
            Part(1, False, weight / half, tolerance * half, -free * half, free * half)
            if not is_prismatic(v)
            else Part(1, True, weight * model.length / half, tolerance * half, -free * half, free * half)
            for v, _, half in centred(model)
        ]
        elements = tuple(model.element(v) for v, _, _ in centred(model))
        rows = flat(parts)
        return Spec("posture", (elements, rows), tuple(middle for _, middle, _ in centred(model)), tolerances_of(rows))


def centred(model: Model) -> tuple[tuple[Variable, float, float], ...]:
    """Return the joints that have two limits: (joint, middle, half the range)."""
    return tuple(
        (v, 0.5 * (v.joint.lower + v.joint.upper), 0.5 * (v.joint.upper - v.joint.lower))
        for v in model.compiled.variables
        if v.joint.kind.size == 1 and math.isfinite(v.joint.upper - v.joint.lower) and v.joint.upper > v.joint.lower
    )

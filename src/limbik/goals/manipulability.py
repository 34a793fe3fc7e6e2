"""Manipulability of a frame. A secondary objective."""

import math
from dataclasses import dataclass
from typing import ClassVar

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import number
from limbik.goals.goal import Goal, Spec, tolerances_of
from limbik.model.model import Model

_PARTS = {"both": (True, True), "position": (True, False), "rotation": (False, True)}


@dataclass(frozen=True, eq=False, repr=False)
class Manipulability(Goal):
    """The geometric mean of the singular values of the frame's Jacobian is large; lengths are measured in half the span.

    part: which rows count, "both", "position" or "rotation". at_least: a sufficient value; None: no bound. The error is
    1/(1 + mean): 0.5 if the mean is 1, and 1 in a singular posture (configuration); range is in the same measure.
    """

    frame: str | None = None
    part: str = "both"
    at_least: float | None = None

    units: ClassVar[tuple[str, ...]] = ("",)
    needed: ClassVar[bool] = False
    without: ClassVar[tuple[str, ...]] = ("relative_to",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.part, str) or self.part not in _PARTS:
            raise BadOption(f"Manipulability: part={shown(self.part)} must be 'both', 'position' or 'rotation'")
        if self.at_least is not None and not number(self.at_least, "Manipulability: at_least") >= 0:
            raise BadOption(f"Manipulability: at_least={shown(self.at_least)} must not be below 0")

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        _, high = self._range_ends()
        if self.at_least is not None:
            high = max(high, 1.0 / (1.0 + self.at_least))
        part = self._interval(model, -math.inf, high)
        arguments = model.frame_index(self.frame), *_PARTS[self.part], model.length, part
        return Spec("manipulability", arguments, (), tolerances_of(part))

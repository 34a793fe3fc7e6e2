"""The centre of mass over a support. Masses come from the model."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import number, numbers
from limbik.goals.goal import Goal, Spec, tolerances_of
from limbik.model.model import Model


@dataclass(frozen=True, eq=False, repr=False)
class Balance(Goal):
    """The vertical projection of the centre of mass lies inside the support polygon.

    support: (k, 3) ground points [m]; their convex hull counts. margin: least distance inside [m]. up: a direction in the base
    frame; None: the model's. relative_to: the frame that the support is fixed to, a foot for example. Of a chain, only the links
    along it count; of a figure, all links.
    """

    support: Any
    margin: float = 0.0
    up: Any = None

    without: ClassVar[tuple[str, ...]] = ("range",)

    def __post_init__(self) -> None:
        points = numbers(self.support, "Balance: support must be points, (k, 3)")
        if points.ndim != 2 or points.shape[1] != 3 or not len(points):
            raise ShapeError(f"Balance: support must be points of shape (k, 3); got {points.shape}")
        if not np.isfinite(points).all():
            raise NotFinite("Balance: support holds NaN or infinity")
        object.__setattr__(self, "support", points)
        super().__post_init__()
        margin = number(self.margin, "Balance: margin")
        if not (math.isfinite(margin) and margin >= 0):
            raise BadOption(f"Balance: margin={shown(self.margin)} must be finite and not below 0")
        object.__setattr__(self, "margin", margin)
        if self.up is not None:
            up = numbers(self.up, "Balance: up must be a direction")
            if up.shape != (3,) or not np.isfinite(up).all() or not np.linalg.norm(up) > 0:
                raise BadOption(f"Balance: up={shown(self.up)} must be a direction of three numbers")
            object.__setattr__(self, "up", tuple((up / np.linalg.norm(up)).tolist()))

    def spec(self, model: Model) -> Spec:
        """Return the goal for a mechanism."""
        if not model.masses:
            raise BadOption(f"Balance: no link of '{model.compiled.name}' has a mass; add masses to the model")
        up = model.up if self.up is None else self.up
        part = self._interval(model, -math.inf, -self.margin)
        arguments = model.masses, model.observer(self.relative_to), up, len(self.support), part
        return Spec("balance", arguments, tuple(self.support.ravel().tolist()), tolerances_of(part))

"""The state of a body: its posture and the targets of its pins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer

if TYPE_CHECKING:
    from limbik.posing.body import Body

# The most unmet pins that `why` names.
NAMED = 3


@dataclass(frozen=True, eq=False, repr=False)
class Posed(OneAnswer, Record):
    """A body in a posture, with the targets of its pins. Immutable: `drag` returns the next state.

    q: (n,) the posture (configuration). aims, missing: the target numbers and the errors of all goals, in the order of
    the body's plan. rest: the posture to which free joints return; ease: the factor of that motion, 0 while pins are
    not met. centres: of the soles of each planted pin, in the base frame [m]. loads: the share of the weight of each
    loaded pin. `np.asarray(posed)` is q.
    """

    body: "Body"
    q: Array
    aims: Array
    missing: Array
    rest: Array
    centres: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    loads: tuple[tuple[str, float], ...] = ()
    ease: float = 1.0

    def drag(self, targets: Mapping[str, Any] | None = None, *, load: Mapping[str, float] | None = None) -> "Posed":
        """Return the body one frame later, with some pins dragged.

        targets: {pin: pose (4, 4), rotation (3, 3) or point (3,)}; other pins keep their targets. load: {planted frame: share of
        the weight}, towards which the body leans. Joints stay inside their limits and move at most the body's step. If not all
        pins can be met, those with a lower priority yield, and the errors of the others are minimised.
        Raises UnknownFrame, BadOption, ShapeError, NotRigid, NotFinite.
        """
        if targets is not None and not isinstance(targets, Mapping):
            raise BadOption(f"targets must be {{pin: pose or point}}; got {shown(targets)}")
        return self.body.advance(self, targets or {}, load)

    @cached_property
    def _results(self) -> tuple[tuple[tuple[float, ...], ...], tuple[bool, ...]]:
        return self.body.plan.results(self.missing)

    @property
    def errors(self) -> dict[str, tuple[float, ...]]:
        """The error of each pin [m, rad or both]."""
        names = (str(pin.name) for pin in self.body.pins)
        return dict(zip(names, self._results[0], strict=False))

    @property
    def met(self) -> dict[str, bool]:
        """Whether each pin is met."""
        names = (str(pin.name) for pin in self.body.pins)
        return dict(zip(names, self._results[1], strict=False))

    @property
    def targets(self) -> dict[str, Array]:
        """The target of each pin."""
        places = self.body.places
        return {str(pin.name): pin.target(self.aims[places[pin.name]]) for pin in self.body.pins}

    @property
    def status(self) -> Status:
        """SOLVED if all required pins and goals are met inside the limits, by forward kinematics; else COMPROMISE."""
        met = zip(self.body.plan.goals, self._results[1], strict=True)
        return Status.SOLVED if all(ok for goal, ok in met if goal.required) else Status.COMPROMISE

    @property
    def why(self) -> str:
        """One sentence: the number of pins that are met, or the errors of those that are not."""
        if self.ok:
            return f"{len(self.body.pins)} pins met"
        errors, met = self._results
        worst = [
            f"{goal.describe()} misses {' and '.join(f'{e:.3g} {u}' for e, u in zip(own, goal.units, strict=True))}"
            for goal, own, fine in zip(self.body.plan.goals, errors, met, strict=True)
            if goal.required and not fine
        ]
        return f"closest posture within one frame: {'; '.join(worst[:NAMED])}"

    def forward(self, frame: str) -> Array:
        """Return the pose of a frame, (4, 4)."""
        return self.body.figure.forward(self.q, frame)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.q, dtype=dtype or np.float64, copy=True)

    def __repr__(self) -> str:
        return f"<Posed '{self.body.figure.name}': {self.why}>"

"""A body in one posture, held by its pins: what dragging starts from and returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.truth import Judged

if TYPE_CHECKING:
    from limbik.robot.body import Body

# Pins named in the sentence of a posture that does not meet them.
NAMED = 3


@dataclass(frozen=True, eq=False, repr=False)
class Posed(Judged, Record):
    """A body in a posture, and where its pins are. `drag` returns the next; nothing is changed.

    q: (n,). rest: the posture that what is free returns to; ease: how much of that is done, 0 while pins are not met.
    `np.asarray(posed)` is its q.
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
        """Return the body one frame on, with some pins dragged.

        targets: {pin: pose (4, 4), rotation (3, 3) or point (3,)}; pins that are not named stay. load: {planted frame: share of
        the weight} to lean over. Joints keep their limits and go no farther than the body's step; where the pins cannot all be
        met, those of a lower priority give way and the others are met as nearly as they can be.
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
        """What each pin misses [m, rad or both]."""
        names = (str(pin.name) for pin in self.body.pins)
        return dict(zip(names, self._results[0], strict=False))

    @property
    def met(self) -> dict[str, bool]:
        """Which pins are met."""
        names = (str(pin.name) for pin in self.body.pins)
        return dict(zip(names, self._results[1], strict=False))

    @property
    def targets(self) -> dict[str, Array]:
        """Where each pin is to be."""
        places = self.body.places
        return {str(pin.name): pin.target(self.aims[places[pin.name]]) for pin in self.body.pins}

    @property
    def ok(self) -> bool:
        """Whether every pin and goal that must be met is: checked by forward kinematics, inside the limits."""
        return all(met for goal, met in zip(self.body.plan.goals, self._results[1], strict=True) if goal.required)

    @property
    def status(self) -> Status:
        """SOLVED, or COMPROMISE where something is missing."""
        return Status.SOLVED if self.ok else Status.COMPROMISE

    @property
    def why(self) -> str:
        """One sentence: what is held, or what is missing."""
        if self.ok:
            return f"{len(self.body.pins)} pins met"
        errors, met = self._results
        worst = [
            f"{goal.describe()} misses {' and '.join(f'{e:.3g} {u}' for e, u in zip(own, goal.units, strict=True))}"
            for goal, own, fine in zip(self.body.plan.goals, errors, met, strict=True)
            if goal.required and not fine
        ]
        return f"as near as one frame gets: {'; '.join(worst[:NAMED])}"

    def forward(self, frame: str) -> Array:
        """Return the pose of a frame, (4, 4)."""
        return self.body.figure.forward(self.q, frame)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.q, dtype=dtype or np.float64, copy=True)

    def __repr__(self) -> str:
        return f"<Posed '{self.body.figure.name}': {self.why}>"

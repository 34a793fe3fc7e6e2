"""A recording: joint values over time, as data. Readers and writers of motion files exchange it, and clips are made of it."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, check_increasing, frozen, numbers
from limbik.model.compiled import Compiled, compile_mechanism
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism
from limbik.model.record import Record

# Interpolation between frames: the previous value, linear (the shorter arc for rotations), or a smooth cubic.
INTERPOLATIONS = ("step", "linear", "cubic")


@dataclass(frozen=True, eq=False)
class Recording(Record):
    """Postures (configurations) of a mechanism at increasing times.

    q: (frames, n) in the order of the chain from `base` to `tip`, or of the whole tree if tip is None. times: (frames,) [s].
    interpolation: one of INTERPOLATIONS. written: details of the file that it was read from, which a writer of the same format
    uses to reproduce it; only that format knows their type.
    Raises ShapeError, NotFinite, NotNumeric, BadOption.
    """

    mechanism: Mechanism
    q: Array
    times: Array
    base: str | None = None
    tip: str | None = None
    interpolation: str = "linear"
    notes: tuple[str, ...] = ()
    written: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        n = self.compiled.n
        q = numbers(self.q, f"the postures of a recording must be numbers of shape (frames, {n})")
        times = numbers(self.times, "the times of a recording must be numbers, one for each frame")
        if q.ndim != 2 or q.shape[1] != n:
            raise ShapeError(f"the postures of '{self.mechanism.name}' have shape (frames, {n}); got {q.shape}")
        if times.shape != (len(q),):
            raise ShapeError(f"{len(q)} postures need {len(q)} times; got shape {times.shape}")
        if not len(q):
            raise ShapeError("a recording has at least one frame")
        for what, values in (("the postures", q), ("the times", times)):
            if not np.isfinite(values).all():
                row = int(np.argwhere(~np.isfinite(values))[0, 0])
                raise NotFinite(f"{what} of a recording hold NaN or infinity, first at frame {row}")
        check_increasing(times)
        if self.interpolation not in INTERPOLATIONS:
            raise BadOption(
                f"interpolation={shown(self.interpolation)} is not known; use one of {', '.join(INTERPOLATIONS)}"
            )
        object.__setattr__(self, "q", frozen(q))
        object.__setattr__(self, "times", frozen(times))
        object.__setattr__(self, "notes", tuple(self.notes))

    @cached_property
    def compiled(self) -> Compiled:
        """The compiled mechanism, with q in the order of this recording."""
        base = self.mechanism.root if self.base is None else self.mechanism.check_link(self.base)
        if self.tip is None:
            return compile_mechanism(self.mechanism, base, base, whole_tree=True)
        return compile_mechanism(self.mechanism, base, self.mechanism.check_link(self.tip), whole_tree=False)

    def scaled(self, factor: float) -> "Recording":
        """Return the same motion of a mechanism with every length multiplied."""
        q = self.q.copy()
        for variable in self.compiled.variables:
            lengths = {Kind.PRISMATIC: 1, Kind.FLOATING: 3}.get(variable.joint.kind, 0)
            q[:, variable.first : variable.first + lengths] *= factor
        return replace(self, mechanism=self.mechanism.scaled(factor), q=q, written=None)

    @property
    def frame_time(self) -> float:
        """The mean time from one frame to the next [s]; 0 for a single frame."""
        return float(self.times[-1] - self.times[0]) / max(len(self.times) - 1, 1)

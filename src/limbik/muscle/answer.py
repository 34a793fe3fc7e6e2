"""What is found in muscle space: lengths with the posture that they hold, and why, where there are none."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.truth import Judged


@dataclass(frozen=True, eq=False, repr=False)
class MuscleAnswer(Judged, Record):
    """Lengths that bring the tip to a target, or the nearest that there are.

    q: (n,) the posture; lengths: (m,) of all its muscles [m]; names: theirs. centring: how far the most stretched or
    shortened muscle is from the middle of its range, as a part of the way to its end: at most 1 where all are in range.
    swivel: of the elbow about the way from shoulder to tip [rad], None where the method has none; ranges: ((low, high), ...)
    of the swivels at which everything fits on the answer's branch. evaluations: postures that were computed.
    """

    q: Array
    lengths: Array
    names: tuple[str, ...]
    status: Status
    position_error: float
    rotation_error: float
    target: Array
    method: str
    why: str
    centring: float
    branch: int | None = None
    swivel: float | None = None
    ranges: tuple[tuple[float, float], ...] = ()
    evaluations: int = 0

    @property
    def ok(self) -> bool:
        """Whether the tip is at the target with every joint and muscle in range, verified."""
        return self.status is Status.SOLVED

    @cached_property
    def by_name(self) -> Mapping[str, float]:
        """The lengths by the names of the muscles [m]."""
        return MappingProxyType(dict(zip(self.names, self.lengths.tolist(), strict=True)))

    def __repr__(self) -> str:
        return f"<MuscleAnswer {self.status.name}: {self.why}>"


@dataclass(frozen=True, eq=False, repr=False)
class MusclePostures(Judged, Record):
    """The postures that some lengths hold: none, one or several.

    q: (k, n), the forward one first; lengths: (k, m) of all muscles in each [m]; branches: (k,) small numbers; off: (k,) the
    greatest difference from a length that was given [m]. pair: the muscles that decided the direction of the upper arm, and
    conditioning: how well, 0 at the fold where two postures meet. family: (k,) whether the lengths leave a joint free there, so
    that the posture is one of many: the one at the seed.
    """

    q: Array
    lengths: Array
    names: tuple[str, ...]
    branches: tuple[int, ...]
    off: Array
    status: Status
    why: str
    method: str
    pair: tuple[str, ...] = ()
    conditioning: float = float("nan")
    family: tuple[bool, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a posture."""
        return self.status is Status.SOLVED

    def __len__(self) -> int:
        return len(self.q)

    def __iter__(self) -> Iterator[Array]:
        return iter(self.q)

    def __getitem__(self, k: int) -> Array:
        return np.asarray(self.q[k])

    def __repr__(self) -> str:
        return f"<MusclePostures {self.status.name}: {self.why}>"

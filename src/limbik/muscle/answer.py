"""Answers in muscle space: lengths with their posture (configuration), or the reason why there are none."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer


@dataclass(frozen=True, eq=False, repr=False)
class MuscleAnswer(OneAnswer, Record):
    """Lengths that bring the tip to a target, or the closest ones.

    q: (n,) the posture (configuration); lengths: (m,) of all muscles [m]; names: of the muscles. centring: the largest deviation
    of a muscle from the middle of its range, relative to half the range: at most 1 if all are in range. swivel: of the elbow
    about the line from shoulder to tip [rad], None if the method has none; ranges: ((low, high), ...) of the feasible swivels on
    the answer's branch. evaluations: number of computed postures.
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

    @cached_property
    def by_name(self) -> Mapping[str, float]:
        """The lengths by the names of the muscles [m]."""
        return MappingProxyType(dict(zip(self.names, self.lengths.tolist(), strict=True)))

    def __repr__(self) -> str:
        return f"<MuscleAnswer {self.status.name}: {self.why}>"


@dataclass(frozen=True, eq=False, repr=False)
class MusclePostures(OneAnswer, Record):
    """The postures (configurations) with given lengths: none, one or several.

    q: (k, n), the forward one first; lengths: (k, m) of all muscles in each [m]; branches: (k,) branch numbers; off: (k,) the
    largest difference from a given length [m]. pair: the muscles that determined the direction of the upper arm; conditioning:
    of that pair, 0 at the fold where two postures coincide. family: (k,) whether a self-motion manifold passes through the
    posture; it is then the member closest to the seed.
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

    def __len__(self) -> int:
        return len(self.q)

    def __iter__(self) -> Iterator[Array]:
        return iter(self.q)

    def __getitem__(self, k: int) -> Array:
        return np.asarray(self.q[k])

    def __repr__(self) -> str:
        return f"<MusclePostures {self.status.name}: {self.why}>"

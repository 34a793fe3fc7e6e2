"""The network over vectors, as in the later papers: every vector between two joints is the mean of its sums over a third.

With n segments and points 0 (the base) to n (the tip), V_ij = V_ik + V_kj for every other point k: n - 1 computations of each
vector. A cycle takes their mean together with the vector itself, weighted so that all weights together are d,
    V_ij <- (sum over k of (V_ik + V_kj) + (d - (n - 1)) V_ij) / d,
then rescales the segments to their lengths. Clamped vectors replace the feedback before the mean, and hold after it. d = n - 1 is
the plain mean. d = n + 1 counts the vector once for k = i and once for k = j, and the network is then equivalent to n + 1 points
(point_form.py). For three segments these are the weights 2 and 4; larger weights damp. The texts of the later papers were not
available: the equations are reconstructed from what is known of them. This form needs n (n + 1) / 2 vectors, the point form n + 1
points for the same result; it serves for comparison.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.record import Record
from limbik.solvers.relaxation.segments import read_lengths, whole_number


@dataclass(frozen=True, eq=False)
class VectorRun(Record):
    """Every state of a run: (cycles + 1, n + 1, n + 1, d), entry [i, j] the vector from point i to point j."""

    vectors: Array

    def segments(self) -> Array:
        """Return the segment vectors of every state, (cycles + 1, n, d)."""
        n = self.vectors.shape[1] - 1
        return self.vectors[:, np.arange(n), np.arange(1, n + 1)]

    def tips(self) -> Array:
        """Return the sum of the segment vectors, the tip, in every state, (cycles + 1, d)."""
        return np.asarray(self.segments().sum(axis=1))


@dataclass(frozen=True)
class VectorForm:
    """A chain of segments of these lengths [m]. weight: d, the sum of all weights; None is n + 1."""

    lengths: tuple[float, ...]
    weight: float

    def __init__(self, lengths: Sequence[float], weight: float | None = None) -> None:
        try:
            count = len(lengths)
        except TypeError:
            raise BadOption(
                f"lengths={shown(lengths)}: give the lengths of the segments, for example (1, 1, 1)"
            ) from None
        object.__setattr__(self, "lengths", tuple(high for _, high in read_lengths(lengths, count)))
        if count < 2:
            raise BadOption("a network of vectors takes two segments or more")
        object.__setattr__(self, "weight", float(count + 1) if weight is None else number(weight, "weight"))
        if not (math.isfinite(self.weight) and self.weight >= self.n - 1):
            raise BadOption(f"weight={shown(weight)}: it is at least n - 1 = {self.n - 1}, the plain mean")

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.lengths)

    def vectors(self, points: Any) -> Array:
        """Return the state of a posture, (n + 1, d) -> (n + 1, n + 1, d)."""
        p = numbers(points, "points must be numbers")
        if p.ndim != 2 or len(p) != self.n + 1 or p.shape[1] not in (2, 3):
            raise ShapeError(f"points must have shape ({self.n + 1}, 2) or ({self.n + 1}, 3); got {p.shape}")
        if not np.isfinite(p).all():
            raise NotFinite("points hold NaN or infinity")
        return np.asarray(p[None] - p[:, None])

    def cycle(self, vectors: Array, clamped: Mapping[tuple[int, int], Array]) -> Array:
        """Return a state after one cycle. clamped: {(from, to): vector}."""
        n = self.n
        vectors = np.array(vectors)
        for (i, j), vector in clamped.items():  # an input replaces the feedback of its vector before the cycle
            vectors[i, j], vectors[j, i] = vector, -vector
        # the sum over all k holds the vector itself twice, for k = i and k = j
        every = vectors.sum(axis=1)[:, None] + vectors.sum(axis=0)[None]
        out = (every + (self.weight - (n + 1)) * vectors) / self.weight
        for i in range(n):
            segment = out[i, i + 1]
            far = float(np.linalg.norm(segment))
            if far > 0:
                out[i, i + 1] = segment * (self.lengths[i] / far)
                out[i + 1, i] = -out[i, i + 1]
        for (i, j), vector in clamped.items():
            out[i, j], out[j, i] = vector, -vector
        return np.asarray(out)

    def run(self, points: Any, clamped: Mapping[tuple[int, int], Any], cycles: int) -> VectorRun:
        """Return every state from a posture on, with vectors clamped: {(0, n): R} for the tip, {(0, 1): L1, ...} for segments."""
        state = self.vectors(points)
        given: dict[tuple[int, int], Array] = {}
        if not isinstance(clamped, Mapping):
            raise BadOption(f"clamped={shown(clamped)}: give vectors by their points, {{(0, {self.n}): R}}")
        for pair, vector in clamped.items():
            ends = pair if isinstance(pair, tuple) and len(pair) == 2 else ()
            whole = all(isinstance(k, int | np.integer) and not isinstance(k, bool) and 0 <= k <= self.n for k in ends)
            if not ends or not whole or ends[0] == ends[1]:
                raise BadOption(f"no vector {shown(pair)}; name two points from 0 to {self.n}")
            where = numbers(vector, f"the vector {pair} must be numbers")
            if where.shape != state.shape[2:] or not np.isfinite(where).all():
                raise ShapeError(f"the vector {pair} must be {state.shape[2]} finite numbers; got {shown(vector)}")
            given[ends] = where
        states = [state]
        for _ in range(whole_number(cycles, "cycles", 0)):
            states.append(self.cycle(states[-1], given))
        return VectorRun(np.array(states))

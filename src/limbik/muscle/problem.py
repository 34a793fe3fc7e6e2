"""What the muscle methods are given: a chain's muscles with its limits and tolerances, and the target they aim at."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Kernel, MuscleSet, PostureSolver, pose_error
from limbik.errors import NotFinite, ShapeError
from limbik.geometry.arrays import Array, frozen, numbers
from limbik.geometry.se3 import as_pose, matrices
from limbik.model.muscle import Muscle
from limbik.model.muscle_set import ranges_of
from limbik.model.ranges import Ranges
from limbik.model.reach import Reach
from limbik.solvers.closed_form.form import Form

# Random starts of a search, and where they come from.
STARTS, START_SEED = 48, 2006
# A length beyond its range by this part of it, or of the length at its end, is rounding: as in `core/muscle/muscles.hpp`.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Target:
    """A point (3,), an orientation (3, 3) or a pose (4, 4) of the tip."""

    value: Array

    @property
    def point(self) -> Array | None:
        """Where the tip should be; None where only its orientation counts."""
        return None if self.value.shape == (3, 3) else self.value if self.value.ndim == 1 else self.value[:3, 3]

    @property
    def turned(self) -> bool:
        """Whether an orientation is asked for."""
        return self.value.ndim == 2

    @classmethod
    def of(cls, given: Any) -> "Target":
        """Return the target that is meant. Raises ShapeError, NotFinite, NotNumeric or NotRigid."""
        what = "a target is a point (3,), a pose (4, 4) or an orientation (3, 3)"
        value = numbers(matrices(given), what)
        if value.shape == (3,):
            if not np.isfinite(value).all() or np.abs(value).max() > 1e100:
                raise NotFinite("the point holds NaN, infinity or a number too large to compute with")
            return cls(frozen(value))
        if value.shape == (3, 3):
            T = np.eye(4)
            T[:3, :3] = value
            return cls(frozen(as_pose(T, "the orientation")[:3, :3]))
        if value.shape == (4, 4):
            return cls(as_pose(value, "the target"))
        more = "; solve_lengths_batch takes many points" if value.ndim > 1 and value.shape[-1] == 3 else ""
        raise ShapeError(f"{what}; got shape {value.shape}{more}")


@dataclass(frozen=True, eq=False)
class MuscleProblem:
    """Muscles of a chain and what counts as reached. lower, upper: the joint limits that are kept.

    unbounded: whether a slide or a floating joint may carry the tip anywhere. counted: (n,) which joints turn under a pulley, so
    that a whole turn changes a length.
    """

    name: str
    kernel: Kernel
    core: MuscleSet
    muscles: tuple[Muscle, ...]
    ranges: Ranges
    reach: Reach
    lower: Array
    upper: Array
    limited: bool
    position: float
    rotation: float
    postures: PostureSolver
    form: Form | None
    unbounded: bool
    counted: npt.NDArray[np.bool_]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the muscles, in the order of lengths."""
        return tuple(m.name for m in self.muscles)

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """The least and greatest lengths with room for rounding, (m,) each [m]."""
        low, high = ranges_of(self.muscles)
        top = np.where(np.isfinite(high), high, low)
        room = ROUNDING * np.maximum(np.maximum(np.abs(low), np.abs(top)), top - low)
        return low - room, high + room

    def starts(self, seed: Array, count: int = STARTS) -> Array:
        """Return the seed, home and random postures inside the limits, (count + 2, n): the same on every run."""
        rng = np.random.default_rng(START_SEED)
        drawn = self.ranges.sample(rng, count, max(self.reach.span, 1e-3) if math.isfinite(self.reach.span) else 1.0)
        return np.vstack([seed, self.ranges.home, drawn])

    def off_centre(self, lengths: Array) -> Array:
        """Return how far each muscle is from the middle of its range, (..., m) -> (..., m): 1 at an end, more outside.

        A range without an upper end has no middle: 0 inside it.
        """
        low, high = ranges_of(self.muscles)
        ends = np.isfinite(high)
        inside = (lengths >= self.bounds[0]) & (lengths <= self.bounds[1])
        top = np.where(ends, high, low)
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(lengths - 0.5 * (top + low)) / (0.5 * (top - low))
            below = 1.0 + (low - lengths) / (np.abs(low) + np.abs(lengths))
        closed = np.where(inside, np.fmin(off, 1.0), np.fmax(off, 1.0 + 1e-9))
        return np.asarray(np.where(ends, closed, np.where(inside, 0.0, below)))

    def centring(self, lengths: Array) -> Array:
        """Return how far the worst muscle is from the middle of its range, (..., m) -> (...): 1 at an end."""
        return np.asarray(self.off_centre(lengths).max(axis=-1, initial=0.0))

    def spread(self, lengths: Array) -> Array:
        """Return what is least where muscles are best centred, (..., m) -> (...): the sum of off_centre^8, as in the core."""
        return np.asarray((self.off_centre(lengths) ** 8).sum(axis=-1))

    def in_range(self, lengths: Array) -> Any:
        """Return whether every muscle is in its range, (..., m) -> (...), to rounding."""
        low, high = self.bounds
        return np.asarray(((lengths >= low) & (lengths <= high)).all(axis=-1))

    def worst(self, lengths: Array) -> str:
        """Return a phrase about the muscle that is farthest outside its range, or nearest to an end."""
        k = int(np.argmax(self.off_centre(lengths)))
        m = self.muscles[k]
        return f"'{m.name}' would be {lengths[k]:.4g} m long; its range is {m.lower:.4g} to {m.upper:.4g} m"

    def errors(self, target: Target, q: Array) -> tuple[float, float]:
        """Return the position [m] and rotation error [rad] of the tip, 0 for what is not asked for."""
        T = self.kernel.forward(q, -1, 0)
        wanted = np.array(T)
        if target.point is not None:
            wanted[:3, 3] = target.point
        if target.turned:
            wanted[:3, :3] = target.value[:3, :3]
        error = pose_error(T, wanted)
        return float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))

    def reached(self, target: Target, q: Array) -> bool:
        """Verify a posture: the tip at its target, joints within limits, muscles in range."""
        position, rotation = self.errors(target, q)
        inside = not self.limited or bool(self.ranges.within(q))
        return (
            position <= self.position
            and rotation <= self.rotation
            and inside
            and bool(self.in_range(self.core.lengths(q)))
        )

"""The problem of muscle methods: a model's muscles with its limits and tolerances. Cached per model."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, MuscleSet, PostureSolver, pose_error
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.model.model import Model, position_tolerance
from limbik.model.muscle import Muscle
from limbik.model.muscle_set import make_muscle_set, ranges_of
from limbik.muscle.target import Target
from limbik.solvers.closed_form.form import Form
from limbik.solvers.solver_set import solver_set

# Random starts of a search, and where they come from.
STARTS, START_SEED = 48, 2006
# A length beyond its range by this part of it, or of the length at its end, is rounding: as in `core/muscle/muscles.hpp`.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class MuscleProblem:
    """Muscles of a model and what counts as reached. core: the compiled muscles. lower, upper: the joint limits that are kept.

    limited: whether these are the model's. position [m], rotation [rad]: tolerances. postures, form: the closed form of the tip.
    unbounded: whether a slide or a floating joint may carry the tip anywhere. counted: (n,) which joints turn under a pulley, so
    that a whole turn changes a length.
    """

    model: Model
    core: MuscleSet
    lower: Array
    upper: Array
    limited: bool
    position: float
    rotation: float
    postures: PostureSolver
    form: Form | None
    unbounded: bool
    counted: npt.NDArray[np.bool_]

    @property
    def muscles(self) -> tuple[Muscle, ...]:
        """The muscles, in the order of lengths."""
        return self.model.compiled.muscles

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
        span = self.model.reach.span
        drawn = self.model.ranges.sample(rng, count, max(span, 1e-3) if math.isfinite(span) else 1.0)
        return np.vstack([seed, self.model.ranges.home, drawn])

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
        T = self.model.kernel.forward(q, -1, 0)
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
        inside = not self.limited or bool(self.model.ranges.within(q))
        return (
            position <= self.position
            and rotation <= self.rotation
            and inside
            and bool(self.in_range(self.core.lengths(q)))
        )


def require_muscles(model: Model) -> None:
    """Raise BadOption for a model without muscles."""
    if not model.compiled.muscles:
        raise BadOption(f"'{model.name}' has no muscles; add some: arm.with_muscles(file)")


def muscle_problem(model: Model, limits: Any = True, position: Any = None, rotation: Any = None) -> MuscleProblem:
    """Return the muscles with limits and tolerances; None for the model's. Raises BadOption for a model without muscles."""
    if limits is True and position is None and rotation is None:
        return model.derived(_inside_limits)
    solvers = solver_set(model, limits, position, rotation)  # checks what was given
    for what, given in (("position_tolerance", position), ("rotation_tolerance", rotation)):
        if given is not None and not math.isfinite(number(given, what)):
            raise BadOption(f"{what}={shown(given)}: it must be finite")
    base = model.derived(_inside_limits if limits else _without_limits)
    return replace(
        base,
        position=base.position if position is None else number(position, "position_tolerance"),
        rotation=base.rotation if rotation is None else number(rotation, "rotation_tolerance"),
        postures=solvers.postures,
        form=solvers.form,
    )


def _inside_limits(model: Model) -> MuscleProblem:
    return _made(model, True)


def _without_limits(model: Model) -> MuscleProblem:
    return _made(model, False)


def _made(model: Model, limited: bool) -> MuscleProblem:
    require_muscles(model)
    free = np.full(model.n, np.inf)
    lower, upper = (model.ranges.lower, model.ranges.upper) if limited else (-free, free)
    core = make_muscle_set(model.compiled, lower, upper, model.reach.span, model.mechanism.up)
    solvers = solver_set(model, limited)
    return MuscleProblem(
        model, core, lower, upper, limited, position_tolerance(model.reach), ROTATION_TOLERANCE, solvers.postures, solvers.form,
        model.kernel.goes_anywhere(-1, lower.tolist(), upper.tolist()), _under_pulleys(model),
    )  # fmt: skip


def _under_pulleys(model: Model) -> npt.NDArray[np.bool_]:
    """Return which joints turn under a pulley, (n,): a whole turn of one changes a length."""
    under = {pulley.joint for muscle in model.compiled.muscles for pulley in muscle.pulleys}
    out = np.zeros(model.n, bool)
    out[[e.variable.first for e in model.compiled.elements if e.joint.name in under]] = True
    return np.asarray(out & model.revolute)

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

# Number of random starts of a search, and their seed.
STARTS, START_SEED = 48, 2006
# Rounding of a length at the end of its range, relative to the range or to the length at its end, as in
# `core/muscle/muscles.hpp`.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class MuscleProblem:
    """Muscles of a model with limits and tolerances. core: the compiled muscles. lower, upper: (n,) the joint limits in force.

    limited: whether these are the model's. position [m], rotation [rad]: tolerances. postures, form: the closed form of
    the tip. unbounded: whether an unlimited prismatic joint or a floating joint may move the tip anywhere. counted:
    (n,) which joints rotate under a pulley, so that 2-pi copies differ in a length.
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
        """Return the deviation of each muscle from the middle of its range, relative to half the range, (..., m) -> (..., m).

        1 at an end, more outside. 0 inside a range without an upper end, which has no middle.
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
        """Return the largest `off_centre` of all muscles, (..., m) -> (...): 1 at an end of a range."""
        return np.asarray(self.off_centre(lengths).max(axis=-1, initial=0.0))

    def spread(self, lengths: Array) -> Array:
        """Return the cost that centring minimises, (..., m) -> (...): the sum of off_centre^8, as in the core."""
        return np.asarray((self.off_centre(lengths) ** 8).sum(axis=-1))

    def in_range(self, lengths: Array) -> Any:
        """Return whether every muscle is in its range, (..., m) -> (...), to rounding."""
        low, high = self.bounds
        return np.asarray(((lengths >= low) & (lengths <= high)).all(axis=-1))

    def worst(self, lengths: Array) -> str:
        """Return a phrase about the muscle with the largest `off_centre`."""
        k = int(np.argmax(self.off_centre(lengths)))
        m = self.muscles[k]
        return f"'{m.name}' would be {lengths[k]:.4g} m long; its range is {m.lower:.4g} to {m.upper:.4g} m"

    def errors(self, target: Target, q: Array) -> tuple[float, float]:
        """Return the position [m] and rotation error [rad] of the tip; 0 for what the target leaves free."""
        T = self.model.kernel.forward(q, -1, 0)
        wanted = np.array(T)
        if target.point is not None:
            wanted[:3, 3] = target.point
        if target.oriented:
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
    """Return which revolute joints rotate under a pulley, (n,): 2-pi copies of these differ in a length."""
    under = {pulley.joint for muscle in model.compiled.muscles for pulley in muscle.pulleys}
    out = np.zeros(model.n, bool)
    out[[e.variable.first for e in model.compiled.elements if e.joint.name in under]] = True
    return np.asarray(out & model.revolute)

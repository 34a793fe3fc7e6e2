"""A chain with muscles: what they are, how long they are in a posture, and what they do to the joints."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, MuscleSet
from limbik.errors import BadOption, NotFinite, ShapeError, shown, suggest
from limbik.formats.toml_muscles import read_muscle_file
from limbik.geometry.arrays import Array, frozen, number, numbers
from limbik.model.joint import Kind
from limbik.model.mechanism import Mechanism
from limbik.model.muscle import Muscle
from limbik.model.muscle_set import make_muscle_set, ranges_of
from limbik.muscle.problem import MuscleProblem
from limbik.robot.kinematic import Kinematic
from limbik.solvers.solver_set import solver_set

# Postures that are drawn for each that is asked for, and rounds of it, before giving up.
DRAWS, ROUNDS = 8, 200
# Postures that are drawn at once, and that may be asked for: what fits into memory.
AT_ONCE, MOST_SAMPLES = 1 << 20, 10_000_000


class Muscular(Kinematic):
    """The verbs of a chain about its muscles."""

    @property
    def muscles(self) -> tuple[Muscle, ...]:
        """The muscles that run over the joints of this chain, in the order of lengths; empty where it has none."""
        return self.model.compiled.muscles

    @cached_property
    def muscle_names(self) -> tuple[str, ...]:
        """The name of each muscle, in the order of lengths."""
        return tuple(muscle.name for muscle in self.muscles)

    @cached_property
    def muscle_ranges(self) -> tuple[Array, Array]:
        """The least and greatest length of each muscle, (m,) each [m]; inf where there is no upper end."""
        low, high = ranges_of(self.muscles)
        return frozen(low), frozen(high)

    @cached_property
    def independent_muscles(self) -> tuple[str, ...]:
        """The muscles whose lengths decide the posture, as the model names them; all others follow."""
        return tuple(muscle.name for muscle in self.muscles if muscle.independent)

    def with_muscles(self, muscles: Any) -> Self:
        """Return this chain with other muscles: Muscle objects, or a TOML file with [[muscle]] tables; () for none.

        Raises BadModel where one is fixed to a link or joint that does not exist, or has an empty range.
        """
        if isinstance(muscles, str | PathLike):
            sliding = frozenset(joint.name for joint in self.model.mechanism.joints if joint.kind is Kind.PRISMATIC)
            given: Iterable[Muscle] = read_muscle_file(Path(muscles), sliding)
        elif isinstance(muscles, Muscle):
            given = (muscles,)
        else:
            given = muscles
        if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping):
            given = self._without_gone(tuple(given))
        return self._with_mechanism(self.model.mechanism.with_muscles(given))

    @abstractmethod
    def _with_mechanism(self, mechanism: Mechanism) -> Self:
        """Return the chain between the same frames of another mechanism."""

    def _without_gone(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return muscles that no longer oppose those of this chain which are left out."""
        kept = {m.name for m in given if isinstance(m, Muscle)}
        gone = {m.name for m in self.model.mechanism.muscles} - kept
        return tuple(
            replace(m, opposes=tuple(o for o in m.opposes if o not in gone)) if isinstance(m, Muscle) else m
            for m in given
        )

    def muscle_lengths(self, q: Any, *, threads: int = 0) -> Array:
        """Return the length of each muscle, (..., n) -> (..., m) [m]. Raises as `forward` does, BadOption without muscles."""
        self._check_none(q, threads)
        return self._muscular().core.lengths(q, threads)

    def moment_arms(self, q: Any, *, threads: int = 0) -> Array:
        """Return how each length changes with each joint, (..., n) -> (..., m, n): dL/dq [m/rad, or m/m].

        Negative where a muscle shortens as the joint's value grows; its torque for a pull F is -F dL/dq. For balls and floating
        joints the columns are those of `jacobian`.
        """
        self._check_none(q, threads)
        return self._muscular().core.arms(q, threads)

    def _check_none(self, q: Any, threads: Any) -> None:
        """Refuse None where numbers are needed, as `forward` does."""
        if q is None or threads is None:
            self.model.kernel.forward(q, -1, threads)

    def admissible(self, q: Any) -> Any:
        """Return whether a posture keeps every joint limit and every range of its muscles, shape (...)."""
        checked = self.model.kernel.checked(q)
        problem = self._muscular()
        fits = self.model.ranges.within(checked) & problem.in_range(problem.core.lengths(checked))
        return bool(fits) if np.ndim(fits) == 0 else fits

    def sample_admissible(self, rng: np.random.Generator, size: int) -> Array:
        """Return random postures that are `admissible`, (size, n): uniform in the joints' ranges, others thrown away.

        Raises BadOption where almost none is.
        """
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
            raise BadOption(f"size={shown(size)}: a whole number from 0 is needed")
        if size > MOST_SAMPLES:
            raise BadOption(f"size={size}: {MOST_SAMPLES} postures at most; ask for fewer, several times")
        found: list[Array] = []
        count = tried = 0
        wave = DRAWS * max(int(size), 16)
        while count < size and tried < ROUNDS * wave:
            drawn = self.sample(rng, min(wave, AT_ONCE))
            kept = drawn[self.admissible(drawn)]
            found.append(kept)
            count += len(kept)
            tried += len(drawn)
        if count < size:
            raise BadOption(f"almost no posture of '{self.name}' has all muscles in range: {count} found of {size}")
        return np.concatenate([np.empty((0, self.n)), *found])[:size]

    # ---- what the muscle methods are given -------------------------------------------------------------------------

    def _muscular(self, limits: Any = True, position: Any = None, rotation: Any = None) -> MuscleProblem:
        """Return the muscles with limits and tolerances. Raises BadOption for a chain without muscles."""
        if limits is True and position is None and rotation is None:
            return self._muscle_problem
        solvers = solver_set(self.model, limits, position, rotation)  # checks what was given
        for what, given in (("position_tolerance", position), ("rotation_tolerance", rotation)):
            if given is not None and not np.isfinite(number(given, what)):
                raise BadOption(f"{what}={shown(given)}: it must be finite")
        base = self._muscle_problem if limits else self._free_problem
        return MuscleProblem(
            self.name, self.model.kernel, base.core, self.muscles, self.model.ranges, self.model.reach, base.lower, base.upper,
            bool(limits),
            base.position if position is None else number(position, "position_tolerance"),
            base.rotation if rotation is None else number(rotation, "rotation_tolerance"),
            solvers.postures, solvers.form, base.unbounded, base.counted,
        )  # fmt: skip

    @cached_property
    def _muscle_problem(self) -> MuscleProblem:
        return self._make_problem(True)

    @cached_property
    def _free_problem(self) -> MuscleProblem:
        return self._make_problem(False)

    def _make_problem(self, limited: bool) -> MuscleProblem:
        from limbik.model.model import position_tolerance

        if not self.muscles:
            raise BadOption(f"'{self.name}' has no muscles; give it some by with_muscles(...)")
        free = np.full(self.n, np.inf)
        lower, upper = (self.lower, self.upper) if limited else (-free, free)
        core: MuscleSet = make_muscle_set(
            self.model.compiled, lower, upper, self.model.reach.span, self.model.mechanism.up
        )
        solvers = solver_set(self.model, limited)
        return MuscleProblem(
            self.name, self.model.kernel, core, self.muscles, self.model.ranges, self.model.reach, lower, upper, limited,
            position_tolerance(self.model.reach), ROTATION_TOLERANCE, solvers.postures, solvers.form,
            self.model.kernel.goes_anywhere(-1, lower.tolist(), upper.tolist()), self._counted,
        )  # fmt: skip

    @cached_property
    def _counted(self) -> npt.NDArray[np.bool_]:
        """Which joints turn under a pulley, (n,): a whole turn of one changes a length."""
        under = {pulley.joint for muscle in self.muscles for pulley in muscle.pulleys}
        out = np.zeros(self.n, bool)
        out[[e.variable.first for e in self.model.compiled.elements if e.joint.name in under]] = True
        return np.asarray(out & self.model.revolute)

    def _muscle_number(self, name: object) -> int:
        if name not in self.muscle_names:
            raise BadOption(f"no muscle {shown(name)} on '{self.name}'; {suggest(str(name), self.muscle_names)}")
        return self.muscle_names.index(str(name))

    def _given_lengths(self, given: Any) -> Array:
        """Return lengths of all muscles, (m,), NaN where none is given: from a mapping, m numbers, or one for each independent.

        Raises ShapeError, NotFinite, NotNumeric or BadOption.
        """
        self._muscular()
        m = len(self.muscles)
        out = np.full(m, np.nan)
        if isinstance(given, Mapping):
            for name, value in given.items():
                length = number(value, f"the length of '{name}'")
                if not np.isfinite(length):
                    raise NotFinite(f"the length of '{name}' is {length}; leave out a muscle whose length is not known")
                out[self._muscle_number(name)] = length
        else:
            few = self._independent
            values = numbers(given, self._what_lengths)
            if values.shape == (m,):
                out = values
            elif few and values.shape == (len(few),):
                out[few] = values
            else:
                raise ShapeError(f"{self._what_lengths}; got shape {values.shape}")
            if not np.isfinite(values).all():
                raise NotFinite("lengths hold NaN or infinity; give {name: length} to leave some out")
        if np.isnan(out).all():
            raise BadOption("no length is given")
        return out

    @cached_property
    def _independent(self) -> list[int]:
        return [k for k, muscle in enumerate(self.muscles) if muscle.independent]

    @cached_property
    def _what_lengths(self) -> str:
        few = self.independent_muscles
        return f"lengths must be {len(self.muscles)} numbers" + (f", or {len(few)} for {', '.join(few)}" if few else "")

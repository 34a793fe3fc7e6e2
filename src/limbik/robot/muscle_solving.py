"""From where the tip should be to lengths of muscles: `solve_lengths`, tracking, and the descent of Gini et al."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.muscle import closed_form, gauss_newton, least_squares
from limbik.muscle.answer import MuscleAnswer
from limbik.muscle.closed_form import Found
from limbik.muscle.fast_gradient import PLAIN, Descent, FastGradient, descend, settings_of
from limbik.muscle.problem import MuscleProblem, Target
from limbik.muscle.registry import MUSCLE_METHODS, muscle_method
from limbik.robot.muscle_postures import MusclePosing
from limbik.solvers.all_postures import thread_count
from limbik.solvers.preference import NEAREST, Valid, checked_valid

CENTRE = "centre"
# Other postures that a caller's `valid` is asked about when it refuses the first.
OTHERS = 32


class NoStart(BadOption):
    """A descent begins with lengths that no posture has."""


class MuscleSolving(MusclePosing):
    """The verbs from targets to lengths."""

    def solve_lengths(
        self,
        T: Any,
        seed: Any = None,
        method: str | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str = CENTRE,
        *,
        swivel: float | None = None,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        **settings: Any,
    ) -> MuscleAnswer:
        """Return lengths of the muscles that bring the tip to T, all in range, with the posture, verified; or the nearest.

        T: a point (3,), a pose (4, 4) or an orientation (3, 3) of the tip, in the base frame. seed: what the posture should
        be near where that is left open, and where searches start; None means `home`. method: a name of
        `limbik.MUSCLE_METHODS`; None takes the closed form where there is one, else least squares. limits: keep joint limits;
        ranges of muscles are always kept. valid: a function of q that says whether a posture may be used. prefer: "centre",
        muscles near the middle of their ranges, or "nearest" to the seed. swivel: hold the elbow there [rad], where the
        method has a swivel. settings: those of `FastGradient` for the gradient methods; steps and centring for
        "gauss_newton".

        Not reaching T is an answer, not an error. Raises NotRigid, ShapeError, NotFinite or BadOption for what cannot be meant.
        """
        problem = self._muscular(limits, position_tolerance, rotation_tolerance)
        target = Target.of(T)
        start = np.array(self.home) if seed is None else np.array(self.model.kernel.checked(seed))
        if start.shape != (self.n,):
            raise ShapeError(f"seed must have shape ({self.n},); got {start.shape}")
        if not isinstance(prefer, str) or prefer not in (CENTRE, NEAREST):
            raise BadOption(f"prefer={shown(prefer)} is not known; use '{CENTRE}' or '{NEAREST}'")
        chosen = None if method is None else muscle_method(method).name
        self._check_kind(problem, target, chosen, swivel, settings)
        wanted = None if swivel is None else number(swivel, "swivel")
        if wanted is not None and not math.isfinite(wanted):
            raise NotFinite(f"swivel={wanted}: give a finite number")
        found, used = self._found(problem, target, start, chosen, prefer == NEAREST, wanted, settings)
        # what was asked for in so many words is not replaced by what a search finds
        free = wanted is None and chosen in (None, "least_squares")
        answer = self._answered(problem, target, start, found, used, free)
        refuse = checked_valid(valid)
        if refuse is None or not answer.ok or refuse(answer.q):
            return answer

        def other(near: Array) -> MuscleAnswer | None:
            again, by = self._found(problem, target, near, chosen, True, wanted, settings)
            return None if again.status is not Status.SOLVED else self._answered(problem, target, near, again, by, free)

        return self._allowed(problem.starts(start, OTHERS)[1:], answer, refuse, other)

    def _check_kind(
        self, problem: MuscleProblem, target: Target, chosen: str | None, swivel: object, settings: dict[str, Any]
    ) -> None:
        kind = "point" if not target.turned else "pose" if target.point is not None else "orientation"
        if chosen is not None and kind not in MUSCLE_METHODS[chosen].targets:
            raise BadOption(
                f"method={chosen!r} takes {' or '.join(MUSCLE_METHODS[chosen].targets)} targets, not a {kind}"
            )
        if chosen == "closed_form" and not closed_form.takes(problem, target):
            raise BadOption(
                f"method='closed_form': '{self.name}' has none for a {kind}; leave method out, or use 'least_squares'"
            )
        if swivel is not None and not (chosen in (None, "closed_form") and closed_form.takes(problem, target)):
            raise BadOption(f"swivel= goes with the closed form, which '{self.name}' does not have for a {kind} here")
        if isinstance(swivel, bool):
            raise BadOption(f"swivel={swivel}: give an angle [rad]")
        if settings and chosen not in ("fast_gradient", "classical_gradient", "gauss_newton"):
            raise BadOption(
                f"no option {next(iter(settings))!r}; settings belong to the gradient methods and 'gauss_newton'"
            )
        if chosen == "gauss_newton" and not set(settings) <= {"steps", "centring"}:
            raise BadOption(f"'gauss_newton' has the settings steps and centring, not {', '.join(settings)}")

    def _found(
        self, problem: MuscleProblem, target: Target, start: Array, chosen: str | None, nearest: bool, swivel: float | None,
        settings: dict[str, Any],
    ) -> tuple[Found, str]:  # fmt: skip
        if chosen == "gauss_newton":
            steps, pull = (
                _whole(settings.get("steps", gauss_newton.STEPS)),
                number(settings.get("centring", 0.0), "centring"),
            )
            return gauss_newton.solve(problem, target, start, steps=steps, centring=pull), chosen
        if chosen in ("fast_gradient", "classical_gradient"):
            plain = PLAIN if chosen == "classical_gradient" else {}
            return self._descended(
                problem, target, start, settings_of(None, {**plain, **settings}, self.model.reach.span)
            ), chosen
        if chosen != "least_squares" and closed_form.takes(problem, target):
            found = closed_form.solve(problem, target, start, nearest=nearest, swivel=swivel)
            if found.status is not Status.NOT_FOUND or chosen == "closed_form" or swivel is not None:
                return found, "closed_form"
        found = least_squares.solve(problem, target, start, nearest=nearest)
        return found, "least_squares"

    def _answered(
        self, problem: MuscleProblem, target: Target, start: Array, found: Found, used: str, free: bool
    ) -> MuscleAnswer:
        """Verify what was found; where nothing was, take the nearest posture. free: that may be solved, within tolerance."""
        status, why, q = found.status, found.why, found.q
        if (
            found.checked is not None and found.checked[0] <= problem.position and q is not None
        ):  # the core has verified it, lengths too: worst is at most 1 where `in_range` holds
            error, lengths, worst = found.checked
            if worst <= 1.0 and ((q >= problem.lower) & (q <= problem.upper)).all():
                return MuscleAnswer(
                    q, lengths, self.muscle_names, status, error, 0.0, target.value, used, why, min(worst, 1.0), found.branch,
                    found.swivel, found.ranges, found.evaluations,
                )  # fmt: skip
        if status is Status.SOLVED and not (q is not None and problem.reached(target, q)):
            status, why = Status.NOT_FOUND, f"not found: what {used} gave did not stand up to forward kinematics"
        if status is not Status.SOLVED and used not in ("gauss_newton", "fast_gradient", "classical_gradient"):
            q = least_squares.nearest_posture(problem, target, start)
            if free and problem.reached(target, q):
                status, used, why = (
                    Status.SOLVED,
                    "least_squares",
                    "solved within the tolerances by bounded least squares",
                )
        assert q is not None
        lengths = problem.core.lengths(q)
        position, rotation = problem.errors(target, q)
        if status is not Status.SOLVED and used in ("closed_form", "least_squares"):
            away = f"{position:.3g} m" + (f" and {rotation:.3g} rad" if target.turned else "")
            why += f"; the nearest posture found is {away} away"
        return MuscleAnswer(
            q, lengths, self.muscle_names, status, position, rotation, target.value, used, why, float(problem.centring(lengths)),
            found.branch, found.swivel, found.ranges, found.evaluations,
        )  # fmt: skip

    def _allowed(
        self, starts: Array, answer: MuscleAnswer, valid: Callable[[Array], bool],
        other: Callable[[Array], MuscleAnswer | None],
    ) -> MuscleAnswer:  # fmt: skip
        """Return the first of other postures, asked for in the same way, that the caller allows; BLOCKED where it refuses all."""
        asked = 1
        for start in starts:
            found = other(start)
            if found is None or not found.ok:
                continue
            asked += 1
            if valid(found.q):
                return found
        return MuscleAnswer(
            answer.q, answer.lengths, answer.names, Status.BLOCKED, answer.position_error, answer.rotation_error, answer.target,
            answer.method, f"blocked: `valid` refused each of {asked} postures", answer.centring, answer.branch, answer.swivel,
            answer.ranges, answer.evaluations,
        )  # fmt: skip

    def solve_lengths_batch(
        self, points: Any, seed: Any = None, *, threads: int | None = None
    ) -> tuple[Array, Array, Any]:
        """Return lengths, postures and statuses for many points, (N, 3): (N, m), (N, n), (N,) of Status numbers.

        Row i is what `solve_lengths` gives where that is solved; where it is not, both rows are NaN. Fast for arms whose muscles
        have a closed form over the swivel; others are solved one by one.
        """
        P = numbers(points, "points have shape (N, 3)")
        if P.ndim != 2 or P.shape[1] != 3:
            raise ShapeError(f"points must have shape (N, 3); got {P.shape}")
        if not np.isfinite(P).all():
            raise NotFinite(f"points hold NaN or infinity in row {int(np.flatnonzero(~np.isfinite(P).all(axis=1))[0])}")
        problem = self._muscular()
        start = np.array(self.home) if seed is None else np.array(self.model.kernel.checked(seed))
        q = np.full((len(P), self.n), np.nan)
        lengths = np.full((len(P), len(self.muscles)), np.nan)
        status = np.full(len(P), int(Status.NOT_FOUND), np.int64)
        if problem.core.has_swivel:
            outcome, _, found, _, _ = problem.core.solve_points(
                P, start, False, thread_count(threads), problem.position
            )
            status[:] = outcome
            good = status == Status.SOLVED
            q[good] = found[good]
            tips = self.model.kernel.forward(q[good], -1, 0)[:, :3, 3] if good.any() else np.empty((0, 3))
            kept = np.linalg.norm(tips - P[good], axis=1) <= problem.position
            if good.any():
                kept &= self.model.ranges.within(q[good]) & problem.in_range(problem.core.lengths(q[good]))
            status[np.flatnonzero(good)[~kept]] = Status.NOT_FOUND
            again = np.flatnonzero(status == Status.NOT_FOUND)
        else:
            again = np.arange(len(P))
        for k in again:
            answer = self.solve_lengths(P[k], start)
            status[k], q[k] = answer.status, answer.q if answer.ok else np.nan
        good = status == Status.SOLVED
        q[~good] = np.nan
        if good.any():
            lengths[good] = problem.core.lengths(q[good])
        return lengths, q, status

    def track_lengths(self, q: Any, T: Any, steps: int = 1, *, centring: float = 0.0) -> MuscleAnswer:
        """Return where a few Gauss-Newton steps in muscle space lead from q: what a controller calls for each point of a path.

        q: a posture inside limits and ranges, the last answer's. T: as in `solve_lengths`. Of all steps that bring the tip to
        T the one that moves the muscles least; centring adds a pull to the middle of their ranges. Never leaves limits or
        ranges.
        """
        return self.solve_lengths(T, q, "gauss_newton", steps=steps, centring=centring)

    def descend_lengths(
        self,
        point: Any,
        lengths: Any = None,
        seed: Any = None,
        settings: FastGradient | None = None,
        *,
        moved: Sequence[str] | None = None,
        side: int = 0,
        **changes: Any,
    ) -> Descent:
        """Lead the tip to a point by the descent of Gini et al. in the lengths of a few muscles, and tell how it went.

        lengths: where it starts, one for each muscle that is moved [m]; None takes those of the seed. seed: the posture it
        starts from (home); arms without a closed form follow it from there. moved: which muscles; None takes
        `independent_muscles`. side: 0 or 1, which of the two postures that lengths hold. settings, changes: those of
        `FastGradient`.
        """
        self._muscular()
        aim = numbers(point, "a point is three numbers")
        if aim.shape != (3,):
            raise ShapeError(f"a point is three numbers; got shape {aim.shape}")
        numbers_of = self._moved(moved)
        if isinstance(side, bool) or not isinstance(side, int | np.integer) or side not in (0, 1):
            raise BadOption(f"side={shown(side)}: 0 or 1")
        q = np.array(self.home) if seed is None else np.array(self.model.kernel.checked(seed))
        if q.shape != (self.n,):
            raise ShapeError(f"seed must have shape ({self.n},); got {q.shape}")
        start = self.muscle_lengths(q)[numbers_of] if lengths is None else numbers(lengths, "lengths must be numbers")
        if not np.isfinite(self.muscle_ranges[1][numbers_of]).all():
            raise BadOption("a descent needs muscles with a range: give each that is moved an upper end")
        run = descend(
            self._muscle_problem.core,
            aim,
            numbers_of,
            start,
            q,
            int(side),
            settings_of(settings, changes, self.model.reach.span),
        )
        if not math.isfinite(run.distance):
            raise NoStart(
                f"the descent found no posture with the lengths it starts from: {self._amiss(numbers_of, start, q)}; give "
                "lengths of a posture inside the limits, or such a posture as seed"
            )
        return replace(run, lengths=self.muscle_lengths(run.q)[numbers_of])

    def _amiss(self, moved: Sequence[int], lengths: Array, q: Array) -> str:
        """Say what is wrong with where a descent starts."""
        for k, length in zip(moved, lengths, strict=True):
            muscle = self.muscles[k]
            if not muscle.lower <= length <= muscle.upper:
                return f"'{muscle.name}' is {length:.6g} m, and may be {muscle.lower:.6g} to {muscle.upper:.6g} m"
        if not self.model.ranges.within(q):
            return "the seed breaks a joint limit"
        return "they fit no posture inside the limits"

    def _moved(self, moved: Any) -> list[int]:
        """Return which muscles a descent moves. Raises BadOption for names that are none, double, or too many."""
        if moved is None:
            names = self.independent_muscles
            if not names:
                raise BadOption(f"'{self.name}' does not say which muscles are independent; name some by moved=")
        elif isinstance(moved, str | bytes) or not isinstance(moved, Iterable):
            raise BadOption(f"moved={shown(moved)}: give a list of names of muscles")
        else:
            names = tuple(moved)
            if not names:
                raise BadOption("moved is empty: name the muscles that the descent may move, or leave it out")
        places = [self._muscle_number(name) for name in names]
        for k, place in enumerate(places):
            if place in places[:k]:
                raise BadOption(f"moved names '{names[k]}' twice")
        if len(places) > self.n:
            raise BadOption(
                f"moved names {len(places)} muscles, but {self.n} lengths decide the posture of '{self.name}' and the others "
                f"follow; name {self.n} at most"
            )
        return places

    def _descended(self, problem: MuscleProblem, target: Target, start: Array, settings: FastGradient) -> Found:
        try:
            run = self.descend_lengths(target.value, None, self.clamp(start), settings)
        except NoStart as error:
            return Found(Status.NOT_FOUND, f"not found: {error}", start)
        reached = problem.reached(target, run.q)
        verb = "solved" if reached else "not found"
        why = f"{verb}: the descent came within {run.distance:.3g} m in {run.sweeps} sweeps, {run.calls} distances"
        return Found(Status.SOLVED if reached else Status.NOT_FOUND, why, run.q, evaluations=run.calls)


def _whole(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given <= 10_000:
        raise BadOption(f"steps={shown(given)}: a whole number from 0 to 10000 is needed")
    return int(given)

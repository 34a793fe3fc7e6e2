"""From lengths to postures: direct kinematics of an arm that is held by muscles."""

from functools import cached_property
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, ShapeError
from limbik.geometry.arrays import Array, number
from limbik.muscle.answer import MusclePostures
from limbik.muscle.fast_gradient import USUAL_REACH
from limbik.robot.muscle_families import MuscleFamilies

# Lengths that differ by less are the same [m], for an arm of the usual reach.
SAME_LENGTH = 1e-6
# Postures closer than this are one [rad or m].
SAME_POSTURE = 1e-6
# What the closed form may say, by its number.
_SHOULDER, _ROLL, _ELBOW, _IMPOSSIBLE, _APART, _CONTRADICTION, _LIMITS = range(1, 8)


class MusclePosing(MuscleFamilies):
    """The verb from lengths to postures."""

    def posture_from_lengths(
        self, lengths: Any, seed: Any = None, limits: bool = True, *, tolerance: float | None = None
    ) -> MusclePostures:
        """Return the postures in which muscles have these lengths: all of them by the closed form, where there is one.

        lengths: {muscle: length}, one for every muscle, or one for each of `independent_muscles` [m]. Lengths of more muscles
        than are needed must agree to `tolerance` [m]; None takes a millionth of a metre for an arm that reaches 0.7 m, and as
        much less or more as it is smaller or larger. seed: what postures should be near where whole turns are free, and where
        the search of an arm without closed form starts; None means `home`. limits: keep joint limits and the ranges of muscles.

        Where the lengths leave a joint free to their tolerance (an upper arm along the first axis of the shoulder), any value of
        that joint is right: the seed's is taken, and `family` and `why` say so. Without a seed the value that exact lengths would
        have is taken as long as rounding leaves one.

        Lengths that no posture has are an answer, with the reason: a length that fits into no triangle with the bones, one
        outside its range, antagonists that contradict each other. Raises ShapeError, NotFinite, NotNumeric or BadOption.
        """
        problem = self._muscular(limits)
        wanted = self._given_lengths(lengths)
        near = self._same_length if tolerance is None else number(tolerance, "tolerance")
        if not 0 < near < np.inf:
            raise BadOption(f"tolerance={near:g}: it must be above 0")
        start = self.home if seed is None else self.model.kernel.checked(seed)
        if start.shape != (self.n,):
            raise ShapeError(f"seed must have shape ({self.n},); got {start.shape}")
        if limits:
            refused = self._outside(wanted)
            if refused:
                return self._refused(Status.LIMITS, refused)
        found = (
            self._closed(problem, wanted, near, limits, start, seed is not None) if problem.core.has_direct else None
        )
        if found is None:
            found = self._searched(problem, wanted, near, limits, start, seed is not None)
        return self._ranged(found) if limits and found.ok else found

    @cached_property
    def _same_length(self) -> float:
        size = self.model.reach.span
        return SAME_LENGTH * (size / USUAL_REACH if 0 < size < np.inf else 1.0)

    def _outside(self, wanted: Array) -> str:
        low, high = self._muscle_problem.bounds
        bad = (wanted < low) | (wanted > high)  # NaN is neither
        if not bad.any():
            return ""
        k = int(np.argmax(bad))
        muscle = self.muscles[k]
        return f"outside the range: '{muscle.name}' is {wanted[k]:.6g} m, and may be {muscle.lower:.6g} to {muscle.upper:.6g} m"

    def _refused(self, status: Status, why: str, method: str = "closed_form") -> MusclePostures:
        m = len(self.muscles)
        return MusclePostures(
            np.empty((0, self.n)), np.empty((0, m)), self.muscle_names, (), np.empty(0), status, why, method
        )

    def _ranged(self, found: MusclePostures) -> MusclePostures:
        """Leave out postures in which a muscle that was not given is out of its range."""
        problem = self._muscle_problem
        fits = problem.in_range(found.lengths)
        if fits.all():
            return found
        if not fits.any():
            k = int(np.argmin(problem.centring(found.lengths)))
            worst = problem.worst(found.lengths[k])
            why = f"outside the ranges of muscles: in every posture with these lengths one is out of it; {worst}"
            return self._refused(
                Status.LIMITS if found.method == "closed_form" else Status.NOT_FOUND, why, found.method
            )
        kept = tuple(b for b, fit in zip(found.branches, fits, strict=True) if fit)
        return MusclePostures(
            found.q[fits], found.lengths[fits], found.names, kept, found.off[fits], found.status,
            f"{found.why}; {int((~fits).sum())} more with a muscle out of its range", found.method, found.pair,
            found.conditioning, tuple(f for f, fit in zip(found.family, fits, strict=True) if fit),
        )  # fmt: skip

    def _closed(
        self, problem: Any, wanted: Array, near: float, limits: bool, start: Array, seeded: bool
    ) -> MusclePostures | None:
        """Return the closed form's answer; None where it needs lengths that are not given."""
        q, branches, off, reason, muscle, other, low, high, pair, tells, family = problem.core.direct(
            wanted, near, bool(limits), start, seeded
        )
        name = self.muscle_names
        if reason in (_SHOULDER, _ROLL, _ELBOW):
            part = {
                _SHOULDER: "two muscles of the shoulder",
                _ROLL: "a muscle that turns the upper arm",
                _ELBOW: "one across the elbow",
            }
            if np.isfinite(wanted).sum() < self.n:
                raise BadOption(
                    f"{int(np.isfinite(wanted).sum())} lengths do not decide {self.n} joints: {part[reason]} must be "
                    "given as well"
                    + (
                        f", for example those of {', '.join(self.independent_muscles)}"
                        if self.independent_muscles
                        else ""
                    )
                )
            return None
        if reason == _APART or (reason == _IMPOSSIBLE and low == high == 0.0):
            folded = self._folded(problem, wanted, near, limits, start, seeded, (muscle, other))
            if folded is not None:
                return folded
        if reason == _IMPOSSIBLE:
            why = (
                f"impossible: '{name[muscle]}' is {wanted[muscle]:.6g} m, but its ends on the two bones are never "
                f"less than {low:.6g} "
                f"nor more than {high:.6g} m apart (triangle inequality)"
            )
            return self._refused(Status.OUT_OF_REACH, why)
        if reason == _APART:
            why = (
                f"impossible: '{name[muscle]}' at {wanted[muscle]:.6g} m and '{name[other]}' at {wanted[other]:.6g} m "
                "do not meet: beside "
                f"the first, the second is {low:.6g} to {high:.6g} m"
            )
            return self._refused(Status.OUT_OF_REACH, why)
        if reason == _CONTRADICTION:
            rivals = [o for o in self.muscles[muscle].opposes if o in name]  # others may run elsewhere
            foes = [o for o in rivals if np.isfinite(wanted[name.index(o)])]
            against = (
                f"its antagonist{'s' if len(foes) > 1 else ''} {', '.join(map(repr, foes))}" if foes else "the others"
            )
            given = f"'{name[muscle]}' at {wanted[muscle]:.6g} m"
            why = f"impossible: {given} contradicts {against}, beside which it would be {low:.6g} m"
            return self._refused(Status.OUT_OF_REACH, why)
        if reason == _LIMITS:
            return self._refused(
                Status.LIMITS, "outside the limits: every posture with these lengths breaks a joint limit"
            )
        return self._by_closed_form(q, problem.core.lengths(q), branches, off, pair, tells, family)

    def _by_closed_form(
        self, q: Array, lengths: Array, branches: Any, off: Array, pair: Any, tells: float, family: Any
    ) -> MusclePostures:
        by = tuple(self.muscle_names[k] for k in pair if k >= 0)
        why = f"{len(q)} posture{'' if len(q) == 1 else 's'} in closed form, the upper arm by {' and '.join(by)}"
        if any(family):
            why += f"; they leave '{self.joint_names[0]}' free, so this is one of a family of postures: a seed chooses which"
        return MusclePostures(
            q,
            lengths,
            self.muscle_names,
            tuple(branches),
            off,
            Status.SOLVED,
            why,
            "closed_form",
            by,
            tells,
            tuple(family),
        )

    def _folded(
        self, problem: Any, wanted: Array, near: float, limits: bool, start: Array, seeded: bool, apart: tuple[int, int]
    ) -> MusclePostures | None:
        """Return postures with these lengths to the tolerance where two that are exact do not meet, None where there are none.

        At the fold of two muscles lengths with few digits lie a little beyond it. Others may decide in their place; if not, least
        squares find what lies nearest.
        """
        for k in apart:
            if k < 0:
                continue
            fewer = wanted.copy()
            fewer[k] = np.nan
            q, branches, _, reason, *_, pair, tells, family = problem.core.direct(
                fewer, near, bool(limits), start, seeded
            )
            if reason != 0:
                continue
            lengths = problem.core.lengths(q)
            off = np.nanmax(np.abs(lengths - wanted), axis=1)
            fits = np.flatnonzero(off <= near)
            if fits.size:
                kept, free = [branches[i] for i in fits], [family[i] for i in fits]
                return self._by_closed_form(q[fits], lengths[fits], kept, off[fits], pair, tells, free)
        found = self._searched(problem, wanted, near, limits, start, seeded)
        return found if found.ok else None

    def _searched(
        self, problem: Any, wanted: Array, near: float, limits: bool, start: Array, seeded: bool
    ) -> MusclePostures:
        """Return what least squares find from many starts."""
        given = int(np.isfinite(wanted).sum())
        starts = problem.starts(start)
        q, off = problem.core.match(wanted, starts, bool(limits))
        if self.model.ranges.cones and limits:
            off = np.where(self.model.ranges.within(q), off, np.inf)
        good = np.flatnonzero(off <= near)
        kept: list[int] = []
        for row in good:
            if all(np.abs(self.model.kernel.difference(q[j], q[row])).max(initial=0.0) > SAME_POSTURE for j in kept):
                kept.append(int(row))
        if not kept:
            k = int(np.argmin(off))
            gap = np.where(np.isnan(wanted), 0.0, np.abs(problem.core.lengths(q[k]) - wanted))
            worst = int(np.argmax(gap))
            why = (
                f"not found: no posture from {len(starts)} starts has these lengths; the nearest has "
                f"'{self.muscle_names[worst]}' "
                f"{gap[worst]:.3g} m off"
            )
            return self._refused(Status.NOT_FOUND, why, "least_squares")
        rows = q[kept]
        few = given < self.n
        ways = [self._free_way(problem, wanted, near, limits, row) for row in rows]
        free = [few or way is not None for way in ways]
        if seeded:
            pairs = zip(rows, ways, strict=True)
            rows = np.array([self._towards(problem, wanted, near, limits, row, way, start) for row, way in pairs])
        if any(free):  # every start ends elsewhere in the family: the first is the seed's
            first = free.index(True)
            alone = [i for i, of_family in enumerate(free) if not of_family or i == first]
            rows, free = rows[alone], [free[i] for i in alone]
        why = (
            "one of a family of postures with these lengths, by least squares: fewer lengths than joints"
            if few
            else f"{len(rows)} posture{'' if len(rows) == 1 else 's'} by least squares, {len(starts)} starts; there may be more"
        )
        if any(free) and not few:
            why += "; they leave a joint free, so this is one of a family of postures: a seed chooses which"
        lengths = problem.core.lengths(rows)
        return MusclePostures(
            rows, lengths, self.muscle_names, tuple(range(len(rows))), np.nanmax(np.abs(lengths - wanted), axis=1),
            Status.SOLVED, why, "least_squares", family=tuple(free),
        )  # fmt: skip

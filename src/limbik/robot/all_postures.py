"""What a chain does with a target when one posture is not enough: `solve_all`, `solve_all_batch`, swivels."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from limbik._core import Answers
from limbik.errors import BadOption, NotFinite, shown
from limbik.geometry.arrays import number, numbers
from limbik.geometry.se3 import matrices
from limbik.robot.looking_up import POSE_JOINTS
from limbik.robot.pursuing import NEAREST
from limbik.robot.solving import Solvers, Solving, thread_count
from limbik.solvers.answers import BatchAnswers, collect, joined, spread_sample, with_all_turns
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Form, Redundancy
from limbik.solvers.closed_form.swivel import best_swivels
from limbik.solvers.self_motion import without_family_members


class AllPostures(Solving):
    """The verbs of a chain that give every posture."""

    @property
    def _form(self) -> Form | None:
        return self._limited.form

    @cached_property
    def _every(self) -> Callable[..., Answers] | None:
        """The ordinary `solve_all`, without a detour."""
        return None if self._form is None else self._limited.postures.solve_all

    @cached_property
    def _every_held(self) -> Callable[[Any, Any, float], Answers] | None:
        """`solve_all` with the swivel given as a number, without a detour."""
        return None if self.redundancy is None else self._limited.postures.solve_all

    @property
    def branch_names(self) -> tuple[str, ...]:
        """What each branch number of a posture stands for; empty where the chain has no closed form."""
        return () if self._form is None else self._form.branch_names

    @property
    def redundancy(self) -> Redundancy | None:
        """What is left to choose when the tip stands still; None where the chain has no joint too many, or no closed form."""
        return None if self._form is None else self._form.redundancy

    def solve_all(
        self,
        T: Any,
        seed: Any = None,
        limits: bool = True,
        turns: str = NEAREST,
        swivel: Any = None,
        *,
        directed: bool = True,
    ) -> Answers:
        """Return every posture whose tip is at T, verified: a sequence of answers.

        By the closed form where the chain has one, else by look-up where it has a table (`with_table`), or by many attempts.
        `complete` tells whether every posture is listed or on a self-motion manifold that a listed one is flagged for
        (`families`: every posture of a redundant arm), and `why` what to ask for where not; where none is, `status` is
        OUT_OF_REACH or LIMITS only if that is proven. T, seed, limits: as in `solve`. turns: "nearest" gives each posture
        once, each joint at the whole turn inside its limits that is nearest the seed; "all" lists every copy.

        Redundant arms have ranges of postures. With an elbow that swings (`redundancy.kind` "swivel"), swivel is: None, one
        posture for each branch and feasible range, the elbow as near the seed's direction as it can; a number [rad], the
        branches there; "limits" or "manipulable", the best of each range; three numbers, the elbow as near that point as
        it can. directed=False reads a number as the angle of a plane, so that the elbow may lie on either side. With a joint
        that may take any value (kind "joint"), swivel is its value; None lists the postures at the seed's value, then one of
        every other branch and range of sampled values. A redundant chain without closed form gives a spread sample of its
        postures. Neither is complete.

        Raises as `solve` does.
        """
        if turns is NEAREST and limits is True and directed is True:
            if swivel is None:
                every = self._every
                if every is not None:
                    return every(T, seed)
            elif isinstance(swivel, float) and isfinite(swivel):
                held = self._every_held
                if held is not None:
                    return held(T, seed, swivel)
        solvers = self._solvers(limits)
        if not isinstance(turns, str) or turns not in (NEAREST, "all"):
            raise BadOption(f"turns={shown(turns)} is not known; use 'nearest' or 'all'")
        if not isinstance(directed, bool | np.bool_):
            raise BadOption(f"directed={shown(directed)}: True or False")
        if solvers.form is None:
            answers = self._without_form(solvers, T, seed, swivel)
        else:
            answers = self._by_form(solvers, T, seed, swivel, bool(directed))
        if turns == "all":
            lower, upper = (self.lower, self.upper) if limits else (np.full(self.n, -np.inf), np.full(self.n, np.inf))
            answers = with_all_turns(answers, lower, upper, self.model.revolute)
        return answers

    def solve_all_batch(
        self, Ts: Any, seeds: Any = None, threads: int | None = None, *, limits: bool = True
    ) -> BatchAnswers:
        """Return every posture of many targets, (N, 4, 4).

        By the closed form: row i then holds the postures that `solve_all` gives; its `families` are those that the
        equations show, while `solve_all` looks at the Jacobian too. Else by look-up where the chain has a table, else by a
        search from many starts: 16 postures a row at the most, and where these lead nowhere no attempts follow, so that
        `solve_all` may list others. seeds and threads as in `solve_batch`. Raises BadOption for a chain with a joint too
        many.
        """
        count = thread_count(threads)
        solvers = self._solvers(limits)
        finder = solvers.table or solvers.search
        if solvers.form is None:
            self._check_countable()
        if solvers.form is not None or finder is None:
            return self._with_numeric_rows(
                solvers, BatchAnswers(*solvers.postures.solve_all_batch(Ts, seeds, count)), Ts, seeds
            )
        q, found, outside = finder.solve_all_batch(Ts, seeds, count)
        rows, most = q.shape[:2]
        nowhere = np.zeros((rows, most), np.bool_)
        return BatchAnswers(q, found, outside, np.full((rows, most), -1, np.int32), nowhere, np.ones(rows, np.bool_))

    def reachable(self, T: Any, limits: bool = True, *, threads: int | None = None) -> Any:
        """Tell whether some posture has its tip at T: (4, 4) -> bool, (N, 4, 4) -> (N,) of bool.

        True is verified. False means that none was found; `solve(T, limits=limits).status` tells whether that is proven.
        Raises as `solve` does.
        """
        Ts = numbers(matrices(T), "a pose has 16 numbers, (4, 4) or (N, 4, 4)")
        solvers = self._solvers(limits)
        if Ts.ndim == 2:
            return bool(self.solve(Ts, limits=limits).ok)
        if solvers.form is None and solvers.table is not None:
            found = np.array(solvers.table.solve_all_batch(Ts, None, thread_count(threads))[1] > 0)
            missing = np.flatnonzero(~found)
            found[missing] = self.solve_batch(Ts[missing], threads=threads, limits=limits, method="lm").ok
            return found
        return self.solve_batch(Ts, threads=threads, limits=limits).ok

    def swivel_ranges(self, T: Any, limits: bool = True) -> dict[int, list[tuple[float, float]]]:
        """Return the swivels at which each branch keeps the joint limits: {branch: [(low, high), ...]} [rad].

        Exact: computed arcs, not samples; low <= high <= low + 2 pi. For arms whose `redundancy.kind` is "swivel"; others
        raise BadOption.
        """
        return self._solvers(limits).postures.swivel_ranges(T)

    def swivel(self, q: Any) -> float:
        """Return the swivel of a posture [rad]: where its elbow points. Raises BadOption where the arm has none."""
        return self._limited.postures.swivel_of(q)

    def _without_form(self, solvers: Solvers, T: Any, seed: Any, swivel: Any) -> Answers:
        if swivel is not None:
            raise BadOption(f"swivel= is for redundant arms with a closed form; '{self.name}' has none")
        scale = self.model.reach.span or 1.0
        if not self._countable:
            return spread_sample(solvers.pose, T, seed, self.model.revolute, scale)
        for finder in (solvers.table, solvers.search):
            answers = None if finder is None else finder.solve_all(T, seed)
            if answers is not None and answers.ok:
                return without_family_members(answers, self.model.kernel, self.model.revolute, scale)
        return without_family_members(
            collect(solvers.pose, T, seed, self.model.revolute, scale), self.model.kernel, self.model.revolute, scale
        )

    def _with_numeric_rows(self, solvers: Solvers, batch: BatchAnswers, Ts: Any, seeds: Any) -> BatchAnswers:
        """Return a batch whose rows without posture and without proof hold what attempts find."""
        missing = np.flatnonzero((batch.count == 0) & batch.open)
        if not len(missing):
            return batch
        starts = None if seeds is None else np.asarray(seeds, np.float64)
        chosen = starts[missing] if starts is not None and starts.ndim == 2 else starts
        found = BatchAnswer(
            *solvers.pose.solve_batch(matrices(Ts)[missing], chosen, 0, False, math.inf, False), form=None, method="lm"
        )
        q, number = batch.q.copy(), batch.count.copy()
        q[missing[found.ok], 0], number[missing[found.ok]] = found.q[found.ok], 1
        return replace(batch, q=q, count=number)

    @cached_property
    def _countable(self) -> bool:
        """Tell whether the postures of a target are not endless."""
        return self.n <= POSE_JOINTS and bool(self.model.one_axis.all())

    def _check_countable(self) -> None:
        """Raise BadOption where the postures of a target are endless."""
        if not self._countable:
            raise BadOption(
                f"'{self.name}' has more freedom than a pose needs and no closed form: its postures are endless; "
                f"use solve with seeds, or with_frozen to hold joints"
            )

    def _by_form(self, solvers: Solvers, T: Any, seed: Any, swivel: Any, directed: bool) -> Answers:
        postures, redundancy = solvers.postures, self.redundancy
        if swivel is None or redundancy is None:
            if swivel is not None:
                raise BadOption(f"swivel= is for redundant arms; '{self.name}' is not redundant: leave it out")
            return postures.solve_all(T, seed)
        if isinstance(swivel, str):
            if redundancy.kind != "swivel":
                raise BadOption(f"swivel={swivel!r}: {self._held_joint(redundancy)}")
            if swivel not in (NEAREST, "limits", "manipulable"):
                raise BadOption(
                    f"swivel={swivel!r} is not known; give a number, 'nearest', 'limits', 'manipulable' or a point"
                )
            score = self._score(swivel)
            if score is None:
                return postures.solve_all(T, seed)
            return best_swivels(postures, T, seed, score)
        values = numbers(swivel, "swivel must be a number, a name or a point of 3 numbers")
        if not np.isfinite(values).all():
            raise NotFinite(f"swivel={shown(swivel)}: give a finite number, a name or a point of 3 numbers")
        if values.shape == (3,) and redundancy.kind == "swivel":
            return postures.solve_all(T, seed, None, postures.swivel_towards(T, values))
        if values.shape != () and redundancy.kind != "swivel":
            raise BadOption(f"swivel has shape {values.shape}: {self._held_joint(redundancy)}")
        if values.shape != ():
            raise BadOption(f"swivel has shape {values.shape}; give a number, a name or a point of 3 numbers")
        angle = number(swivel, "swivel")
        if directed or redundancy.kind != "swivel":
            return postures.solve_all(T, seed, angle)
        return joined([postures.solve_all(T, seed, angle), postures.solve_all(T, seed, angle + np.pi)])

    def _held_joint(self, redundancy: Redundancy) -> str:
        """Return what swivel= is on an arm without an elbow that swings, for a message."""
        return f"'{self.name}' has no elbow that swings; give the value of its joint '{redundancy.joint}' [rad or m]"

"""What a chain does with a table: `with_table`, and solving by look-up."""

from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, Answer, Candidates, SeedCandidates, TableSolver
from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.model import position_tolerance
from limbik.robot.carrying import TABLE
from limbik.robot.learning import Learning
from limbik.solvers.iterative.seeds import seed_table
from limbik.solvers.table.content import Content
from limbik.solvers.table.designs import design_of
from limbik.solvers.table.lookup_chain import LookupChain, lookup_chain

# More joints than a pose needs: the postures of a target are then endless.
POSE_JOINTS = 6


class LookingUp(Learning):
    """A chain that may have a table."""

    def with_table(self, table: str | PathLike[str] | Content) -> Self:
        """Return this chain with a table, as `limbik table build` or `limbik.build_table` made it: a file, or what is in one.

        Without a closed form `solve_all` then looks targets up, and `solve` does where `valid` or `prefer` choose among several
        postures; method="table" does in any case. Raises BadFile for a file that is damaged or was made for another robot,
        FileUnreadable.
        """
        made = self._loaded(TABLE, table)
        assert made._table is not None  # one that does not fit is refused here, not by the first solve
        return made

    @cached_property
    def _quick_lookup(self) -> TableSolver | None:
        return self._make_lookup(True, position_tolerance(self.model.reach), ROTATION_TOLERANCE)

    def look_up(
        self, Ts: Any, steps: int = 1, *, tolerance: float | None = None
    ) -> tuple[Array, Array, npt.NDArray[np.int64]]:
        """Return what the table says about many targets, (N, 4, 4), as fast as it is read: q (k, n), position errors (k,), begin.

        The postures of target i are q[begin[i]:begin[i + 1]]. Each keeps the limits, has the orientation exactly and the place to
        within its error [m], which is checked, after so many steps of Newton's method. tolerance: postures that are farther off
        are left out; by default a thousandth of the arm. Not answers: `solve_all` gives those. For tables of postures of arms
        with a spherical wrist; others raise BadOption.
        """
        table = self._quick_lookup
        if table is None:
            raise BadOption(f"'{self.name}' has no table; give it one: arm.with_table(file)")
        return table.look_up_batch(Ts, steps, 1e-3 * self._lookup.scale if tolerance is None else float(tolerance))

    @property
    def table(self) -> Content | None:
        """The table that the chain looks targets up in."""
        carried = self._carried.get(TABLE)
        return None if carried is None else carried.content

    @cached_property
    def _lookup(self) -> LookupChain:
        return lookup_chain(self.model)

    @cached_property
    def _table(self) -> Candidates | None:
        carried = self._carried.get(TABLE)
        if carried is None:
            return None
        content, file = carried
        # by a chain without one: making a table asks the chain for its solvers, which ask for the table
        return design_of(content, file or Path(content.robot)).candidates(content, self._again())

    @cached_property
    def _starts(self) -> Candidates | None:
        """Candidates where there is no table: the starts of attempts. None for chains with too many joints or others."""
        chain = self._lookup
        seeds = seed_table(chain.kernel, chain.low, chain.high)
        if seeds is None or len(chain.low) > POSE_JOINTS:
            return None
        return SeedCandidates(chain.kernel, seeds, chain.scale, chain.low, chain.high)

    def _make_search(self, limits: bool, position: float, rotation: float) -> TableSolver | None:
        """Return what searches for all postures from the starts of attempts, all at once."""
        starts = self._starts
        if starts is None:
            return None
        return self._lookup.solver(starts, limits=limits, position=position, rotation=rotation, method="lm")

    def _make_lookup(self, limits: bool, position: float, rotation: float) -> TableSolver | None:
        """Return what solves by look-up. A table knows postures inside the limits: without limits it is not asked."""
        table = self._table
        bounded = bool(np.isfinite(self.lower).any() or np.isfinite(self.upper).any())
        if table is None or (bounded and not limits):
            return None
        return self._lookup.solver(table, limits=limits, position=position, rotation=rotation)

    def _needed_table(self, table: TableSolver | None) -> TableSolver:
        """Return what method="table" begins with. Raises BadOption where there is none."""
        if table is None:
            if self.table is None:
                raise BadOption(f"method='table': '{self.name}' has no table; give it one: arm.with_table(file)")
            raise BadOption("method='table' with limits=False: the table holds postures inside the limits only")
        return table


def said_by(method: str, answer: Answer) -> Answer:
    """Return what attempts found beside or after another method, as an answer of that method."""
    return Answer(
        answer.q, answer.code, answer.attempt, answer.tried, answer.position_error, answer.rotation_error, answer.target,
        method, "", answer.timed_out, -1 if answer.branch is None else answer.branch, answer.family, answer.steps,
    )  # fmt: skip

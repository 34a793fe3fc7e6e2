"""The table attached to a chain, `arm.table`."""

from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE
from limbik.errors import BadOption
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array
from limbik.model.model import Model, position_tolerance
from limbik.solvers.attachments import TABLE, attach, attached
from limbik.solvers.table.finder import lookup, table, table_solver


def with_table(model: Model, given: str | PathLike[str] | Content) -> Model:
    """Return a model with a table. A table that does not fit raises an error here, not in the first solve."""
    made = attach(model, TABLE, given)
    table(made)
    return made


@dataclass(frozen=True)
class AttachedTable:
    """The table of a chain and its methods. Made by `arm.table`. Raises BadOption for a model without one."""

    model: Model

    def __post_init__(self) -> None:
        _ = self.content

    @property
    def content(self) -> Content:
        """Its arrays and metadata; `arm.with_table(content)` attaches it to an equal arm."""
        found = attached(self.model, TABLE)
        if found is None:
            raise BadOption(f"'{self.model.name}' has no table; attach one: arm.with_table(file)")
        return found

    def look_up(
        self, Ts: Any, steps: int = 1, *, tolerance: float | None = None
    ) -> tuple[Array, Array, npt.NDArray[np.int64]]:
        """Return the candidates of the table for many targets, (N, 4, 4): q (k, n), position errors (k,), begin.

        The candidates of target i are q[begin[i]:begin[i + 1]]. Each is inside the limits, has the target's orientation and the
        given position error [m], measured after `steps` steps of Newton's method. tolerance: the greatest position error to list
        [m]; by default a thousandth of the arm's length. Candidates are not verified; `solve_all` gives answers. For tables of
        arms with a spherical wrist; others raise BadOption.
        """
        solver = table_solver(
            self.model, limits=True, position=position_tolerance(self.model.reach), rotation=ROTATION_TOLERANCE
        )
        assert solver is not None, "a model with a table has a look-up solver"
        most = 1e-3 * lookup(self.model).scale if tolerance is None else float(tolerance)
        return solver.look_up_batch(Ts, steps, most)

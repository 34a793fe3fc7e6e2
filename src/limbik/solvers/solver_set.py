"""The compiled solvers of a model's tip, for one choice of limits and tolerances. They are made once and cached."""

from typing import Any, NamedTuple

import numpy as np

from limbik._core import ROTATION_TOLERANCE, PoseSolver, PostureSolver, TableSolver
from limbik.errors import BadOption
from limbik.geometry.arrays import number
from limbik.model.model import Model, position_tolerance
from limbik.model.recent import Recent
from limbik.solvers.closed_form.form import Form
from limbik.solvers.closed_form.postures import make_postures
from limbik.solvers.levenberg_marquardt import make_solver
from limbik.solvers.table.finder import start_search, table_solver

# Number of tolerances whose solvers a model caches; a set of solvers takes about 10 kB, more with a table.
MOST_TOLERANCES = 16


class SolverSet(NamedTuple):
    """The compiled solvers for a tip.

    pose: one configuration. postures: all configurations in closed form. form: the description of the closed form; None if there
    is none, and then `postures` is not used. table: look-up in the attached table. search: all configurations from many starts,
    for chains without closed form.
    """

    pose: PoseSolver
    postures: PostureSolver
    form: Form | None
    table: TableSolver | None
    search: TableSolver | None


def solver_set(model: Model, limits: Any = True, position: Any = None, rotation: Any = None) -> SolverSet:
    """Return the solvers of a model's tip. position [m], rotation [rad]: tolerances; None for the model's. Raises BadOption."""
    if not isinstance(limits, bool | np.bool_):
        raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
    if position is None and rotation is None:
        return model.derived(_inside_limits if limits else _without_limits)
    key = (
        bool(limits),
        position_tolerance(model.reach) if position is None else number(position, "position_tolerance"),
        ROTATION_TOLERANCE if rotation is None else number(rotation, "rotation_tolerance"),
    )
    if not (key[1] > 0 and key[2] > 0):
        raise BadOption(f"tolerances must be above 0; got {key[1]:g} m and {key[2]:g} rad")
    return model.derived(_by_tolerance).get(key, lambda: _made(model, *key))


def _inside_limits(model: Model) -> SolverSet:
    return _made(model, True, position_tolerance(model.reach), ROTATION_TOLERANCE)


def _without_limits(model: Model) -> SolverSet:
    return _made(model, False, position_tolerance(model.reach), ROTATION_TOLERANCE)


def _by_tolerance(model: Model) -> Recent[tuple[bool, float, float], SolverSet]:
    return Recent(MOST_TOLERANCES)


def _made(model: Model, limits: bool, position: float, rotation: float) -> SolverSet:
    postures, form = make_postures(model, limits=limits, position=position, rotation=rotation)
    pose = make_solver(model, limits=limits, position=position, rotation=rotation, postures=postures)
    table = table_solver(model, limits=limits, position=position, rotation=rotation)
    search = start_search(model, limits=limits, position=position, rotation=rotation) if form is None else None
    return SolverSet(pose, postures, form, table, search)

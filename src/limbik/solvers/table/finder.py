"""Look-up for a model: its table as the core reads it, and the search from start configurations where it has none."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import ROTATION_TOLERANCE, Candidates, SeedCandidates, TableSolver
from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.model import Model, position_tolerance
from limbik.solvers.attachments import TABLE
from limbik.solvers.iterative.seeds import seed_table
from limbik.solvers.table.designs import design_of
from limbik.solvers.table.lookup_chain import LookupChain, lookup_chain

# A pose has six numbers: a chain with more joints reaches it in endlessly many configurations.
POSE_JOINTS = 6


def lookup(model: Model) -> LookupChain:
    """Return the parts of the chain that tables are made from."""
    return model.derived(lookup_chain)


def table(model: Model) -> Candidates | None:
    """Return the attached table as the core reads it. Raises BadFile for arrays that do not fit together."""
    return model.derived(_table)


def starts(model: Model) -> Candidates | None:
    """Return the start configurations of attempts as candidates; None for chains with too many joints, or balls."""
    return model.derived(_starts)


def table_solver(model: Model, *, limits: bool, position: float, rotation: float) -> TableSolver | None:
    """Return the solver by look-up. A table holds configurations inside the limits: without limits there is none."""
    candidates, ranges = table(model), model.ranges
    bounded = bool(np.isfinite(ranges.lower).any() or np.isfinite(ranges.upper).any())
    if candidates is None or (bounded and not limits):
        return None
    return lookup(model).solver(candidates, limits=limits, position=position, rotation=rotation)


def start_search(model: Model, *, limits: bool, position: float, rotation: float) -> TableSolver | None:
    """Return the search for all configurations from the start configurations, all at once."""
    candidates = starts(model)
    if candidates is None:
        return None
    return lookup(model).solver(candidates, limits=limits, position=position, rotation=rotation, method="lm")


def _table(model: Model) -> Candidates | None:
    attachment = model.attachments.get(TABLE)
    if attachment is None:
        return None
    from limbik.solvers.table.arm import TableArm

    content, file = attachment
    # by a model without it: a design may ask the model for its solvers, which ask for the table
    arm = TableArm(model.with_attachments({}))
    return design_of(content, file or Path(content.robot)).candidates(content, arm)


def _starts(model: Model) -> Candidates | None:
    chain = lookup(model)
    seeds = seed_table(chain.kernel, chain.low, chain.high)
    if seeds is None or len(chain.low) > POSE_JOINTS:
        return None
    return SeedCandidates(chain.kernel, seeds, chain.scale, chain.low, chain.high)


def look_up(
    model: Model, Ts: Any, steps: int = 1, tolerance: float | None = None
) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Return what the table alone says about many targets, as `Chain.look_up` documents."""
    options = {"limits": True, "position": position_tolerance(model.reach), "rotation": ROTATION_TOLERANCE}
    solver = table_solver(model, **options)  # type: ignore[arg-type]
    if solver is None:
        raise BadOption(f"'{model.name}' has no table; give it one: arm.with_table(file)")
    return solver.look_up_batch(Ts, steps, 1e-3 * lookup(model).scale if tolerance is None else float(tolerance))

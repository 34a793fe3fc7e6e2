"""Look-up for a model: its table in the form of the core, or the search from start configurations."""

from pathlib import Path

import numpy as np

from limbik._core import Candidates, SeedCandidates, TableSolver
from limbik.model.model import Model
from limbik.solvers.attachments import TABLE
from limbik.solvers.seed_tables import seed_table
from limbik.solvers.table.designs import design_of
from limbik.solvers.table.lookup_chain import LookupChain, ModelArm, lookup_chain

# A pose has six degrees of freedom: a chain with more joints has infinitely many configurations for it.
POSE_JOINTS = 6


def lookup(model: Model) -> LookupChain:
    """Return the parts of the chain that tables are made from."""
    return model.derived(lookup_chain)


def table(model: Model) -> Candidates | None:
    """Return the attached table as the core reads it. Raises BadFile for arrays that do not fit together."""
    return model.derived(_table)


def starts(model: Model) -> Candidates | None:
    """Return the start configurations of attempts as candidates; None for redundant chains and chains with ball joints."""
    return model.derived(_starts)


def table_solver(model: Model, *, limits: bool, position: float, rotation: float) -> TableSolver | None:
    """Return the solver by look-up; None without a table, or when the limits of a limited chain are ignored.

    A table holds configurations inside the limits only.
    """
    candidates, ranges = table(model), model.ranges
    bounded = bool(np.isfinite(ranges.lower).any() or np.isfinite(ranges.upper).any())
    if candidates is None or (bounded and not limits):
        return None
    return lookup(model).solver(candidates, limits=limits, position=position, rotation=rotation)


def start_search(model: Model, *, limits: bool, position: float, rotation: float) -> TableSolver | None:
    """Return the search for all configurations from all start configurations."""
    candidates = starts(model)
    if candidates is None:
        return None
    return lookup(model).solver(candidates, limits=limits, position=position, rotation=rotation, method="lm")


def _table(model: Model) -> Candidates | None:
    attachment = model.attachments.get(TABLE)
    if attachment is None:
        return None
    content, file = attachment
    # A model without the table: a design may ask the model for its solvers, and these would ask for the table again.
    arm = ModelArm(model.with_attachments({}))
    return design_of(content, file or Path(content.robot)).candidates(content, arm)


def _starts(model: Model) -> Candidates | None:
    chain = lookup(model)
    seeds = seed_table(chain.kernel, chain.low, chain.high)
    if seeds is None or len(chain.low) > POSE_JOINTS:
        return None
    return SeedCandidates(chain.kernel, seeds, chain.scale, chain.low, chain.high)

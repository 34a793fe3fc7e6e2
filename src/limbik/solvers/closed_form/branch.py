"""The branches of a closed form that a configuration is on, whoever found the configuration."""

import numpy as np

from limbik.geometry.angles import wrap
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.solver_set import solver_set

# Largest joint difference of two configurations that are the same [rad, or fractions of the reach]: beside a double root the
# closed form gives joint values to the square root of rounding only.
SAME = 1e-6


def branches_of(model: Model, q: Array) -> frozenset[int]:
    """Return the numbers of the branches that contain a configuration: two where they meet, none without a closed form."""
    solvers = solver_set(model, False)
    if solvers.form is None:
        return frozenset()
    redundancy, free = solvers.form.redundancy, None
    if redundancy is not None:
        free = (
            solvers.postures.swivel_of(q)
            if redundancy.joint is None
            else float(q[model.variable(redundancy.joint).first])
        )
    found = solvers.postures.solve_all(model.kernel.forward(q), q, free)
    gap = np.where(model.revolute, np.abs(wrap(found.q - q)), np.abs(found.q - q) / model.length)
    same = gap.max(axis=1, initial=0.0) <= SAME
    return frozenset(int(branch) for branch in found.branches[same] if branch >= 0)

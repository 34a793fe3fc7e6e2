"""The record of an iterative method, step by step."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.model.record import Record


@dataclass(frozen=True, eq=False)
class Trace(Record):
    """The iterations of a method, one row each, the start first.

    q: (k + 1, n). value: (k + 1,) the minimised sum of squares. position_error [m], rotation_error [rad]: the true errors.
    evaluations, jacobians: (k + 1,) the number of evaluations of the tip pose and of its Jacobian so far. ok: whether it ends at
    the target, inside the limits or at a 2-pi copy of a configuration inside them.
    """

    method: str
    q: Array
    value: Array
    position_error: Array
    rotation_error: Array
    evaluations: npt.NDArray[np.int64]
    jacobians: npt.NDArray[np.int64]
    ok: bool

    def __len__(self) -> int:
        return len(self.q) - 1

    def __bool__(self) -> bool:
        return self.ok

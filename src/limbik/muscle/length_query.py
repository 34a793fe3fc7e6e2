"""A question in muscle space: which postures have these lengths?"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.muscle.problem import MuscleProblem


class LengthQuery(NamedTuple):
    """Lengths that are wanted, (m,) [m], NaN where none is given, to a tolerance [m].

    seed: (n,) the posture to be near where lengths leave that open. seeded: whether the caller gave it.
    """

    problem: MuscleProblem
    wanted: Array
    tolerance: float
    seed: Array
    seeded: bool

    @property
    def given(self) -> npt.NDArray[np.bool_]:
        """(m,) which lengths are given."""
        return np.asarray(np.isfinite(self.wanted))

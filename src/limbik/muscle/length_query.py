"""A query in muscle space: the postures (configurations) with given lengths."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.muscle.problem import MuscleProblem


class LengthQuery(NamedTuple):
    """Given lengths.

    wanted: (m,) [m], NaN for a length that is not given. tolerance: [m]. seed: (n,) selects among postures with the
    same lengths. seeded: whether the caller gave the seed.
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

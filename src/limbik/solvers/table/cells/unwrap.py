"""Angles that belong together, side by side: no jump of a whole turn between neighbours.

The samples of one solution in a cell may lie on both sides of +-180 degrees. A polynomial through such a jump is wrong in the
whole cell: it is taken out before the fit, about the samples' mean direction, and what a model gives is brought back into
the joint's range afterwards. The paper does not mention either; without them its deviations are out of
reach: 8.6 instead of 2.2 mm for the Puma's place.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import nearest_copy
from limbik.geometry.arrays import Array


def unwrapped(q: Array, weight: Array, turning: npt.NDArray[np.bool_]) -> Array:
    """Return samples (records, samples, joints) within half a turn of the mean direction of their record.

    weight: (records, samples), 0 where there is no sample. turning: (joints,) which joints are angles.
    """
    share = weight[..., None]
    mean = np.arctan2((np.sin(q) * share).sum(1), (np.cos(q) * share).sum(1))[:, None]
    return np.where(turning, nearest_copy(q, mean), q)


def into_range(q: Array, middle: Array, turning: npt.NDArray[np.bool_]) -> Array:
    """Return joint values (..., joints) at the whole turn nearest the middle of their range."""
    return np.where(turning, nearest_copy(q, middle), q)

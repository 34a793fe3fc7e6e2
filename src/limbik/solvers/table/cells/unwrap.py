"""Unwrap the angles of one solution: remove jumps of 2 pi between its samples.

The samples of one solution in a cell may lie on both sides of +-pi. A polynomial through such a jump is wrong in the
whole cell. Angles are therefore unwrapped about the samples' mean direction before the fit, and the values of the model
are wrapped into the joint's range afterwards. The paper mentions neither step; without them its deviations cannot be
obtained: 8.6 instead of 2.2 mm for the Puma's position.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import nearest_copy
from limbik.geometry.arrays import Array


def unwrapped(q: Array, weight: Array, turning: npt.NDArray[np.bool_]) -> Array:
    """Return samples (records, samples, joints) with each angle within pi of the mean direction of its record.

    weight: (records, samples), 0 for padding. turning: (joints,) which joints are revolute.
    """
    share = weight[..., None]
    mean = np.arctan2((np.sin(q) * share).sum(1), (np.cos(q) * share).sum(1))[:, None]
    return np.where(turning, nearest_copy(q, mean), q)


def into_range(q: Array, middle: Array, turning: npt.NDArray[np.bool_]) -> Array:
    """Return joint values (..., joints) with each angle at its 2-pi copy nearest the middle of its range."""
    return np.where(turning, nearest_copy(q, middle), q)

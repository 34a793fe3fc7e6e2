"""Markers that are wrong: how far a marker may be off before it counts for less, and how noisy the rest is.

The length of an error whose coordinates have the standard deviation sigma has the median 1.538 sigma. A marker whose error is
longer than `LONGEST` sigma (one in a thousand by chance) has the weight (LONGEST sigma / error)^2: its pull falls with its
distance, so that one that was swapped or that hangs on a curtain does not bend the figure.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask

# The median length of an error in space, in standard deviations of its coordinates.
MEDIAN = 1.538
# Errors longer than this many standard deviations are not noise.
LONGEST = 4.0
# Errors of more standard deviations than this, and more than this part of the figure's size, count for nothing.
WRONG, PART = 2 * LONGEST, 1e-3


def noise(errors: Array, least: float) -> float:
    """Return the standard deviation of a coordinate from the lengths of errors (NaN where there is none), at least `least`."""
    seen = errors[np.isfinite(errors)]
    return max(float(np.median(seen)) / MEDIAN, least) if len(seen) else least


def weights(errors: Array, sigma: float) -> Array:
    """Return the weight of each marker, 0 where it is missing, over the noise's variance."""
    with np.errstate(invalid="ignore", divide="ignore"):
        w = np.minimum(1.0, (LONGEST * sigma / errors) ** 2)
    out: Array = np.where(np.isfinite(errors), np.where(errors > 0, w, 1.0), 0.0) / sigma**2
    return out


def costs(errors: Array, sigma: float) -> Array:
    """Return what each error adds to the sum that these weights lower, 0 where it is missing."""
    e = np.nan_to_num(errors) / sigma
    far = LONGEST**2 * (1 + 2 * np.log(np.maximum(e, LONGEST) / LONGEST))
    out: Array = np.where(e < LONGEST, e * e, far)
    return out


def own_weights(errors: Array, sigma: float) -> Array:
    """Return weights as `weights` does for postures that are still far off: each frame has the noise of its own markers."""
    seen = np.isfinite(errors)
    half = np.maximum(seen.sum(axis=1) // 2, 0)
    ordered = np.sort(np.where(seen, errors, np.inf), axis=1)
    middle = ordered[np.arange(len(errors)), np.minimum(half, errors.shape[1] - 1)]
    own = np.maximum(np.where(np.isfinite(middle), middle, 0.0) / MEDIAN, sigma)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        w = np.minimum(1.0, (LONGEST * own / errors) ** 2)
    out: Array = np.where(seen, np.where(errors > 0, w, 1.0), 0.0) / sigma**2
    return out


def rejected(errors: Array, sigma: float, span: float) -> Mask:
    """Return which markers are too far off to be noise, (frames, markers): they tell nothing."""
    out: Mask = np.nan_to_num(errors, nan=0.0) > max(WRONG * sigma, PART * span)
    return out

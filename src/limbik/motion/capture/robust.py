"""Robust weights of markers, and the estimate of their noise.

The length of an error whose coordinates have the standard deviation sigma has the median 1.538 sigma. A marker whose error is
longer than `LONGEST` sigma (one in a thousand by chance) has the weight (LONGEST sigma / error)^2: its influence decreases with
the distance, so that a swapped or stray marker does not distort the figure.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask

# The median length of a 3D error, in standard deviations of its coordinates.
MEDIAN = 1.538
# Errors longer than this many standard deviations are down-weighted.
LONGEST = 4.0
# Errors above this many standard deviations and above this fraction of the figure's size are outliers.
WRONG, PART = 2 * LONGEST, 1e-3


def noise(errors: Array, least: float) -> float:
    """Return the standard deviation of a coordinate from the lengths of errors (NaN for missing ones), at least `least`."""
    seen = errors[np.isfinite(errors)]
    return max(float(np.median(seen)) / MEDIAN, least) if len(seen) else least


def weights(errors: Array, sigma: float) -> Array:
    """Return the robust weight of each marker over the noise's variance; 0 if it is missing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        w = np.minimum(1.0, (LONGEST * sigma / errors) ** 2)
    out: Array = np.where(np.isfinite(errors), np.where(errors > 0, w, 1.0), 0.0) / sigma**2
    return out


def costs(errors: Array, sigma: float) -> Array:
    """Return the robust cost of each error; 0 if it is missing."""
    e = np.nan_to_num(errors) / sigma
    far = LONGEST**2 * (1 + 2 * np.log(np.maximum(e, LONGEST) / LONGEST))
    out: Array = np.where(e < LONGEST, e * e, far)
    return out


def own_weights(errors: Array, sigma: float) -> Array:
    """Return weights like `weights` for inaccurate postures: each frame has the noise of its own markers."""
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
    """Return which markers are outliers, (frames, markers)."""
    out: Mask = np.nan_to_num(errors, nan=0.0) > max(WRONG * sigma, PART * span)
    return out

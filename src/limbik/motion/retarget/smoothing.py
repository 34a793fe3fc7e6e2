"""Smoothing of signals: by a Gaussian, or by an upper envelope."""

import numpy as np

from limbik.geometry.arrays import Array

# A Gaussian is truncated at this many standard deviations.
WIDTH = 4.0


def frame_time(times: Array) -> float:
    """Return the mean time from one frame to the next [s]; 1 for a single frame."""
    return float(times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 1.0


def gaussian_smoothed(values: Array, times: Array, seconds: float) -> Array:
    """Return a signal, (frames, k), smoothed by a Gaussian of this standard deviation [s], with constant extrapolation."""
    spread = seconds / frame_time(times)
    reach = min(int(np.ceil(WIDTH * spread)), 4 * len(values))
    if len(values) < 2 or reach < 1:
        return values
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / spread) ** 2)
    weights /= weights.sum()
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], -1)


def upper_envelope(needed: Array, times: Array, seconds: float) -> Array:
    """Return a smooth upper envelope of a signal, (frames,).

    It is the sliding maximum over an interval, averaged twice over half of it: no averaged number is below the signal.
    """
    half = min(max(round(seconds / frame_time(times)), 1), len(needed))
    if len(needed) < 2 or not needed.any():
        return needed
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(needed, 2 * half, mode="edge"), 2 * half + 1)
    most = windows.max(axis=1)
    box = np.full(half + 1, 1.0 / (half + 1))
    out: Array = np.convolve(np.convolve(most, box, mode="valid"), box, mode="valid")
    return np.maximum(out, needed)

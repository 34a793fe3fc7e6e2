"""Courses made smooth: averaged over a bell, or covered from above."""

import numpy as np

from limbik.geometry.arrays import Array

# A bell is cut off at so many deviations.
WIDTH = 4.0


def frame_time(times: Array) -> float:
    """Return the mean time from one frame to the next [s]; 1 for a single frame."""
    return float(times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else 1.0


def bell(values: Array, times: Array, seconds: float) -> Array:
    """Return a course, (frames, k), averaged over a bell of this deviation [s]; beyond its ends it stays as it is there."""
    spread = seconds / frame_time(times)
    reach = min(int(np.ceil(WIDTH * spread)), 4 * len(values))
    if len(values) < 2 or reach < 1:
        return values
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / spread) ** 2)
    weights /= weights.sum()
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], -1)


def cover(needed: Array, times: Array, seconds: float) -> Array:
    """Return a smooth course, (frames,), that is nowhere below what is needed.

    It is the most that is needed within a time, averaged twice over half of it: an average of numbers, none of which is less.
    """
    half = min(max(round(seconds / frame_time(times)), 1), len(needed))
    if len(needed) < 2 or not needed.any():
        return needed
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(needed, 2 * half, mode="edge"), 2 * half + 1)
    most = windows.max(axis=1)
    box = np.full(half + 1, 1.0 / (half + 1))
    out: Array = np.convolve(np.convolve(most, box, mode="valid"), box, mode="valid")
    return np.maximum(out, needed)

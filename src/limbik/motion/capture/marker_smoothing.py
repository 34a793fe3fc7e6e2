"""Smooth each marker over time before sizes are estimated.

Sizes that are estimated together with a posture (configuration) for every frame are not only noisy but biased: noise rotates
bones, and the estimate prefers lengths that fit such rotations (Neyman and Scott 1948: incidental parameters). The bias is
proportional to the square of the noise. So each marker is first smoothed over time independently of the others, with a stiffness
from cross validation. The postures of the final motion are fitted to the measured markers.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.capture.smoothing import chosen_stiffness

# Recordings with fewer frames are not smoothed.
FEWEST = 16


def smoothed_markers(measured: Array) -> tuple[Array, float]:
    """Return the positions of markers smoothed over time, (frames, markers, 3), and the effective number of frames. Missing
    markers stay missing.

    The effective number of frames is the number of degrees of freedom, the trace of the smoother.
    """
    from scipy.fft import dct, idct

    frames = len(measured)
    if frames < FEWEST:
        return measured, float(frames)
    flat = measured.reshape(frames, -1)
    gone = ~np.isfinite(flat)
    filled = np.array(flat)
    time = np.arange(frames)
    for column in np.flatnonzero(gone.any(axis=0)):
        seen = ~gone[:, column]
        filled[:, column] = np.interp(time, time[seen], flat[seen, column]) if seen.any() else 0.0
    s = chosen_stiffness(np.diff(filled, axis=0))
    trend = filled[0] + np.linspace(0, 1, frames)[:, None] * (filled[-1] - filled[0])
    l2 = (2 - 2 * np.cos(np.pi * time / frames)) ** 2
    kept = 1 / (1 + l2[:, None] * s)
    smooth = idct(dct(filled - trend, axis=0, norm="ortho") * kept, axis=0, norm="ortho") + trend
    out: Array = np.where(gone, np.nan, smooth).reshape(measured.shape)
    return out, float(np.median(kept.sum(axis=0)))

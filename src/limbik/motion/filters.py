"""Zero-phase filters for recorded motion, for every kind of joint.

Each filter processes the joint values as signals. A joint with one axis is its angle (unwrapped if continuous) or
displacement. A rotation is its unit quaternion, with continuous signs, normalised after the filter: the average of close unit
quaternions is their mean rotation up to third order in their spread. Every filter is symmetric in time.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.geometry.so3 import quaternion_from_vector, vector_from_quaternion, with_continuous_signs
from limbik.model.even_times import beat_of
from limbik.model.joint import Kind
from limbik.model.ranges import Ranges
from limbik.model.recording import Recording

# The largest change of a constant signal that a filter may cause.
STILL = 1e-6


def low_pass(recording: Recording, cutoff: Any, order: Any = 2) -> Array:
    """Return the postures low-pass filtered at `cutoff` [Hz]: a Butterworth filter, forwards and backwards.

    Raises BadOption if the frames are not evenly spaced, or the cutoff is not below half their rate.
    """
    from scipy.signal import butter, sosfiltfilt

    rate, limit = _even_rate(recording), number(cutoff, "the cutoff")
    steps = _whole(order, "the order of the filter", 1, 8)
    if not 0 < limit < rate / 2:
        raise BadOption(f"cutoff={shown(cutoff)} Hz: it must be between 0 and half the frame rate, {rate / 2:.4g} Hz")
    with warnings.catch_warnings():  # some versions warn about lost digits, which are checked below
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        sections = butter(steps, limit / (rate / 2), output="sos")
    padding = min(3 * (2 * len(sections) + 1), len(recording.q) - 1)

    def apply(signal: Array) -> Array:
        smooth: Array = sosfiltfilt(sections, signal, axis=0, padlen=padding)
        return smooth

    try:
        still = apply(np.ones((max(len(recording.q), 2), 1)))
    except np.linalg.LinAlgError:
        still = np.full((1, 1), np.nan)
    if not np.abs(still - 1.0).max() <= STILL:
        raise BadOption(
            f"cutoff={shown(cutoff)} Hz is too far below the frame rate, {rate:.4g} Hz: a filter of order {steps} would lose "
            "all digits; use a higher cutoff or a lower order, or resample the clip to a lower rate first"
        )
    return _filtered(recording, apply)


def blur(recording: Recording, seconds: Any) -> Array:
    """Return the postures smoothed by a Gaussian of this standard deviation [s]. Raises BadOption as `low_pass`."""
    from scipy.ndimage import gaussian_filter1d

    spread = number(seconds, "the width of the blur")
    if not 0 < spread < np.inf:
        raise BadOption(f"seconds={shown(seconds)}: give a time above 0 s")
    frames = min(spread * _even_rate(recording), float(len(recording.q)))
    if frames < 0.1:  # the Gaussian is narrower than a frame
        return np.array(recording.q)
    return _filtered(recording, lambda signal: gaussian_filter1d(signal, frames, axis=0, mode="nearest"))


def despike(recording: Recording, frames: Any = 5) -> Array:
    """Return the postures with each value replaced by the median of `frames` frames around it, which removes outliers."""
    from scipy.ndimage import median_filter

    width = _whole(frames, "the width of the median", 1, 10_001)
    if width % 2 == 0:
        raise BadOption(f"frames={width}: a median needs an odd number of frames")
    return _filtered(recording, lambda signal: median_filter(signal, size=(width, 1), mode="nearest"))


def _filtered(recording: Recording, apply: Callable[[Array], Array]) -> Array:
    """Return the postures with a filter applied to every signal, clamped to the ranges if the original ones are inside."""
    compiled = recording.compiled
    q = np.array(recording.q)
    if len(q) < 2:
        return q
    out = np.array(q)
    for v in compiled.variables:
        kind, first = v.joint.kind, v.first
        if kind is Kind.CONTINUOUS:
            out[:, first] = apply(np.unwrap(q[:, first])[:, None])[:, 0]
            continue
        if kind.size == 1:
            out[:, first] = apply(q[:, [first]])[:, 0]
            continue
        turn = first + kind.size - 3
        if turn > first:
            out[:, first:turn] = apply(q[:, first:turn])
        signal = apply(with_continuous_signs(quaternion_from_vector(q[:, turn : turn + 3])))
        out[:, turn : turn + 3] = vector_from_quaternion(signal)
    ranges = Ranges(compiled)
    return ranges.clamp(out) if ranges.within(q).all() else out


def _even_rate(recording: Recording) -> float:
    """Return the frame rate [Hz]. Raises BadOption if the frames are not evenly spaced."""
    if len(recording.times) < 2:
        return 1.0
    beat = beat_of(recording.times)
    if beat is None:
        raise BadOption("the frames are not evenly spaced in time; resample the clip first: clip.resampled(rate)")
    return 1.0 / beat.step


def _whole(given: Any, what: str, least: int, most: int) -> int:
    value = number(given, what)
    if value != round(value) or not least <= value <= most:
        raise BadOption(f"{what} is {shown(given)}; a whole number from {least} to {most} is needed")
    return int(value)

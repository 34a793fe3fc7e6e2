"""Estimate a motion from markers: the initial size, then sizes and offsets, then single frames, then all frames together."""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Joint
from limbik.model.ranges import Mask
from limbik.motion.capture import bridging, robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import Unknown
from limbik.motion.capture.doubt import Doubt, find_doubt, unlikely_bones, unlikely_offsets
from limbik.motion.capture.exchanges import closer_to_figure, with_corrected_names
from limbik.motion.capture.one_thread import in_one_thread
from limbik.motion.capture.position_uncertainty import position_uncertainty
from limbik.motion.capture.postures import ANCHOR, errors
from limbik.motion.capture.sizing import LEAST_NOISE, EstimateOptions, estimate_sizes, refit_to_markers
from limbik.motion.capture.smoothing import chosen_stiffness, smooth, stiffness_at
from limbik.motion.capture.start import size_ratio, without_strays

# The lower bound of the variance of an observable joint value [rad^2, m^2].
LEAST_VARIANCE = 1e-24
# The fraction of outliers above which a frame's posture is wrong.
MISPLACED = 0.25
# The most steps of the smoothing.
STEPS = 8
# The stiffness for smoothing=None, relative to the information from markers: just enough to fill gaps.
NO_SMOOTHING = 1e-4


@dataclass(frozen=True, eq=False)
class Estimate:
    """The estimated motion: the body with its sizes, and its postures (configurations) q (frames, n).

    factors: (bones,) of the lengths. deviations: (bones,) the standard deviations of the lengths [m]. far: (frames, markers) the
    errors of the given markers [m]. sigma: their noise [m]. outliers: (frames, markers). exchanged: (frames, markers) whose names
    were exchanged. hidden: (frames, n) joint values that the markers do not determine in a frame. absent: (n,) values that they
    never determine. place_error: position errors of frames due to estimated sizes [m].
    """

    body: Body
    q: Array
    factors: Array
    deviations: Array
    far: Array
    sigma: float
    outliers: Mask
    exchanged: Mask
    hidden: Mask
    absent: Mask
    place_error: dict[str, float]
    doubt: Doubt


@in_one_thread
def estimate(body: Body, measured: Array, times: Array, options: EstimateOptions) -> Estimate:
    """Return the motion of a body from its markers, (frames, markers, 3) with NaN where missing."""
    given, measured = measured, without_strays(body, measured, size_ratio(body, measured))
    span = body.span
    expected = np.where(options.known[:, None], body.offsets, body.halfway)
    corrected, changed = with_corrected_names(measured, span)
    body, sized = estimate_sizes(body, corrected, changed, options)
    measured = closer_to_figure(measured, corrected, changed, body.positions(sized.q)) if changed.any() else measured
    sized = refit_to_markers(body, sized, measured)
    q = sized.q
    _, far = errors(body, q, measured)
    every = np.where(np.isfinite(far), sized.sigma**-2, 0.0)
    variance, _, alone = bridging.variances(body, q, every)
    absent: Mask = np.median(alone, axis=0) < ANCHOR
    noise = _unbiased(far, variance, sized.sigma, options)
    sigma = max(noise, LEAST_NOISE * span)
    # The posture of a frame with many outliers is wrong: it is bridged as if the outliers were missing.
    inlier_weights = _inlier_weights(far, sigma, span)
    misplaced = ((inlier_weights == 0) & np.isfinite(far)).sum(axis=1) > MISPLACED * np.isfinite(far).sum(axis=1)
    variance, moved, _ = bridging.variances(
        body, q, np.where(misplaced[:, None], inlier_weights, robust.weights(far, sigma))
    )
    q = bridging.bridge(body.compiled, q, bridging.unobservable(body, q, variance, sigma), times)
    # A joint whose markers are all outliers is as unobservable as a joint without markers.
    variance, _, _ = bridging.variances(body, q, inlier_weights)
    hidden = bridging.unobservable(body, q, variance, sigma)
    trust, stiffness = _stiffness(body, q, moved, hidden, absent, options.cutoff)
    if len(q) > 2:
        q = smooth(body, q, measured, sigma, stiffness, trust, times, STEPS)
    pull, far = errors(body, q, measured)
    weights = _inlier_weights(far, sigma, span)
    place_error = _place_error(body, q, np.where(changed, 0.0, weights), options)
    unlikely = (
        unlikely_bones(sized.factors, options.estimated),
        unlikely_offsets(body.offsets, expected, options.free & (np.median(weights, axis=0) > 0), span),
    )
    doubt = find_doubt(body, q, weights, pull, sigma, hidden, times, place_error, unlikely)
    _, given_far = errors(body, q, given)
    return Estimate(
        body,
        q,
        sized.factors,
        sized.deviations * np.array([_length(b) for b in body.bones]) / sized.factors,
        given_far,
        noise,
        robust.rejected(given_far, sigma, span),
        np.asarray((given != measured).any(axis=-1) & np.isfinite(given[..., 0]) & np.isfinite(measured[..., 0])),
        hidden,
        absent,
        place_error,
        doubt,
    )


def _inlier_weights(far: Array, sigma: float, span: float) -> Array:
    """Return the weights of markers; 0 for outliers."""
    return np.where(robust.rejected(far, sigma, span), 0.0, robust.weights(far, sigma))


def _place_error(body: Body, q: Array, weights: Array, options: EstimateOptions) -> dict[str, float]:
    if not options.free.any() and not options.groups.any():
        return {}
    unknown = Unknown(options.groups, options.free, options.room(body))
    return position_uncertainty(body, q, weights, unknown, body.span)


def _length(bone: Joint) -> float:
    return float(np.linalg.norm(bone.origin[:3, 3]))


def _unbiased(far: Array, variance: Array, sigma: float, options: EstimateOptions) -> float:
    """Return the noise corrected for the degrees of freedom of postures and sizes, with three coordinates per marker.

    If few degrees of freedom remain, the errors contain little information: the correction is at most a factor of two.
    """
    seen = 3.0 * np.isfinite(far).sum(axis=1)
    sizes = (options.groups.shape[1] + 3.0 * options.free.sum()) / len(far)
    taken = (1 - ANCHOR * variance).sum(axis=1) + sizes
    some = seen > 0
    typical = float(np.median(seen[some]))
    remaining = max(typical - float(np.median(taken[some])), 0.0)
    return sigma * float(np.sqrt(typical / max(remaining, 0.2 * typical, 1.0)))


def _stiffness(
    body: Body, q: Array, moved: Array, hidden: Mask, absent: Mask, cutoff: float | str | None
) -> tuple[Array, Array]:
    """Return the information about each joint value (n,) [1/variance], and its stiffness in time."""
    information = np.full(body.n, ANCHOR)
    for i in np.flatnonzero(~absent & ~hidden.all(axis=0)):
        information[i] = 1 / max(float(np.median(moved[~hidden[:, i], i])), LEAST_VARIANCE)
    if cutoff is None or len(q) < 8:
        return information, NO_SMOOTHING * information
    if not isinstance(cutoff, str):
        return information, information * stiffness_at(cutoff)
    return information, information * chosen_stiffness(body.compiled.kernel.difference(q[:-1], q[1:]))

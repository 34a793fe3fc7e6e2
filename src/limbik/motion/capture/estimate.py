"""From markers to a motion, step by step: a first size, sizes and offsets, every frame by itself, all frames together."""

from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Joint
from limbik.model.ranges import Mask
from limbik.motion.capture import bridging, robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import Unknown
from limbik.motion.capture.doubt import Doubt, doubted, unlikely_bones, unlikely_offsets
from limbik.motion.capture.exchanges import nearer, put_back
from limbik.motion.capture.one_thread import in_one_thread
from limbik.motion.capture.postures import ANCHOR, errors
from limbik.motion.capture.sizing import LEAST_NOISE, Wish, settled, sizes
from limbik.motion.capture.smoothing import chosen_stiffness, smooth, stiffness_at
from limbik.motion.capture.spread import place_spread
from limbik.motion.capture.start import size_ratio, without_strays

# The least variance of a number that markers tell [rad^2, m^2].
LEAST_VARIANCE = 1e-24
# The part of a frame's markers that are too far off where its posture is wrong.
CAUGHT = 0.25
# Steps of the smoothing at most.
STEPS = 8
# How much smoothing there is where none is asked for: enough to bridge gaps.
NO_SMOOTHING = 1e-4


@dataclass(frozen=True, eq=False)
class Estimate:
    """What was found: the body with its sizes, and its postures.

    factors: of its bones. unsure: their standard deviations [m]. far: errors of markers as they were given [m]. sigma: their
    noise [m]. wrong: markers too far off to be noise. exchanged: markers whose names were exchanged. hidden: what of q
    markers do not tell in a frame. absent: what they never tell. spread: how far
    the places of frames may be off [m], where sizes were estimated.
    """

    body: Body
    q: Array
    factors: Array
    unsure: Array
    far: Array
    sigma: float
    wrong: Mask
    exchanged: Mask
    hidden: Mask
    absent: Mask
    spread: dict[str, float]
    doubt: Doubt


@in_one_thread
def estimate(body: Body, measured: Array, times: Array, wish: Wish) -> Estimate:
    """Return the motion of a body from its markers, (frames, markers, 3) with NaN where missing."""
    given, measured = measured, without_strays(body, measured, size_ratio(body, measured))
    span = body.span
    expected = np.where(wish.known[:, None], body.offsets, body.halfway)
    put_right, changed = put_back(measured, span)
    body, sized = sizes(body, put_right, changed, wish)
    measured = nearer(measured, put_right, changed, body.positions(sized.q)) if changed.any() else measured
    sized = settled(body, sized, measured)
    q = sized.q
    _, far = errors(body, q, measured)
    every = np.where(np.isfinite(far), sized.sigma**-2, 0.0)
    variance, _, alone = bridging.variances(body, q, every)
    absent: Mask = np.median(alone, axis=0) < ANCHOR
    noise = _unbiased(far, variance, sized.sigma, wish)
    sigma = max(noise, LEAST_NOISE * span)
    # A frame that most markers contradict is caught in a wrong posture: it is bridged as if they were missing.
    telling = _telling(far, sigma, span)
    caught = ((telling == 0) & np.isfinite(far)).sum(axis=1) > CAUGHT * np.isfinite(far).sum(axis=1)
    variance, moved, _ = bridging.variances(body, q, np.where(caught[:, None], telling, robust.weights(far, sigma)))
    q = bridging.bridge(body.compiled, q, bridging.unseen(body, q, variance, sigma), times)
    # A joint whose markers are all too far off is no more told than one without any.
    variance, _, _ = bridging.variances(body, q, telling)
    hidden = bridging.unseen(body, q, variance, sigma)
    trust, stiffness = _stiffness(body, q, moved, hidden, absent, wish.cutoff)
    if len(q) > 2:
        q = smooth(body, q, measured, sigma, stiffness, trust, times, STEPS)
    pull, far = errors(body, q, measured)
    told = _telling(far, sigma, span)
    spread = _spread(body, q, np.where(changed, 0.0, told), wish)
    unlikely = (
        unlikely_bones(sized.factors, wish.estimated),
        unlikely_offsets(body.offsets, expected, wish.free & (np.median(told, axis=0) > 0), span),
    )
    doubt = doubted(body, q, told, pull, sigma, hidden, times, spread, unlikely)
    _, as_given = errors(body, q, given)
    return Estimate(
        body,
        q,
        sized.factors,
        sized.unsure * np.array([_length(b) for b in body.bones]) / sized.factors,
        as_given,
        noise,
        robust.rejected(as_given, sigma, span),
        np.asarray((given != measured).any(axis=-1) & np.isfinite(given[..., 0]) & np.isfinite(measured[..., 0])),
        hidden,
        absent,
        spread,
        doubt,
    )


def _telling(far: Array, sigma: float, span: float) -> Array:
    """Return the weights of markers, with none for those that are too far off to be noise."""
    return np.where(robust.rejected(far, sigma, span), 0.0, robust.weights(far, sigma))


def _spread(body: Body, q: Array, weights: Array, wish: Wish) -> dict[str, float]:
    if not wish.free.any() and not wish.groups.any():
        return {}
    unknown = Unknown(wish.groups, wish.free, wish.room(body))
    return place_spread(body, q, weights, unknown, body.span)


def _length(bone: Joint) -> float:
    return float(np.linalg.norm(bone.origin[:3, 3]))


def _unbiased(far: Array, variance: Array, sigma: float, wish: Wish) -> float:
    """Return the noise with what postures and sizes took up of it put back: as many numbers as markers tell, of three a marker.

    Where they take up nearly all, errors say little of the noise: it is then taken for twice as much, not more.
    """
    seen = 3.0 * np.isfinite(far).sum(axis=1)
    sizes = (wish.groups.shape[1] + 3.0 * wish.free.sum()) / len(far)
    taken = (1 - ANCHOR * variance).sum(axis=1) + sizes
    some = seen > 0
    usual = float(np.median(seen[some]))
    left = max(usual - float(np.median(taken[some])), 0.0)
    return sigma * float(np.sqrt(usual / max(left, 0.2 * usual, 1.0)))


def _stiffness(
    body: Body, q: Array, moved: Array, hidden: Mask, absent: Mask, cutoff: float | str | None
) -> tuple[Array, Array]:
    """Return what markers tell of each number of q (n,), in 1/variance, and how stiff it is in time."""
    told = np.full(body.n, ANCHOR)
    for i in np.flatnonzero(~absent & ~hidden.all(axis=0)):
        told[i] = 1 / max(float(np.median(moved[~hidden[:, i], i])), LEAST_VARIANCE)
    if cutoff is None or len(q) < 8:
        return told, NO_SMOOTHING * told
    if not isinstance(cutoff, str):
        return told, told * stiffness_at(cutoff)
    return told, told * chosen_stiffness(body.compiled.kernel.difference(q[:-1], q[1:]))

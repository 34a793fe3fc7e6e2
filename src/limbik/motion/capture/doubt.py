"""Error estimates of captured frames, and the decision which frames are doubtful.

With weights w = 1 / sigma^2 (0 for missing markers and outliers) the posture (configuration) of a frame has the covariance
P = (J^T W J + ANCHOR)^-1; the weak anchor is the prior of a joint without markers, about a radian. The position error e of a
joint with the Jacobian J_x is

    e^2 = trace(J_x P J_x^T) k^2 + s^2 + (WORSE m)^2 + (CAUGHT d)^2 ,   k = max(1, noise of the frame / sigma)

where s is the error due to estimated sizes (`position_uncertainty`), and k > 1 means that a frame fits worse than the others. m
is the systematic part of the marker errors. Unlike noise it does not change between frames, so m^2 = sigma^2 - (differences of
neighbouring frames)^2 / 2. It means that sizes are wrong, and then joint errors are larger than marker errors. d is the excess of
m on the markers of one link beyond chance: a limb in a wrong local minimum, or with exchanged marker names for a while. The error
of a frame is the mean of e over the links with markers. Peaks shorter than a bridge in time are bridged and do not count. A frame
is doubtful if

  - its error exceeds LOOSE times the figure's size, 9 mm on a human figure: too few markers, unobservable offsets, or markers
    that fit nowhere;
  - its links are on average that far from their markers, even for a short time, since visible markers are never bridged;
  - bones without markers on them or further out make up more than UNOBSERVED of the total bone length, which is more than
    fingers and toes;
  - a usually observable joint is unobservable for longer than a bridge (`bridging.runs`);
  - sizes are unlikely: the factor of a bone differs from those of the others by more than UNLIKELY, or an offset is too far from
    its bone. Real proportions differ by 10 to 20 %. If left and right are exchanged, or a marker is assigned to a wrong bone, the
    errors may stay small, since offsets absorb them, but bone lengths change by half. Then all frames are doubtful.

Not detected: a wrong figure that fits with likely sizes.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask
from limbik.motion.capture import bridging
from limbik.motion.capture.body import TOGETHER, Body
from limbik.motion.capture.postures import ANCHOR
from limbik.motion.capture.robust import MEDIAN

# Interpolation over a longer time than this is a guess [s].
LONGEST_BRIDGE = 0.2
# The mean joint error above which a frame is doubtful, as a fraction of the figure's size.
LOOSE = 0.006
# The ratio of joint errors to marker errors for wrong sizes, measured with bones that are 1/12 too long or short.
WORSE = 4.0
# The same ratio for a link with larger systematic errors than the others: a limb in a wrong local minimum.
CAUGHT = 25.0
# The largest systematic error of a link that is attributed to chance, in standard deviations; the standard deviation of a
# median of squares is 1.5 times larger than that of a mean.
CHANCE = 5.0
# Marker errors above this many standard deviations are outliers.
FAR_OFF = 4.0
# The fraction of the total bone length without markers above which a figure is doubtful.
UNOBSERVED = 0.25
# The largest plausible ratio between a bone's factor and those of the others.
UNLIKELY = 1.5
# The largest plausible distance of an offset from the middle of its bone, as a fraction of the figure's size.
FARTHEST = 0.4


@dataclass(frozen=True, eq=False)
class Doubt:
    """The doubtful parts of a motion.

    error: (frames,) the mean joint error [m]. loose: (frames,) whether the error or a distance from markers is too large.
    guessed: (frames,) whether a joint is unobservable for too long. bridged: (frames,) whether a joint is unobservable.
    bones: the indices of bones with unlikely factors. markers: the indices of markers with unlikely offsets. systematic: the
    systematic marker error [m] if it dominates the error, else 0.
    """

    error: Array
    loose: Mask
    guessed: Mask
    bridged: Mask
    bones: tuple[int, ...]
    markers: tuple[int, ...]
    systematic: float

    @property
    def frames(self) -> Mask:
        """(frames,) whether a frame is doubtful."""
        return self.loose | self.guessed | bool(self.bones or self.markers)


def find_doubt(
    body: Body,
    q: Array,
    weights: Array,
    pull: Array,
    sigma: float,
    hidden: Mask,
    times: Array,
    place_error: dict[str, float],
    unlikely: tuple[tuple[int, ...], tuple[int, ...]],
) -> Doubt:
    """Return the doubtful parts of a motion. weights: 0 for missing markers and outliers. pull: (frames, markers, 3) marker
    errors. hidden: joint values that a frame does not determine. place_error: position errors due to sizes [m]; empty if the
    sizes are given. unlikely: the indices of unlikely bones and markers.
    """
    span = body.span
    far = np.sqrt((pull * pull).sum(axis=-1))
    links = tuple(dict.fromkeys(body.on))
    sizes = np.array([place_error.get(link, 0.0) for link in links])
    fit_ratio, apart = _misfit_ratio(body, far, sigma)
    posture = _posture_errors(body, q, weights, links) * fit_ratio
    common, own, significant = _misfit(body, pull, weights)
    misfit = WORSE**2 * (common**2 + own**2) + (CAUGHT * significant) ** 2
    error = np.minimum(np.sqrt(posture**2 + sizes**2 + misfit), span).mean(axis=1)
    error = _without_peaks(error, times)
    bridged, guessed = bridging.runs(hidden, times, LONGEST_BRIDGE)
    lengths = [
        sum(float(np.linalg.norm(b.origin[:3, 3])) for b in several) for several in (body.unobserved, body.bones)
    ]
    loose = (error > LOOSE * span) | (apart > LOOSE * span) | (lengths[0] > UNOBSERVED * lengths[1])
    mostly = np.sqrt(misfit).mean() > 0.5 * np.median(error)
    systematic = float(np.sqrt(common**2 + (own**2).mean())) if mostly else 0.0
    return Doubt(error, np.asarray(loose), guessed, bridged, *unlikely, systematic)


def _misfit_ratio(body: Body, far: Array, sigma: float) -> tuple[Array, Array]:
    """Return the ratio of marker errors to the noise by frame and link, (frames, links), at least one, and the mean distance of
    links from their markers beyond noise, (frames,) [m].

    The ratio is that of all markers, or of the closest third of the markers on a link if this is larger. One exchanged marker
    thus does not affect the others, but a link far from most of its markers is misplaced.
    """
    err = np.where(far > 0, far, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a frame or link without markers
        whole = np.nanmedian(err, axis=1)
        links = np.stack([np.nanquantile(err[:, of], 1 / 3, axis=1, method="lower") for _, of in body.groups], axis=1)
    away = np.where(links > FAR_OFF * sigma, links, 0.0)
    return np.fmax(np.fmax(whole[:, None], away) / (MEDIAN * sigma), 1.0), away.mean(axis=1)


def _misfit(body: Body, pull: Array, weights: Array) -> tuple[float, Array, Array]:
    """Return the systematic error per coordinate [m]: of all markers, the excess of each link over that, and the part of the
    excess beyond chance.
    """
    valid = weights > 0
    common, _ = _systematic(pull, valid)
    each = np.array([_systematic(pull[:, of], valid[:, of]) for _, of in body.groups]).reshape(-1, 2)
    own, significant = (np.sqrt(np.maximum(each[:, 0] - common - part, 0.0)) for part in (0.0, each[:, 1]))
    return float(np.sqrt(common)), own, significant


def _systematic(pull: Array, valid: Mask) -> tuple[float, float]:
    """Return the square of the systematic error [m^2], and its standard deviation by chance."""
    both = valid[1:] & valid[:-1]
    if not both.any():
        return 0.0, 0.0
    whole = float(np.median((pull[valid] ** 2).sum(axis=-1)))
    change = min(0.5 * float(np.median(((pull[1:] - pull[:-1])[both] ** 2).sum(axis=-1))), whole)
    systematic = whole - change
    # the effective number of samples is smaller than the number of frames, by the autocorrelation
    alone = float(both.sum()) * change / max(whole + systematic, 1e-300)
    chance = change / np.sqrt(both.sum()) + systematic / np.sqrt(max(alone, 1.0))
    return systematic / MEDIAN**2, CHANCE * chance / MEDIAN**2


def unlikely_bones(factors: Array, estimated: Mask) -> tuple[int, ...]:
    """Return the bones whose factor differs too much from those of the others."""
    if estimated.sum() < 2:
        return ()
    ratio = factors / np.median(factors[estimated])
    return tuple(int(k) for k in np.flatnonzero(estimated & ((ratio > UNLIKELY) | (ratio < 1 / UNLIKELY))))


def unlikely_offsets(offsets: Array, expected: Array, free: Mask, span: float) -> tuple[int, ...]:
    """Return the markers whose estimated offset is too far from the expected one, (markers, 3) both."""
    away = np.linalg.norm(offsets - expected, axis=1)
    return tuple(int(k) for k in np.flatnonzero(free & (away > FARTHEST * span)))


def _posture_errors(body: Body, q: Array, weights: Array, links: tuple[str, ...]) -> Array:
    """Return the standard deviations of link positions for known sizes, (frames, links) [m]."""
    kernel, n = body.compiled.kernel, body.n
    numbers = body.compiled.frame_numbers
    out = np.empty((len(q), len(links)))
    for start in range(0, len(q), TOGETHER):
        part = slice(start, start + TOGETHER)
        A, _ = body.normal_equations(q[part], np.zeros((*weights[part].shape, 3)), weights[part])
        A[:, range(n), range(n)] += ANCHOR
        P = np.linalg.inv(A)
        for k, link in enumerate(links):
            J = kernel.jacobian(q[part], numbers[link])[:, :3]
            out[part, k] = np.sqrt(np.maximum(((J @ P) * J).sum(axis=(1, 2)), 0.0))
    return out


def _without_peaks(error: Array, times: Array) -> Array:
    """Return errors without peaks that are shorter than a bridge."""
    from scipy.ndimage import grey_opening

    if len(times) < 3:
        return error
    window = int(LONGEST_BRIDGE / max(float(np.median(np.diff(times))), 1e-9))
    window = min(window + 1, len(error))
    opened: Array = grey_opening(error, size=window, mode="nearest")
    return opened

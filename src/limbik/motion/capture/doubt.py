"""When a frame of a captured motion is to be doubted: one honest statement, from what markers tell.

With weights w = 1 / sigma^2 (0 for markers that are missing, or so far off that they are no noise) the posture of a frame has the
covariance P = (J^T W J + ANCHOR)^-1: the weak anchor stands for what is known of a joint without any marker, about a radian. A
joint's place, which moves by J_x dq, is then off by

    e^2 = trace(J_x P J_x^T) k^2 + s^2 + (WORSE m)^2 + (CAUGHT d)^2 ,   k = max(1, noise of the frame / sigma)

where s is what the estimate of sizes leaves (`spread`) and k says that a frame whose errors are not like the noise of the others
is not fitted. m is the part of the errors that does not change from frame to frame as noise does, m^2 = sigma^2 - (differences
of neighbouring frames)^2 / 2: the figure is not of these sizes, and joints are off by more than the markers that bend to it. d is
how much larger the like is on the markers of one frame, beyond chance: a limb that is caught in a wrong shape, or whose markers
had other names for a while. The mean of e over the frames that carry markers is the frame's error; peaks that are shorter
than a bridge in time are bridged, and not counted. A frame is doubtful where

  - its error is more than LOOSE of the figure's size, 9 mm on a human figure: too few markers, a motion that does not tell
    offsets, markers that fit nowhere;
  - its links are that far from all their markers on average, for however short a time: no bridge leads over what is seen;
  - bones that no marker is on or beyond make up more than UNTOLD of the figure (fingers and toes may do without);
  - a joint that markers usually tell is not told for longer than a bridge (`bridging.runs`);
  - sizes are unlikely: a bone whose length over the figure's is more than UNLIKELY times that of the other bones, or an offset
    outside the reach of its bone. Figures differ by a tenth or two. With left and right exchanged, or a marker on another
    bone than said, the errors may stay small (offsets take them up), but bones shrink and grow by halves. This concerns
    all frames.

What this cannot see: a figure that is wrong and yet fits with likely sizes.
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

# A joint that no marker tells for longer than this is a guess, not a bridge [s].
LONGEST_BRIDGE = 0.2
# The mean error of joints from which a frame is doubtful, as a part of the figure's size.
LOOSE = 0.006
# How many times farther joints are off than markers where the figure's sizes are not the person's: measured with bones that are a
# twelfth too long or short.
WORSE = 4.0
# The same of a link whose markers err more steadily than all: a limb that is caught is far off where its markers hardly are.
CAUGHT = 25.0
# How many standard deviations of what markers on a link err steadily are chance: of a median of squares, 1.5 of them.
CHANCE = 5.0
# Errors of markers beyond this many deviations are no noise.
FAR_OFF = 4.0
# The part of all bones' length from which a figure without markers there is a guess.
UNTOLD = 0.25
# How many times longer or shorter than the others' a bone's factor may be.
UNLIKELY = 1.5
# How far an offset may be from the middle of its bone, as a part of the figure's size.
FARTHEST = 0.4


@dataclass(frozen=True, eq=False)
class Doubt:
    """What is doubted. error: (frames,) how far joints may be off, on average [m]. loose, guessed, bridged: (frames,) frames.
    bones: numbers of unlikely bones. markers: numbers of markers with unlikely offsets. steady: by how much markers err from
    frame to frame alike [m], where most of the error comes from that; else 0.
    """

    error: Array
    loose: Mask
    guessed: Mask
    bridged: Mask
    bones: tuple[int, ...]
    markers: tuple[int, ...]
    steady: float

    @property
    def frames(self) -> Mask:
        """(frames,) which are doubtful."""
        return self.loose | self.guessed | bool(self.bones or self.markers)


def doubted(
    body: Body,
    q: Array,
    weights: Array,
    pull: Array,
    sigma: float,
    hidden: Mask,
    times: Array,
    spread: dict[str, float],
    unlikely: tuple[tuple[int, ...], tuple[int, ...]],
) -> Doubt:
    """Return what is doubtful of a motion. weights: 0 for markers that tell nothing. pull: (frames, markers, 3) errors of
    markers. hidden: what of q a frame does not tell. spread: what sizes leave, empty where they are given. unlikely: bones and
    markers.
    """
    span = body.span
    far = np.sqrt((pull * pull).sum(axis=-1))
    links = tuple(dict.fromkeys(body.on))
    sizes = np.array([spread.get(link, 0.0) for link in links])
    unlike, apart = _unlike(body, far, sigma)
    posture = _posture_errors(body, q, weights, links) * unlike
    common, own, sure = _misfit(body, pull, weights)
    misfit = WORSE**2 * (common**2 + own**2) + (CAUGHT * sure) ** 2
    error = np.minimum(np.sqrt(posture**2 + sizes**2 + misfit), span).mean(axis=1)
    error = _bridged(error, times)
    bridged, guessed = bridging.runs(hidden, times, LONGEST_BRIDGE)
    lengths = [sum(float(np.linalg.norm(b.origin[:3, 3])) for b in several) for several in (body.untold, body.bones)]
    loose = (error > LOOSE * span) | (apart > LOOSE * span) | (lengths[0] > UNTOLD * lengths[1])
    mostly = np.sqrt(misfit).mean() > 0.5 * np.median(error)
    steady = float(np.sqrt(common**2 + (own**2).mean())) if mostly else 0.0
    return Doubt(error, np.asarray(loose), guessed, bridged, *unlikely, steady)


def _unlike(body: Body, far: Array, sigma: float) -> tuple[Array, Array]:
    """Return how many times more than noise the markers of each frame of the body err, (frames, links), at least one, and how far
    its links are from their markers on average (frames,) [m], where that is no noise.

    Of all markers, or of the third on a link that errs least, whichever is more: one that was exchanged says nothing of the
    others, but a link that none of its markers is near is somewhere else.
    """
    err = np.where(far > 0, far, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a frame or link without markers
        whole = np.nanmedian(err, axis=1)
        links = np.stack([np.nanquantile(err[:, of], 1 / 3, axis=1, method="lower") for _, of in body.groups], axis=1)
    away = np.where(links > FAR_OFF * sigma, links, 0.0)
    return np.fmax(np.fmax(whole[:, None], away) / (MEDIAN * sigma), 1.0), away.mean(axis=1)


def _misfit(body: Body, pull: Array, weights: Array) -> tuple[float, Array, Array]:
    """Return the part of the errors that stays from frame to frame, in a coordinate [m]: of all markers, by how much more than
    this it is on each link, and the same as far as it is no chance.
    """
    told = weights > 0
    common, _ = _steady(pull, told)
    each = np.array([_steady(pull[:, of], told[:, of]) for _, of in body.groups]).reshape(-1, 2)
    own, sure = (np.sqrt(np.maximum(each[:, 0] - common - part, 0.0)) for part in (0.0, each[:, 1]))
    return float(np.sqrt(common)), own, sure


def _steady(pull: Array, told: Mask) -> tuple[float, float]:
    """Return the square of the part of errors that stays from frame to frame [m^2], and what it may be by chance."""
    both = told[1:] & told[:-1]
    if not both.any():
        return 0.0, 0.0
    whole = float(np.median((pull[told] ** 2).sum(axis=-1)))
    change = min(0.5 * float(np.median(((pull[1:] - pull[:-1])[both] ** 2).sum(axis=-1))), whole)
    steady = whole - change
    # what is steady is seen less often than there are frames, by how much it resembles itself from one to the next
    alone = float(both.sum()) * change / max(whole + steady, 1e-300)
    chance = change / np.sqrt(both.sum()) + steady / np.sqrt(max(alone, 1.0))
    return steady / MEDIAN**2, CHANCE * chance / MEDIAN**2


def unlikely_bones(factors: Array, estimated: Mask) -> tuple[int, ...]:
    """Return the bones whose factor is unlike those of the others."""
    if estimated.sum() < 2:
        return ()
    ratio = factors / np.median(factors[estimated])
    return tuple(int(k) for k in np.flatnonzero(estimated & ((ratio > UNLIKELY) | (ratio < 1 / UNLIKELY))))


def unlikely_offsets(offsets: Array, expected: Array, free: Mask, span: float) -> tuple[int, ...]:
    """Return the markers whose estimated offset is too far from what was expected, (markers, 3) both."""
    away = np.linalg.norm(offsets - expected, axis=1)
    return tuple(int(k) for k in np.flatnonzero(free & (away > FARTHEST * span)))


def _posture_errors(body: Body, q: Array, weights: Array, links: tuple[str, ...]) -> Array:
    """Return the deviations of places that postures alone leave, (frames, links) [m]."""
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


def _bridged(error: Array, times: Array) -> Array:
    """Return errors without the peaks that are shorter than a bridge."""
    from scipy.ndimage import grey_opening

    if len(times) < 3:
        return error
    window = int(LONGEST_BRIDGE / max(float(np.median(np.diff(times))), 1e-9))
    window = min(window + 1, len(error))
    opened: Array = grey_opening(error, size=window, mode="nearest")
    return opened

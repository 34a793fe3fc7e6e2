"""The sizes of a figure in stages: a start, one size for the whole, offsets, every bone; then finely, from more frames.

The start is the resting figure where offsets are known, and the centres of joints where they are not and markers tell them
(`centres`). From the frames that are fitted so, all others begin between their neighbours.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask
from limbik.motion.capture import robust
from limbik.motion.capture.anew import Found, best_of, sought_anew
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import NEAR, WORTH, Unknown, calibrate
from limbik.motion.capture.calming import calmed
from limbik.motion.capture.centres import begun, joint_centres, told_of_all
from limbik.motion.capture.freeing import freed
from limbik.motion.capture.postures import anchored, errors, fit, mended
from limbik.motion.capture.resizing import Resizing
from limbik.motion.capture.start import placed

# Frames from which sizes are first estimated, and those from which they are told finely.
FIRST, FINE = 48, 600
# The noise that is assumed before any is known, for offsets that are known and others, as a part of the figure's size.
KNOWN_START, UNKNOWN_START = 0.02, 0.05
# The least noise, as a part of the figure's size: of numbers without any.
LEAST = 1e-7
# The least noise of markers as they were measured, as a part of the figure's size: 0.05 mm on a human figure. What has less would
# be smoothed by more than its noise, and count as wrong.
LEAST_NOISE = 3e-5
# Fewer new frames than this try to begin where their neighbours arrived.
MENDED = 256
# The relative gain below which a stage that only prepares the next ends, and any where two fits are only compared.
PREPARED, ROUGH = 1e-5, 1e-3
# Damping of a fit from postures that are nearly right.
SETTLED = 1e-5


@dataclass(frozen=True, eq=False)
class Wish:
    """What is to be estimated: bones or none, as groups of one factor; which offsets are known, which may change.

    cutoff: of the smoothing as a part of the frame rate, None for none, "auto".
    """

    groups: Array
    known: Mask
    free: Mask
    cutoff: float | str | None

    @property
    def estimated(self) -> Mask:
        """(bones,) which lengths are estimated."""
        return np.asarray(self.groups.any(axis=1))

    def room(self, body: Body) -> Array:
        """Return how far offsets may lie from where they are expected, (markers, 3) [m]."""
        return np.where(self.known[:, None], NEAR * body.span, body.around)


@dataclass(frozen=True, eq=False)
class Sized:
    """Factors of bones and their deviations, the posture of every frame by itself, and the noise [m]."""

    factors: Array
    unsure: Array
    q: Array
    sigma: float


def sizes(body: Body, measured: Array, unsure_names: Mask, wish: Wish, roughly: bool = False) -> tuple[Body, Sized]:
    """Return the body with its sizes, and what else was found on the way. unsure_names: (frames, markers) that sizes shall not
    be told by. roughly: as far as is needed to compare one fit with another.
    """
    span = body.span
    least = LEAST * span
    guessing = bool((~wish.known).any())
    body = replace(body, offsets=np.where(wish.known[:, None], body.offsets, body.halfway))
    room = wish.room(body)
    calm, worth = calmed(measured)
    sure = np.where(unsure_names[..., None], np.nan, calm)
    first = _best_frames(sure, FIRST)
    some = sure[first]
    start = (UNKNOWN_START if guessing else KNOWN_START) * span
    begins: list[tuple[Array, Array, Array] | None] = [None]
    if guessing:
        centres = joint_centres(body, some)
        begin = begun(body, centres, some, wish.groups, ~wish.known)
        if begin is not None:
            begins = [begin] if told_of_all(body, centres) else [begin, None]
    sizable = Resizing(body)
    last = _stages(body, wish, room)[-1]
    staged = [_staged(sizable, some, wish, begin, start, room, least, roughly) for begin in begins]
    found = best_of(staged, some, last, body.offsets, least)
    if guessing and not roughly:
        found = sought_anew(sizable, found, some, last, ~wish.known, least)
    now, factors, unsure = found.body, found.factors, found.unsure
    sigma = robust.noise(errors(now, found.q, some)[1], least)
    every = _all_frames(now, found.q, first, calm, sigma)
    if (wish.free.any() or wish.groups.any()) and not roughly:
        fine = _best_frames(sure, FINE)
        now, _, factors, sigma, unsure = calibrate(
            sizable,
            every[fine],
            sure[fine],
            replace(last, repeats=max(len(fine) / worth, 1.0)),
            factors,
            least,
            now.offsets,
            steps=6,
        )
    return now, Sized(factors, unsure, every, sigma)


def _stages(body: Body, wish: Wish, room: Array) -> list[Unknown]:
    """Return what is estimated, step by step: one size for the whole, offsets that are not known, every bone and offset."""
    guessing = bool((~wish.known).any())
    together = (wish.groups.sum(axis=1, keepdims=True) > 0).astype(np.float64)
    together = together[:, : int(together.any())]
    stages = [Unknown(together, np.zeros(len(body.on), dtype=bool), room)]
    if wish.free.any():
        stages.append(Unknown(together, wish.free & ~wish.known if guessing else wish.free, room))
    return [*stages, Unknown(wish.groups, wish.free, room)]


def _staged(
    sizable: Resizing,
    some: Array,
    wish: Wish,
    begin: tuple[Array, Array, Array] | None,
    start: float,
    room: Array,
    least: float,
    roughly: bool,
) -> Found:
    """Return a body with its sizes and postures of some frames.

    begin: postures, offsets and factors, None for the resting figure. start: the noise that is assumed first.
    """
    body = sizable.body
    offsets, factors, stages = body.offsets, np.ones(len(body.bones)), _stages(body, wish, room)
    if begin is not None:
        q, offsets, factors = begin
        stages = stages[-1:]
    else:
        q = placed(body, some)
        w = np.where(np.isfinite(some[..., 0]), start**-2, 0.0)
        q, _ = mended(body, q, some, w, q, 40)
    now, sigma, unsure = replace(body, offsets=offsets), start, np.zeros(len(body.bones))
    for stage in stages:
        if stage.groups.shape[1] or stage.free.any():
            worth = ROUGH if roughly else WORTH if stage is stages[-1] else PREPARED
            now, q, factors, sigma, unsure = calibrate(
                sizable, q, some, stage, factors, least, now.offsets, worth=worth
            )
        q, sigma = _refitted(now, q, some, sigma, least)
    return Found(now, q, factors, unsure)


def settled(body: Body, sized: Sized, measured: Array) -> Sized:
    """Return what was found with postures fitted to the markers as they were measured, not calmed."""
    least = LEAST * body.span
    _, far = errors(body, sized.q, measured)
    w = robust.weights(far, robust.noise(far, least))
    q, _ = fit(body, sized.q, measured, w, anchored(body, sized.q), 4, damping=SETTLED)
    q = freed(body, q, measured, robust.noise(errors(body, q, measured)[1], LEAST_NOISE * body.span))
    _, far = errors(body, q, measured)
    return replace(sized, q=q, sigma=robust.noise(far, least))


def _refitted(body: Body, q: Array, measured: Array, sigma: float, least: float) -> tuple[Array, float]:
    _, far = errors(body, q, measured)
    q, _ = mended(body, q, measured, robust.weights(far, sigma), anchored(body, q), 12, 2)
    return q, robust.noise(errors(body, q, measured)[1], least)


def _best_frames(measured: Array, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return at most `count` frames, one of each stretch of time: that with most markers."""
    seen = np.isfinite(measured[..., 0]).sum(axis=1)
    edges = np.unique(np.linspace(0, len(seen), count + 1).astype(int))
    return np.array([a + int(seen[a:b].argmax()) for a, b in pairwise(edges.tolist())])


def _all_frames(body: Body, q: Array, known: Any, measured: Array, sigma: float) -> Array:
    """Return the posture of every frame, from some that are known: ever more frames begin between those before and after."""
    kernel = body.compiled.kernel
    out = np.empty((len(measured), body.n))
    done = np.array(known)
    out[done] = q
    while len(done) < len(measured):
        middle = (done[:-1] + done[1:]) // 2
        ends = np.array([done[0] // 2 if done[0] > 0 else 0, (done[-1] + len(measured)) // 2])
        new = np.setdiff1d(np.concatenate([middle, ends, [0, len(measured) - 1]]), done)
        after = (
            np.clip(np.searchsorted(done, new), 1, len(done) - 1) if len(done) > 1 else np.zeros(len(new), dtype=int)
        )
        a, b = done[np.maximum(after - 1, 0)], done[after]
        share = np.clip((new - a) / np.maximum(b - a, 1), 0.0, 1.0)[:, None]
        begin = kernel.integrate(out[a], share * kernel.difference(out[a], out[b]))
        some = measured[new]
        _, far = errors(body, begin, some)
        w = robust.own_weights(far, sigma)
        if len(new) < MENDED:
            out[new], _ = mended(body, begin, some, w, anchored(body, begin), 8, 1)
        else:
            out[new], _ = fit(body, begin, some, w, anchored(body, begin), 4)
        done = np.sort(np.concatenate([done, new]))
    return out

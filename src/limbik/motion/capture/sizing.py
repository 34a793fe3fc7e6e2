"""The sizes of a figure in stages: a start, one common factor, offsets, every bone; then a refinement with more frames.

The start is the figure at rest if offsets are known; otherwise the joint centres, if they are observable (`centres`). All other
frames start from the fitted frames around them.
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
from limbik.motion.capture.centres import begun, has_all_centres, joint_centres
from limbik.motion.capture.freeing import freed
from limbik.motion.capture.postures import anchored, errors, fit, mended
from limbik.motion.capture.resizing import Resizing
from limbik.motion.capture.start import placed

# The number of frames of the first estimate of sizes, and of the refinement.
FIRST, FINE = 48, 600
# The initial noise for known and for unknown offsets, as a fraction of the figure's size.
KNOWN_START, UNKNOWN_START = 0.02, 0.05
# The lower bound of the noise for exact data, as a fraction of the figure's size.
LEAST = 1e-7
# The lower bound of the noise of measured markers, as a fraction of the figure's size: 0.05 mm on a human figure. With less,
# smoothing would change markers by more than the noise, and they would become outliers.
LEAST_NOISE = 3e-5
# Below this number of new frames, each also tries the results of its neighbours as starts.
MENDED = 256
# The relative gain at which a preparatory stage ends, and any stage of a fit for comparison only.
PREPARED, ROUGH = 1e-5, 1e-3
# The damping of a fit from nearly correct postures.
SETTLED = 1e-5


@dataclass(frozen=True, eq=False)
class EstimateOptions:
    """The requested estimate: groups of bones with a common factor, known offsets, and free offsets.

    cutoff: of the smoothing, as a fraction of the frame rate; None for none; "auto".
    """

    groups: Array
    known: Mask
    free: Mask
    cutoff: float | str | None

    @property
    def estimated(self) -> Mask:
        """(bones,) whether a length is estimated."""
        return np.asarray(self.groups.any(axis=1))

    def room(self, body: Body) -> Array:
        """Return the prior standard deviations of offsets, (markers, 3) [m]."""
        return np.where(self.known[:, None], NEAR * body.span, body.around)


@dataclass(frozen=True, eq=False)
class Sized:
    """Bone factors and their standard deviations, the independently fitted posture of every frame, and the noise [m]."""

    factors: Array
    unsure: Array
    q: Array
    sigma: float


def sizes(
    body: Body, measured: Array, unsure_names: Mask, options: EstimateOptions, roughly: bool = False
) -> tuple[Body, Sized]:
    """Return the body with its sizes, and the intermediate results. unsure_names: (frames, markers) to exclude from the estimate
    of sizes. roughly: stop at the accuracy needed to compare fits.
    """
    span = body.span
    least = LEAST * span
    guessing = bool((~options.known).any())
    body = replace(body, offsets=np.where(options.known[:, None], body.offsets, body.halfway))
    room = options.room(body)
    calm, worth = calmed(measured)
    sure = np.where(unsure_names[..., None], np.nan, calm)
    first = _best_frames(sure, FIRST)
    some = sure[first]
    start = (UNKNOWN_START if guessing else KNOWN_START) * span
    begins: list[tuple[Array, Array, Array] | None] = [None]
    if guessing:
        centres = joint_centres(body, some)
        begin = begun(body, centres, some, options.groups, ~options.known)
        if begin is not None:
            begins = [begin] if has_all_centres(body, centres) else [begin, None]
    sizable = Resizing(body)
    last = _stages(body, options, room)[-1]
    staged = [_staged(sizable, some, options, begin, start, room, least, roughly) for begin in begins]
    found = best_of(staged, some, last, body.offsets, least)
    if guessing and not roughly:
        found = sought_anew(sizable, found, some, last, ~options.known, least)
    now, factors, unsure = found.body, found.factors, found.unsure
    sigma = robust.noise(errors(now, found.q, some)[1], least)
    every = _all_frames(now, found.q, first, calm, sigma)
    if (options.free.any() or options.groups.any()) and not roughly:
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


def _stages(body: Body, options: EstimateOptions, room: Array) -> list[Unknown]:
    """Return the unknowns of each stage: one common factor, unknown offsets, every bone and offset."""
    guessing = bool((~options.known).any())
    together = (options.groups.sum(axis=1, keepdims=True) > 0).astype(np.float64)
    together = together[:, : int(together.any())]
    stages = [Unknown(together, np.zeros(len(body.on), dtype=bool), room)]
    if options.free.any():
        stages.append(Unknown(together, options.free & ~options.known if guessing else options.free, room))
    return [*stages, Unknown(options.groups, options.free, room)]


def _staged(
    sizable: Resizing,
    some: Array,
    options: EstimateOptions,
    begin: tuple[Array, Array, Array] | None,
    start: float,
    room: Array,
    least: float,
    roughly: bool,
) -> Found:
    """Return a body with its sizes and postures of some frames.

    begin: postures, offsets and factors; None for the figure at rest. start: the initial noise.
    """
    body = sizable.body
    offsets, factors, stages = body.offsets, np.ones(len(body.bones)), _stages(body, options, room)
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
    """Return the result with postures fitted to the measured markers instead of the smoothed ones."""
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
    """Return at most `count` frames, one from each interval of time: the one with most markers."""
    seen = np.isfinite(measured[..., 0]).sum(axis=1)
    edges = np.unique(np.linspace(0, len(seen), count + 1).astype(int))
    return np.array([a + int(seen[a:b].argmax()) for a, b in pairwise(edges.tolist())])


def _all_frames(body: Body, q: Array, known: Any, measured: Array, sigma: float) -> Array:
    """Return the posture of every frame from some known ones, by repeated bisection between fitted frames."""
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

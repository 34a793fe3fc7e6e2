"""Estimate the sizes of a figure in stages: a start, one common factor, offsets, every bone; then a refinement with more frames.

The start is the figure at rest if offsets are known. Otherwise the start comes from the joint centres, if they are observable
(`centres`). The postures (configurations) of all other frames are fitted from starts between the fitted frames around them.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import LEAST_GAIN, NEAR, Unknown, calibrate
from limbik.motion.capture.centres import has_all_centres, joint_centres, start_from_centres
from limbik.motion.capture.marker_smoothing import smoothed_markers
from limbik.motion.capture.neighbour_starts import corrected_by_neighbours
from limbik.motion.capture.postures import anchor_of, errors, fit, fit_with_neighbours
from limbik.motion.capture.resizing import Resizing
from limbik.motion.capture.restarts import CalibrationFit, best_fit, improved_by_restarts
from limbik.motion.capture.start import placed_at_rest

# The number of frames of the first estimate of sizes, and of the refinement.
FIRST, FINE = 48, 600
# The initial noise for known and for unknown offsets, as a fraction of the figure's size.
KNOWN_START, UNKNOWN_START = 0.02, 0.05
# The lower bound of the noise for exact data, as a fraction of the figure's size.
LEAST = 1e-7
# The lower bound of the noise of measured markers, as a fraction of the figure's size: 0.05 mm on a human figure. With less,
# smoothing would change markers by more than the noise, and they would become outliers.
LEAST_NOISE = 3e-5
# If there are fewer new frames than this, each frame also tries the results of its neighbours as starts.
FEW_FRAMES = 256
# The relative gain at which a preparatory stage stops, and at which every stage of a fit for comparison stops.
PREPARED, ROUGH = 1e-5, 1e-3
# The damping of a fit from nearly correct postures.
NEARLY_CORRECT = 1e-5


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
    deviations: Array
    q: Array
    sigma: float


def estimate_sizes(
    body: Body, measured: Array, uncertain_names: Mask, options: EstimateOptions, roughly: bool = False
) -> tuple[Body, Sized]:
    """Return the body with its sizes, and the intermediate results.

    uncertain_names: (frames, markers) markers to exclude from the estimate of sizes. roughly: stop at an accuracy that suffices
    to compare fits.
    """
    span = body.span
    least = LEAST * span
    guessing = bool((~options.known).any())
    body = replace(body, offsets=np.where(options.known[:, None], body.offsets, body.halfway))
    room = options.room(body)
    smooth, effective = smoothed_markers(measured)
    certain = np.where(uncertain_names[..., None], np.nan, smooth)
    first = _best_frames(certain, FIRST)
    sample = certain[first]
    start = (UNKNOWN_START if guessing else KNOWN_START) * span
    starts: list[tuple[Array, Array, Array] | None] = [None]
    if guessing:
        centres = joint_centres(body, sample)
        begin = start_from_centres(body, centres, sample, options.groups, ~options.known)
        if begin is not None:
            starts = [begin] if has_all_centres(body, centres) else [begin, None]
    sizable = Resizing(body)
    last = _stages(body, options, room)[-1]
    staged = [_staged(sizable, sample, options, begin, start, room, least, roughly) for begin in starts]
    found = best_fit(staged, sample, last, body.offsets, least)
    if guessing and not roughly:
        found = improved_by_restarts(sizable, found, sample, last, ~options.known, least)
    now, factors, deviations = found.body, found.factors, found.deviations
    sigma = robust.noise(errors(now, found.q, sample)[1], least)
    every = _all_frames(now, found.q, first, smooth, sigma)
    if (options.free.any() or options.groups.any()) and not roughly:
        fine = _best_frames(certain, FINE)
        now, _, factors, sigma, deviations = calibrate(
            sizable,
            every[fine],
            certain[fine],
            replace(last, repeats=max(len(fine) / effective, 1.0)),
            factors,
            least,
            now.offsets,
            steps=6,
        )
    return now, Sized(factors, deviations, every, sigma)


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
    sample: Array,
    options: EstimateOptions,
    begin: tuple[Array, Array, Array] | None,
    start: float,
    room: Array,
    least: float,
    roughly: bool,
) -> CalibrationFit:
    """Return a fit of sizes and postures to some frames, in stages.

    begin: postures, offsets and factors; None for the figure at rest. start: the initial noise.
    """
    body = sizable.body
    offsets, factors, stages = body.offsets, np.ones(len(body.bones)), _stages(body, options, room)
    if begin is not None:
        q, offsets, factors = begin
        stages = stages[-1:]
    else:
        q = placed_at_rest(body, sample)
        w = np.where(np.isfinite(sample[..., 0]), start**-2, 0.0)
        q, _ = fit_with_neighbours(body, q, sample, w, q, 40)
    now, sigma, deviations = replace(body, offsets=offsets), start, np.zeros(len(body.bones))
    for stage in stages:
        if stage.groups.shape[1] or stage.free.any():
            gain = ROUGH if roughly else LEAST_GAIN if stage is stages[-1] else PREPARED
            now, q, factors, sigma, deviations = calibrate(
                sizable, q, sample, stage, factors, least, now.offsets, gain=gain
            )
        q, sigma = _refitted(now, q, sample, sigma, least)
    return CalibrationFit(now, q, factors, deviations)


def refit_to_markers(body: Body, sized: Sized, measured: Array) -> Sized:
    """Return the result with the postures fitted to the measured markers instead of the smoothed ones."""
    least = LEAST * body.span
    _, far = errors(body, sized.q, measured)
    w = robust.weights(far, robust.noise(far, least))
    q, _ = fit(body, sized.q, measured, w, anchor_of(body, sized.q), 4, damping=NEARLY_CORRECT)
    q = corrected_by_neighbours(body, q, measured, robust.noise(errors(body, q, measured)[1], LEAST_NOISE * body.span))
    _, far = errors(body, q, measured)
    return replace(sized, q=q, sigma=robust.noise(far, least))


def _refitted(body: Body, q: Array, measured: Array, sigma: float, least: float) -> tuple[Array, float]:
    _, far = errors(body, q, measured)
    q, _ = fit_with_neighbours(body, q, measured, robust.weights(far, sigma), anchor_of(body, q), 12, 2)
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
        sample = measured[new]
        _, far = errors(body, begin, sample)
        w = robust.own_weights(far, sigma)
        if len(new) < FEW_FRAMES:
            out[new], _ = fit_with_neighbours(body, begin, sample, w, anchor_of(body, begin), 8, 1)
        else:
            out[new], _ = fit(body, begin, sample, w, anchor_of(body, begin), 4)
        done = np.sort(np.concatenate([done, new]))
    return out

"""Escape local minima of the calibration: restart from rotated frames, and keep the best result of each limb.

With unknown offsets, the cost of `calibration` has several minima. If a hinge hardly moves or markers are nearly collinear, a
frame can be rotated against its markers by some tens of degrees while the rest of the limb compensates. The marker errors are
then only slightly larger, but joint positions are wrong by centimetres. Limbs are coupled only through the trunk. So a restart
rotates and shifts the frames of all limbs at random, and each limb may reach a better minimum independently of the others. The
improved limbs are combined, and their combination is the start of the last estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector
from limbik.model.ranges import Mask
from limbik.motion.capture import robust
from limbik.motion.capture.body import Body
from limbik.motion.capture.calibration import SPREAD, Unknown, calibrate
from limbik.motion.capture.postures import anchor_of, errors, fit_with_neighbours
from limbik.motion.capture.resizing import Resizing

# The number of restarts, and the standard deviations of their rotations [rad] and shifts (as a fraction of the figure's size).
STARTS, ROTATION, SHIFT = 4, 0.5, 0.01
# The most rounds of restarts; a round follows only if the previous one improved the result.
ROUNDS = 4
# The assumed marker noise of a restart, as a fraction of the figure's size.
ROUGHLY = 0.005
# The relative gain at which a restart stops, and the relative improvement of a limb's errors that is required to keep it.
COMPARED, BETTER = 1e-3, 0.01
# The random seed of the restarts, so that the same markers give the same figure.
SEED = 20


@dataclass(frozen=True, eq=False)
class CalibrationFit:
    """The result of a calibration: a body with its sizes, the postures of the frames (frames, n), the factors of the bones
    (bones,), and their standard deviations (bones,).
    """

    body: Body
    q: Array
    factors: Array
    deviations: Array

    def costs(self, measured: Array, sigma: float, unknown: Unknown, nominal: Array) -> tuple[Array, Array]:
        """Return the terms of the cost of `calibrate` for each marker, (markers,), and for each bone, (bones,).

        nominal: (markers, 3) the expected offsets.
        """
        _, far = errors(self.body, self.q, measured)
        away = unknown.repeats * (((self.body.offsets - nominal) / unknown.room) ** 2).sum(axis=1)
        estimated = unknown.groups.any(axis=1)
        common = float(np.mean(self.factors[estimated])) if estimated.any() else 1.0
        apart = unknown.repeats * np.where(estimated, (self.factors - common) / SPREAD, 0.0) ** 2
        return np.asarray(robust.costs(far, sigma).sum(axis=0) + away), np.asarray(apart)


def best_fit(
    several: Sequence[CalibrationFit], measured: Array, unknown: Unknown, nominal: Array, least: float
) -> CalibrationFit:
    """Return the fit with the smallest cost. All markers count, so that a single limb in a local minimum increases the cost."""
    sigma = min(robust.noise(errors(one.body, one.q, measured)[1], least) for one in several)
    return min(several, key=lambda one: sum(float(c.sum()) for c in one.costs(measured, sigma, unknown, nominal)))


def improved_by_restarts(
    sizable: Resizing, found: CalibrationFit, measured: Array, unknown: Unknown, guessed: Mask, least: float
) -> CalibrationFit:
    """Return the given fit or a better one. guessed: the markers with unknown offsets."""
    limbs = [limb for limb in _limbs(sizable.body) if guessed[limb.markers].any()]
    rng = np.random.default_rng(SEED)
    for _ in range(ROUNDS if limbs else 0):
        better = _restart_round(sizable, found, measured, unknown, guessed, least, limbs, rng)
        if better is found:
            break
        found = better
    return found


def _restart_round(
    sizable: Resizing,
    found: CalibrationFit,
    measured: Array,
    unknown: Unknown,
    guessed: Mask,
    least: float,
    limbs: list["_Limb"],
    rng: np.random.Generator,
) -> CalibrationFit:
    """Return the best of some restarts and of the combination of their limbs, or the given fit if none is better."""
    nominal = sizable.body.offsets
    sigma = robust.noise(errors(found.body, found.q, measured)[1], least)
    tried = [
        _calibrated(sizable, _perturbed(found, limbs, guessed, rng), measured, unknown, least) for _ in range(STARTS)
    ]
    costs = [one.costs(measured, sigma, unknown, nominal) for one in (found, *tried)]
    q, offsets, factors = np.array(found.q), np.array(found.body.offsets), np.array(found.factors)
    changed = False
    for limb in limbs:
        own = np.array([markers[limb.markers].sum() + bones[limb.bones].sum() for markers, bones in costs])
        best = int(own.argmin())
        if own[best] < (1 - BETTER) * own[0]:
            one = tried[best - 1]
            q[:, limb.columns] = one.q[:, limb.columns]
            offsets[limb.markers] = one.body.offsets[limb.markers]
            factors[limb.bones] = one.factors[limb.bones]
            changed = True
    if not changed:
        return found
    other = _calibrated(sizable, (q, offsets, factors), measured, unknown, least)
    return best_fit((found, other, *tried), measured, unknown, nominal, least)


@dataclass(frozen=True, eq=False)
class _Limb:
    """An unbranched chain of links to an end: its markers, joint values and bones."""

    markers: Mask
    columns: Mask
    bones: Mask


def _limbs(body: Body) -> list[_Limb]:
    """Return the limbs of a body: each ends in its last link with markers, and has the links that no other limb shares."""
    links_to = {link: [joint.child for joint in body.mechanism.ancestry(link)] for link in dict.fromkeys(body.on)}
    ends = [link for link in links_to if not any(link in links[:-1] for links in links_to.values())]
    out = []
    for end in ends:
        own = set(links_to[end]).difference(*(links_to[other] for other in ends if other != end))
        joints = {joint.name for joint in body.mechanism.ancestry(end) if joint.child in own}
        bones = np.array([bone.name in joints for bone in body.bones], dtype=bool)
        out.append(_Limb(np.array([link in own for link in body.on]), _columns(body, joints), bones))
    return out


def _columns(body: Body, joints: set[str]) -> Mask:
    out = np.zeros(body.n, dtype=bool)
    for v in body.compiled.variables:
        if v.joint.name in joints:
            out[v.first : v.first + v.joint.kind.size] = True
    return out


def _perturbed(
    found: CalibrationFit, limbs: list[_Limb], guessed: Mask, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Return a new start: the same postures and factors; unknown offsets are rotated and shifted at random, by frame."""
    body = found.body
    offsets = np.array(body.offsets)
    own = np.any([limb.markers for limb in limbs], axis=0) & guessed
    for _, of in body.groups:
        rotation = matrix_from_vector(ROTATION * rng.normal(size=3))
        shift = SHIFT * body.span * rng.normal(size=3)
        some = of[own[of]]
        offsets[some] = offsets[some] @ rotation.T + shift
    return found.q, offsets, found.factors


def _calibrated(
    sizable: Resizing, begin: tuple[Array, Array, Array], measured: Array, unknown: Unknown, least: float
) -> CalibrationFit:
    """Return the calibration from a start."""
    q, offsets, factors = begin
    body = sizable.resized(factors, offsets)
    w = np.where(np.isfinite(measured[..., 0]), (ROUGHLY * body.span) ** -2, 0.0)
    q, _ = fit_with_neighbours(body, q, measured, w, anchor_of(body, q), 15, 1)
    body, q, factors, _, deviations = calibrate(sizable, q, measured, unknown, factors, least, offsets, gain=COMPARED)
    return CalibrationFit(body, q, factors, deviations)

"""Detect an exchange of left and right in all frames, by a second fit with the names of both sides swapped.

A figure is almost its own mirror image. With swapped names, the fit turns it around, crosses its legs or moves its markers half a
metre from its bones, and with unknown offsets the errors may stay near the noise. But the right names fit better, or with more
plausible sizes. Swaps of all markers and of each pair of limbs are tried. A recording with a mirrored axis looks the same.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.capture.body import Body
from limbik.motion.capture.doubt import unlikely_bones
from limbik.motion.capture.one_thread import in_one_thread
from limbik.motion.capture.sizing import EstimateOptions, estimate_sizes
from limbik.motion.sides import counterparts

# The number of fitted frames.
FRAMES = 24
# A swap is right if it reduces the noise below the fraction BETTER. With fewer unlikely bones it may increase it by up to
# NO_WORSE.
BETTER, NO_WORSE = 0.6, 1.1

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@in_one_thread
def swapped_sides(body: Body, measured: Array, options: EstimateOptions, names: Sequence[str]) -> tuple[str, ...]:
    """Return the frame names of markers whose left and right seem to be exchanged; empty if there are none.

    body, measured, options: as for `estimate`. names: of the markers.
    """
    mirror = _mirror(names, body)
    limbs = _limbs(body, mirror)
    if not limbs:
        return ()
    some = np.unique(np.linspace(0, len(measured) - 1, min(len(measured), FRAMES)).astype(int))
    points = measured[some]
    least, noise = _fitted(body, points, options)
    found: tuple[str, ...] = ()
    exchanges = [np.concatenate(list(limbs.values())), *(limbs.values() if len(limbs) > 1 else ())]
    for exchanged in exchanges:
        other = np.array(points)
        other[:, exchanged] = points[:, mirror[exchanged]]
        unlikely, remaining = _fitted(body, other, options)
        likelier = unlikely < least and remaining < NO_WORSE * noise
        if likelier or (unlikely <= least and remaining < BETTER * noise):
            found, least, noise = tuple(dict.fromkeys(body.on[k] for k in exchanged)), unlikely, remaining
    return found


def _fitted(body: Body, points: Array, options: EstimateOptions) -> tuple[int, float]:
    """Return the number of unlikely bones, and the noise."""
    lost = np.asarray(np.isnan(points[..., 0]).all(axis=0))
    kept = np.where(lost[None, :, None], points[0, :1], points) if lost.any() else points
    _, sized = estimate_sizes(body, kept, np.zeros(kept.shape[:2], dtype=np.bool_), options, roughly=True)
    return len(unlikely_bones(sized.factors, options.estimated)), sized.sigma


def _mirror(names: Sequence[str], body: Body) -> Numbers:
    """Return for each marker its counterpart on the other side, or itself if there is none."""
    number = {name: k for k, name in enumerate(names)}
    by_name = counterparts(names)
    return np.array([number[by_name[name]] for name in names])


def _limbs(body: Body, mirror: Numbers) -> Mapping[frozenset[str], Numbers]:
    """Return the markers on pairs of limbs, by the first joints that the two limbs do not share."""
    out: dict[frozenset[str], list[int]] = {}
    for k, other in enumerate(mirror):
        one, two = ([joint.name for joint in body.mechanism.ancestry(body.on[i])] for i in (k, int(other)))
        apart = [(a, b) for a, b in zip(one, two, strict=False) if a != b]
        if other != k and apart:
            out.setdefault(frozenset(apart[0]), []).append(k)
    return {key: np.array(several) for key, several in out.items()}

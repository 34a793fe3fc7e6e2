"""Whether left and right were exchanged in all frames: the markers are fitted again with the names of both sides traded.

A figure is its own mirror image, nearly: with the names of its sides traded the fit turns it round, crosses its legs or puts
its markers half a metre beside its bones, and with unknown offsets the errors may stay near the noise. But the trade undone
fits better, or with likelier sizes. Tried are all markers, and each pair of limbs by itself. A recording with one axis mirrored
looks the same.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.capture.body import Body
from limbik.motion.capture.doubt import unlikely_bones
from limbik.motion.capture.one_thread import in_one_thread
from limbik.motion.capture.sizing import Wish, sizes
from limbik.motion.sides import counterparts

# Frames that are fitted.
FRAMES = 24
# A trade that leaves less than this part of the noise is right; one that leaves up to this many times is no worse.
BETTER, NO_WORSE = 0.6, 1.1

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@in_one_thread
def swapped_sides(body: Body, measured: Array, wish: Wish, names: Sequence[str]) -> tuple[str, ...]:
    """Return the markers whose left and right seem to be exchanged, the names of their frames; empty where none do.

    body, measured, wish: as for `estimate`. names: of the markers.
    """
    mirror = _mirror(names, body)
    limbs = _limbs(body, mirror)
    if not limbs:
        return ()
    some = np.unique(np.linspace(0, len(measured) - 1, min(len(measured), FRAMES)).astype(int))
    points = measured[some]
    least, noise = _fitted(body, points, wish)
    found: tuple[str, ...] = ()
    options = [np.concatenate(list(limbs.values())), *(limbs.values() if len(limbs) > 1 else ())]
    for traded in options:
        other = np.array(points)
        other[:, traded] = points[:, mirror[traded]]
        unlikely, left = _fitted(body, other, wish)
        likelier = unlikely < least and left < NO_WORSE * noise
        if likelier or (unlikely <= least and left < BETTER * noise):
            found, least, noise = tuple(dict.fromkeys(body.on[k] for k in traded)), unlikely, left
    return found


def _fitted(body: Body, points: Array, wish: Wish) -> tuple[int, float]:
    """Return how many bones are unlikely, and the noise."""
    lost = np.asarray(np.isnan(points[..., 0]).all(axis=0))
    kept = np.where(lost[None, :, None], points[0, :1], points) if lost.any() else points
    _, sized = sizes(body, kept, np.zeros(kept.shape[:2], dtype=np.bool_), wish, roughly=True)
    return len(unlikely_bones(sized.factors, wish.estimated)), sized.sigma


def _mirror(names: Sequence[str], body: Body) -> Numbers:
    """Return for each marker the one that has its place on the other side, itself where there is none."""
    number = {name: k for k, name in enumerate(names)}
    by_name = counterparts(names)
    return np.array([number[by_name[name]] for name in names])


def _limbs(body: Body, mirror: Numbers) -> Mapping[frozenset[str], Numbers]:
    """Return the markers on pairs of limbs, by the first joints that the limbs do not share."""
    out: dict[frozenset[str], list[int]] = {}
    for k, other in enumerate(mirror):
        one, two = ([joint.name for joint in body.mechanism.ancestry(body.on[i])] for i in (k, int(other)))
        apart = [(a, b) for a, b in zip(one, two, strict=False) if a != b]
        if other != k and apart:
            out.setdefault(frozenset(apart[0]), []).append(k)
    return {key: np.array(several) for key, several in out.items()}

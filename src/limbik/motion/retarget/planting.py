"""The motion of the target's feet: fixed during the source's stances, free during a swing, never below the ground.

Before planting, a foot follows the path that results from the bone orientations. A correction is added to this path. During a
stance the correction keeps the foot fixed. During a swing it is blended from the previous stance's correction to the next one's
with the weight 3 s^2 - 2 s^3; before the first and after the last stance it is constant. So the foot moves continuously, and a
swing keeps its shape.

A flat foot is kept level, in its mean direction. A foot that rolls off rotates as the source's does, about the toe joint (without
toes: about its tip), and this pivot is fixed. So there are two corrections: of the rotation, and of the pivot's position. The
position of a stance is the mean uncorrected position of the pivot, which agrees best with the scaled path of the hips.

Legs may then be too short. The hips are lowered as far as the farthest foot requires, by a smooth upper envelope.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector, vector_from_matrix
from limbik.motion.retarget.smoothing import upper_envelope
from limbik.motion.retarget.stances import Interval, mask

# The largest relative extension of a leg: a straight knee is singular.
STRETCH = 0.998
# The transition time of lowering the hips [s].
EASE = 0.3
# The largest tilt of a flat foot if the target is a scaled copy of the source [rad]. Its feet are not levelled, so the ankle of a
# more tilted foot would slide.
OWN_TILT = 0.05


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot of the target.

    anatomical: its anatomical frame, (3, 3). pivot: (3,), sole: (k, 3), points in the foot's frame [m]. flat, held: the flat
    stances, and all stances. own: the target is a scaled copy of the source; the foot then keeps its rotation and height, and
    is only kept from sliding.
    """

    side: str
    anatomical: Array
    pivot: Array
    sole: Array
    flat: list[Interval]
    held: list[Interval]
    own: bool = False


def plant_foot(foot: Foot, ankle: Array, wanted: Array, up: Array, ground: float) -> tuple[Array, Array]:
    """Return the positions and rotations of a foot's ankle, (frames, 3) and (frames, 3, 3).

    ankle: its positions before planting, (frames, 3). wanted: its rotations before planting, (frames, 3, 3).
    """
    count, own = len(ankle), foot.own
    corrections = np.zeros((count, 3))
    for start, end in () if own else foot.flat:
        part = slice(start, end + 1)
        level = _level(wanted[part] @ foot.anatomical, up) @ foot.anatomical.T
        corrections[part] = vector_from_matrix(level @ wanted[part].transpose(0, 2, 1))
    rotation = matrix_from_vector(blended(corrections, foot.flat)) @ wanted
    at = ankle + rotation @ foot.pivot
    shift = np.zeros((count, 3))
    for start, end in foot.held:
        part = slice(start, end + 1)
        place = at[part].mean(axis=0)
        place += (ground + _clearance(foot) - place @ up) * up
        shift[part] = place - at[part]
        if own:
            shift[part] -= (shift[part] @ up)[:, None] * up
    out = ankle + blended(shift, foot.held)
    if own:
        return out, rotation
    lowest = ((out[:, None] + np.einsum("fij,kj->fki", rotation, foot.sole)) @ up).min(axis=1)
    below = np.where(mask(foot.held, count), 0.0, np.maximum(ground - lowest, 0.0))
    return out + below[:, None] * up, rotation


def _clearance(foot: Foot) -> float:
    """Return the height of the pivot of a flat foot above its sole [m]."""
    up = foot.anatomical[:, 1]
    return float(foot.pivot @ up - (foot.sole @ up).min())


def _level(frames: Array, up: Array) -> Array:
    """Return the horizontal anatomical frame of a foot with the mean direction of some frames."""
    ahead = frames[:, :, 0].mean(axis=0)
    ahead = ahead - (ahead @ up) * up
    if np.linalg.norm(ahead) < 1e-6:  # it points straight up or down: any direction is valid
        ahead = np.roll(up, 1)
    d = ahead / np.linalg.norm(ahead)
    return np.stack([d, up, np.cross(d, up)], -1)


def blended(values: Array, intervals: list[Interval]) -> Array:
    """Return values that are constant in some intervals, with smooth transitions between them, (frames, k)."""
    out = np.array(values)
    if not intervals:
        return np.zeros_like(values)
    first, last = intervals[0][0], intervals[-1][1]
    out[:first], out[last + 1 :] = values[first], values[last]
    for (_, end), (start, _) in pairwise(intervals):
        s = (np.arange(1, start - end) / (start - end))[:, None]
        out[end + 1 : start] = values[end] + (values[start] - values[end]) * s * s * (3 - 2 * s)
    return out


def lowering(
    hips: list[Array], ankles: list[Array], lengths: list[float], up: Array, times: Array, stretch: float = STRETCH
) -> Array:
    """Return the lowering of the hips, (frames,) [m], with which every leg reaches its ankle, as far as lowering helps.

    hips, ankles: (frames, 3) of each leg. lengths: of each leg [m]. stretch: the largest relative extension of a leg.
    """
    needed = np.zeros(len(times))
    for hip, ankle, length in zip(hips, ankles, lengths, strict=True):
        apart = ankle - hip
        height = -(apart @ up)
        level = np.linalg.norm(apart + height[:, None] * up, axis=1)
        reach = stretch * length
        highest = np.sqrt(np.maximum(reach**2 - level**2, 0.0))
        # lowering does not help if the horizontal distance exceeds the leg's length
        needed = np.maximum(needed, np.where(level < reach, np.maximum(height - highest, 0.0), 0.0))
    return upper_envelope(needed, times, EASE)

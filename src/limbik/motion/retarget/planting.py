"""The motion of the target's feet: their own path during a swing, fixed during the source's stances, never below the ground.

The way of a foot before planting is that of the pass over all bones. A correction is added to it which is exactly what holds the
foot still while it stands, and which leads from one stance's to the next one's by an ease (3 s^2 - 2 s^3) over the whole swing
between them; before the first and after the last it stays. So nothing pops, and a swing keeps its shape.

A foot that stands flat is held level, looking where it looks on average; one that rolls off turns as the source's does, about the
point where its toes begin (without toes: about its tip), and that point is held. So both are one correction of the turn and one
of that point. A stance's place is the mean of where the foot would be: that agrees best with the scaled way of the hips.

Legs may then be too short. The hips are lowered by what the farthest foot needs, smoothed from above.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector, vector_from_matrix
from limbik.motion.retarget.smoothing import cover
from limbik.motion.retarget.stances import Interval, mask

# The largest relative extension of a leg: a straight knee is singular.
STRETCH = 0.998
# The transition time of lowering the hips [s].
EASE = 0.3
# A foot on its own body is not levelled, so it counts as flat only where it is tilted less than this [rad]: farther, its ankle
# would slide.
OWN_TILT = 0.05


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot of the target. turned: its anatomical frame; pivot, sole: points of it, as it sees them.

    own: it is the source's own foot, which keeps its turn and height: what stands is only held from sliding.
    """

    side: str
    turned: Array
    pivot: Array
    sole: Array
    flat: list[Interval]
    held: list[Interval]
    own: bool = False


def planted(foot: Foot, ankle: Array, wanted: Array, up: Array, ground: float) -> tuple[Array, Array]:
    """Return the positions and rotations of a foot's ankle, (frames, 3) and (frames, 3, 3).

    ankle: its positions before planting, (frames, 3). wanted: its rotations before planting, (frames, 3, 3).
    """
    count, own = len(ankle), foot.own
    corrections = np.zeros((count, 3))
    for start, end in () if own else foot.flat:
        part = slice(start, end + 1)
        level = _level(wanted[part] @ foot.turned, up) @ foot.turned.T
        corrections[part] = vector_from_matrix(level @ wanted[part].transpose(0, 2, 1))
    turned = matrix_from_vector(led_over(corrections, foot.flat)) @ wanted
    at = ankle + turned @ foot.pivot
    shift = np.zeros((count, 3))
    for start, end in foot.held:
        part = slice(start, end + 1)
        place = at[part].mean(axis=0)
        place += (ground + _clearance(foot) - place @ up) * up
        shift[part] = place - at[part]
        if own:
            shift[part] -= (shift[part] @ up)[:, None] * up
    out = ankle + led_over(shift, foot.held)
    if own:
        return out, turned
    lowest = ((out[:, None] + np.einsum("fij,kj->fki", turned, foot.sole)) @ up).min(axis=1)
    below = np.where(mask(foot.held, count), 0.0, np.maximum(ground - lowest, 0.0))
    return out + below[:, None] * up, turned


def _clearance(foot: Foot) -> float:
    """Return the height of the pivot of a flat foot above its sole [m]."""
    up = foot.turned[:, 1]
    return float(foot.pivot @ up - (foot.sole @ up).min())


def _level(frames: Array, up: Array) -> Array:
    """Return the horizontal anatomical frame of a foot with the mean direction of some frames."""
    ahead = frames[:, :, 0].mean(axis=0)
    ahead = ahead - (ahead @ up) * up
    if np.linalg.norm(ahead) < 1e-6:  # it points straight up or down: any direction is valid
        ahead = np.roll(up, 1)
    d = ahead / np.linalg.norm(ahead)
    return np.stack([d, up, np.cross(d, up)], -1)


def led_over(values: Array, intervals: list[Interval]) -> Array:
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
    """Return the lowering of the hips, (frames,) [m], so that every leg reaches its ankle, as far as lowering helps.

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
    return cover(needed, times, EASE)

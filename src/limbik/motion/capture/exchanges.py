"""Find temporary exchanges of marker names by continuity, and correct them.

After an occlusion, a camera system may exchange the names of markers, of one pair or a whole side. Two markers then jump at the
same time, each to the previous position of the other. A marker jumps if its step is much longer than its typical step. If its new
position continues the track of another marker that also jumps or is missing, the two have exchanged their names from this frame
on. Finally, each track gets the name that it has in most frames, so that an exchange from the first frame on is corrected too. A
name that is wrong in every frame causes no jump; implausible sizes and large errors reveal it (`doubt`).
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Mask

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

# A step is a jump if it is this many times the marker's median step, and at least this fraction of the figure's size.
TYPICAL, LEAST = 8.0, 0.03
# After more missing frames than this, a marker may be anywhere.
LONGEST = 12
# The required ratio of the distances to a marker's own last position and to that of the other marker.
NEARER = 3.0
# In recordings with fewer frames the typical step is unknown.
FEWEST = 8


def with_corrected_names(measured: Array, span: float) -> tuple[Array, Mask]:
    """Return the positions (frames, markers, 3) with corrected names, and the corrected entries, (frames, markers)."""
    from scipy.optimize import linear_sum_assignment

    frames, markers = measured.shape[:2]
    nothing: Mask = np.zeros((frames, markers), dtype=np.bool_)
    if frames < FEWEST or markers < 2:
        return measured, nothing
    step = np.sqrt(((measured[1:] - measured[:-1]) ** 2).sum(axis=-1))
    known = np.isfinite(step)
    typical = np.array(
        [np.median(one[there]) if there.any() else 0.0 for one, there in zip(step.T, known.T, strict=True)]
    )
    limit = np.maximum(TYPICAL * typical, LEAST * span)
    own = np.arange(markers)
    # Of each track: its current name, its last position and velocity, and the frames since then.
    name = own.copy()
    names = np.empty((frames, markers), dtype=np.int64)
    last, speed, age = np.array(measured[0]), np.zeros((markers, 3)), np.ones(markers)
    age[np.isnan(last[:, 0])] = LONGEST + 1
    for t in range(frames):
        here = measured[t, name]
        expected = last + speed * age[:, None]
        with np.errstate(invalid="ignore"):
            far = np.sqrt(((here - last) ** 2).sum(axis=-1))
            jumps = (age <= LONGEST) & (far > limit * age)
        if jumps.any():
            name = name[_exchanged(here, expected, jumps, age, limit)]
            here = measured[t, name]
        names[t] = name
        seen = np.isfinite(here[:, 0])
        moved = (here - last) / age[:, None]
        fresh = seen & (age <= LONGEST) & (np.sqrt((moved**2).sum(axis=-1)) < limit)
        speed = np.where(fresh[:, None], moved, np.where(seen[:, None], 0.0, speed))
        last = np.where(seen[:, None], here, last)
        age = np.where(seen, 1, age + 1)
    if (names == own).all():
        return measured, nothing
    votes = np.stack([np.bincount(names[:, k], minlength=markers) for k in own])
    track = linear_sum_assignment(votes.T, maximize=True)[1]
    names = names[:, track]
    return np.take_along_axis(measured, names[..., None], axis=1), np.asarray(names != own)


def closer_to_figure(measured: Array, corrected: Array, changed: Mask, modelled: Array) -> Array:
    """Return positions with each changed marker as given or as corrected, whichever is closer to the figure's.

    The end of an exchange may be occluded, so that the correction lasts too long. The positions on the fitted figure decide.
    """
    out = np.array(corrected)
    frame, marker = np.nonzero(changed)
    at = modelled[frame, marker]
    one, other = (
        np.nan_to_num(np.linalg.norm(some[frame, marker] - at, axis=-1), nan=np.inf) for some in (measured, corrected)
    )
    back = one < other
    out[frame[back], marker[back]] = measured[frame[back], marker[back]]
    return out


def _exchanged(here: Array, expected: Array, jumps: Mask, age: Array, limit: Array) -> Numbers:
    """Return for each track the one whose name it takes in this frame: itself, unless two exchanged their names."""
    from scipy.optimize import linear_sum_assignment

    takes = np.arange(len(here))
    jumped = np.flatnonzero(jumps)
    vacated = np.flatnonzero(jumps | (np.isnan(here[:, 0]) & (age <= LONGEST)))
    away = np.sqrt(((here[jumped, None] - expected[None, vacated]) ** 2).sum(axis=-1))
    for row, column in zip(*linear_sum_assignment(away), strict=True):
        one, other = int(jumped[row]), int(vacated[column])
        stays = float(away[row, int(np.flatnonzero(vacated == one)[0])])
        if one == other or takes[one] != one or takes[other] != other:
            continue
        ahead = away[row, column]
        if ahead > limit[other] * age[other] or NEARER * ahead > stays:
            continue
        # A visible partner must have moved to the position of the first.
        if jumps[other]:
            back = float(np.linalg.norm(here[other] - expected[one]))
            if NEARER * back > float(np.linalg.norm(here[other] - expected[other])):
                continue
        takes[[one, other]] = other, one
    return takes

"""2-pi copies of hinge angles in glTF: a rotation determines an angle modulo 2 pi only.

Of the angles a + 2 pi k inside a hinge's range the one nearest the frame before is taken, in the first frame the one nearest the
middle of the range (zero where it has none). Where that is not the motion that is written, or only just, the file says for runs
of frames which half turn it is in, h = floor(q / pi): of all copies the one nearest (h + 1/2) pi is meant, and rounding cannot
change which that is.
"""

from typing import Any

import numpy as np

from limbik.geometry.angles import TURN, copy_inside, nearest_copy, wrap
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind

# Angles this far outside a range still count as inside it, as float32 rounds them [rad].
SLACK = 1e-5
# Where two copies are this near to being equally good, the file says which [rad].
UNSURE = 0.05


def whole_turns(angles: Array, lower: float, upper: float) -> Array:
    """Return angles (frames,) each moved by whole turns into a range, near the frame before."""
    bounded = bool(np.isfinite(lower) and np.isfinite(upper))
    middle = (lower + upper) / 2 if bounded else float(np.clip(0.0, lower, upper))
    if bounded and upper - lower < TURN - 2 * SLACK:  # one copy at most lies inside
        inside: Array = nearest_copy(angles, middle)
        return inside
    smooth: Array = np.unwrap(angles)
    smooth = smooth + (copy_inside(float(angles[0]), middle, lower, upper, slack=SLACK) - smooth[0])
    if smooth.min() >= lower - SLACK and smooth.max() <= upper + SLACK:
        return smooth
    out, before = np.empty_like(angles), middle
    for k, angle in enumerate(angles.tolist()):
        out[k] = before = copy_inside(angle, before, lower, upper, slack=SLACK)
    return out


def half_turns(q: Array, lower: float, upper: float) -> list[list[int]]:
    """Return runs [first frame, half turn] for one hinge, (frames,) [rad]; none where `whole_turns` finds them by itself."""
    found = whole_turns(wrap(q), lower, upper)
    narrow = upper - lower < TURN - UNSURE
    steps = np.abs(np.diff(q)).max(initial=0.0) if not narrow else 0.0
    start = 0.0 if narrow else abs(float(q[0]) - (lower + upper) / 2 if np.isfinite(upper - lower) else float(q[0]))
    if np.abs(found - q).max() < UNSURE and max(steps, start) < np.pi - UNSURE:
        return []
    halves = np.floor(q / np.pi).astype(np.int64)
    first = np.flatnonzero(np.diff(halves, prepend=halves[0] - 1))
    return [[int(k), int(halves[k])] for k in first]


def with_half_turns(angles: Array, runs: Any) -> Array | None:
    """Return angles (frames,) in the half turns that a file gives for them; None where it gives none that fit."""
    if not isinstance(runs, list) or not runs or not all(_is_run(run, len(angles)) for run in runs):
        return None
    first = np.array([run[0] for run in runs])
    if first[0] != 0 or not (np.diff(first) > 0).all():
        return None
    halves = np.repeat([float(run[1]) for run in runs], np.diff(first, append=len(angles)))
    meant = (halves + 0.5) * np.pi
    copies: Array = nearest_copy(angles, meant)
    return copies


def _is_run(run: Any, frames: int) -> bool:
    whole = isinstance(run, list) and len(run) == 2 and all(type(x) is int for x in run)
    return whole and 0 <= run[0] < frames and abs(run[1]) < 2**31


def turns_to_json(variables: Any, q: Array) -> dict[str, list[list[int]]]:
    """Return the half turns of every hinge that needs them, by its name. Values past all use are left to the reader."""
    found = {}
    for variable in variables:
        joint = variable.joint
        if joint.kind.turns and float(np.abs(q[:, variable.first]).max()) < 2**31:
            lower, upper = range_of(joint)
            if runs := half_turns(q[:, variable.first], lower, upper):
                found[joint.name] = runs
    return found


def range_of(joint: Any) -> tuple[float, float]:
    """Return the least and greatest angle of a hinge."""
    return (-np.inf, np.inf) if joint.kind is Kind.CONTINUOUS else (float(joint.lower), float(joint.upper))

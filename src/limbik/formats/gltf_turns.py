"""2-pi copies (whole turns) of hinge angles in glTF: a rotation determines an angle modulo 2 pi only.

Of the angles a + 2 pi k inside a hinge's range, the reader takes the one nearest the previous frame, and in the first
frame the one nearest the middle of the range (0 for an unlimited hinge). If this rule does not reproduce the written
motion, or only by a small margin, the file stores the half turn h = floor(q / pi) for runs of frames. The reader then
takes the copy nearest (h + 1/2) pi; rounding cannot change which copy that is.
"""

from typing import Any

import numpy as np

from limbik.geometry.angles import TURN, copy_inside, nearest_copy, wrap
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind

# Angles outside a range by less than this count as inside, because of float32 rounding [rad].
SLACK = 1e-5
# If the best two copies differ by less than this margin, the file stores half turns [rad].
UNSURE = 0.05


def whole_turns(angles: Array, lower: float, upper: float) -> Array:
    """Return angles (frames,) shifted by multiples of 2 pi into a range, each nearest the previous frame."""
    bounded = bool(np.isfinite(lower) and np.isfinite(upper))
    middle = (lower + upper) / 2 if bounded else float(np.clip(0.0, lower, upper))
    if bounded and upper - lower < TURN - 2 * SLACK:  # at most one copy is inside
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
    """Return runs [first frame, half turn] for angles (frames,) [rad] of a hinge; [] if `whole_turns` reproduces them."""
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
    """Return angles (frames,) in the half turns of a file; None if the runs are missing or invalid."""
    if not isinstance(runs, list) or not runs or not all(_is_run(run, len(angles)) for run in runs):
        return None
    first = np.array([run[0] for run in runs])
    if first[0] != 0 or not (np.diff(first) > 0).all():
        return None
    halves = np.repeat([float(run[1]) for run in runs], np.diff(first, append=len(angles)))
    middles = (halves + 0.5) * np.pi
    copies: Array = nearest_copy(angles, middles)
    return copies


def _is_run(run: Any, frames: int) -> bool:
    whole = isinstance(run, list) and len(run) == 2 and all(type(x) is int for x in run)
    return whole and 0 <= run[0] < frames and abs(run[1]) < 2**31


def turns_to_json(variables: Any, q: Array) -> dict[str, list[list[int]]]:
    """Return the half turns of every hinge that needs them, by name; angles of 2^31 rad or more are left out."""
    found = {}
    for variable in variables:
        joint = variable.joint
        if joint.kind.is_revolute and float(np.abs(q[:, variable.first]).max()) < 2**31:
            lower, upper = range_of(joint)
            if runs := half_turns(q[:, variable.first], lower, upper):
                found[joint.name] = runs
    return found


def range_of(joint: Any) -> tuple[float, float]:
    """Return the lower and upper limit of a hinge [rad]."""
    return (-np.inf, np.inf) if joint.kind is Kind.CONTINUOUS else (float(joint.lower), float(joint.upper))

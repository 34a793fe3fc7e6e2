"""Interpolation between the frames of a recording: step, linear, or a C1 cubic, for every kind of joint.

Rotations do not add up, so nothing here adds postures. From frame k the way to the next is the velocity d that leads there in
unit time (`difference`), and a point of the way is q_k moved along a part of it (`integrate`): s d for the straight way, which
for a ball is the short arc at constant speed (slerp).

The cubic has a velocity m_k at each frame: that of the parabola through three frames, cut so that no frame is overshot
(`model/monotone.py`). Between two frames u(s) runs from 0 to d as a Hermite cubic and q = q_k moved along u. The speed of a
rotation moved along u is Jr(u) u', Jr being the right Jacobian of the rotation group; so the cubic arrives with h m_{k+1} when
its last slope is Jr(d)^-1 h m_{k+1}. It passes the frames exactly, with one velocity from both sides.

What lies between two frames inside the limits is inside them. For joints with one axis that follows from the cut. The way of a
ball between two rotations inside its swing and twist may lead outside: it is then moved to the nearest rotation inside.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.even_times import OFF_BEAT
from limbik.model.joint import Kind
from limbik.model.monotone import limited_slopes, limited_vectors, parabolic_slopes
from limbik.model.ranges import Ranges
from limbik.model.recording import Recording

# A step is made at its frame, not at the one behind it, where rounding puts a time before it by no more than this part of a span.
AT_THE_FRAME = 1e-9
# Below this angle [rad] the series of the inverse right Jacobian stands for its formula, which would divide zero by zero.
SMALL_ANGLE = 1e-4


def sample(recording: Recording, times: Array) -> Array:
    """Return the postures at some times [s], shape times.shape + (n,); before the first frame it, after the last it."""
    t = np.clip(times, recording.times[0], recording.times[-1])
    if len(recording.times) == 1:
        return np.broadcast_to(recording.q[0], (*t.shape, recording.q.shape[1])).copy()
    flat = t.reshape(-1)
    k = np.clip(np.searchsorted(recording.times, flat, side="right") - 1, 0, len(recording.times) - 2)
    span = recording.times[k + 1] - recording.times[k]
    s = ((flat - recording.times[k]) / span)[:, None]
    if recording.interpolation == "step":
        q = np.where(s >= 1.0 - AT_THE_FRAME, recording.q[k + 1], recording.q[k])
    else:
        kernel = recording.compiled.kernel
        way = kernel.difference(recording.q[k], recording.q[k + 1])
        course = _cubic(recording, k, span[:, None], s, way) if recording.interpolation == "cubic" else s * way
        q = _inside(recording, k, kernel.integrate(recording.q[k], course))
    # At the time of a frame the result is the frame itself, to the last digit.
    q = np.where(s <= 0, recording.q[k], np.where(s >= 1, recording.q[k + 1], q))
    return q.reshape(*t.shape, recording.q.shape[1])


def velocities(recording: Recording) -> Array:
    """Return the velocity at each frame, (frames, n) [rad/s or m/s]; a ball's is in its moved frame.

    That of the parabola through three frames; for cubic interpolation the one that it has there.
    """
    q, t = recording.q, recording.times
    if len(t) == 1:
        return np.zeros_like(q)
    h = np.diff(t)[:, None]
    secants = recording.compiled.kernel.difference(q[:-1], q[1:]) / h
    slopes = parabolic_slopes(h, secants)
    if recording.interpolation != "cubic":
        return slopes
    out = limited_slopes(slopes, secants)
    for part in _rotations(recording.compiled):
        out[:, part] = limited_vectors(slopes[:, part], secants[:, part])
    return out


def _cubic(recording: Recording, k: np.ndarray, h: Array, s: Array, way: Array) -> Array:
    m = velocities(recording)
    leaving = h * m[k]
    arriving = h * carried_back(recording.compiled, way, m[k + 1])
    course: Array = s * (1 - s) ** 2 * leaving + s**2 * (3 - 2 * s) * way + s**2 * (s - 1) * arriving
    return course


def carried_back(compiled: Compiled, way: Array, velocity: Array) -> Array:
    """Return the slope of u at its end for which q moved along u has this velocity there, u ending at `way`."""
    out = np.array(velocity)
    for part in _rotations(compiled):
        out[:, part] = _inverse_right_jacobian(way[:, part], velocity[:, part])
    return out


def _rotations(compiled: Compiled) -> list[slice]:
    """Return where the rotation vectors of balls and floating joints stand in q."""
    ends = [v.first + v.joint.kind.size for v in compiled.variables if v.joint.kind in (Kind.BALL, Kind.FLOATING)]
    return [slice(end - 3, end) for end in ends]


def _inside(recording: Recording, k: np.ndarray, q: Array) -> Array:
    """Return postures on the way from frames k to the next, inside the limits wherever both frames are."""
    before, after = recording.q[k], recording.q[k + 1]
    straight = np.ones(q.shape[1], dtype=bool)
    for part in _rotations(recording.compiled):
        straight[part] = False
    for v in recording.compiled.variables:
        if v.joint.kind is Kind.CONTINUOUS:  # it may go the short way round
            straight[v.first] = False
    low, high = np.minimum(before, after), np.maximum(before, after)
    q = np.where(straight, np.clip(q, low, high), q)  # rounding leaves a cubic by a last digit
    ranges = Ranges(recording.compiled)
    for v in ranges.cones:
        kept = ranges.keeps(before, v) & ranges.keeps(after, v) & ~ranges.keeps(q, v)
        if kept.any():
            q[kept] = ranges.clamped(q[kept], v)
    return q


def _inverse_right_jacobian(rotation: Array, v: Array) -> Array:
    """Return Jr(rotation)^-1 v, row by row."""
    angle = np.linalg.norm(rotation, axis=-1, keepdims=True)
    safe = np.maximum(angle, SMALL_ANGLE)
    factor = np.where(
        angle < SMALL_ANGLE, 1 / 12 + angle**2 / 720, (1 - 0.5 * safe * np.cos(safe / 2) / np.sin(safe / 2)) / safe**2
    )
    turned = np.cross(rotation, v)
    slope: Array = v + 0.5 * turned + factor * np.cross(rotation, turned)
    return slope


def at_frame(times: Array, time: float) -> float:
    """Return the time of the frame that a time means, within 1 % of the way to the next frame, or the time itself."""
    k = int(np.argmin(np.abs(times - time)))
    beside = times[min(k + 1, len(times) - 1)] if time > times[k] else times[max(k - 1, 0)]
    near = abs(times[k] - time) <= OFF_BEAT * abs(beside - times[k])
    return float(times[k] if near else time)

"""Interpolation between the frames of a recording: step, linear, or a C1 cubic, for every kind of joint.

Rotation vectors cannot be added, so postures (configurations) are interpolated on the manifold. Let d be the tangent vector from
frame k to the next (`difference`). An interpolated posture is q_k moved along a vector u (`integrate`). Linear interpolation has
u = s d with s from 0 to 1, which for a ball joint is slerp.

The cubic has a velocity m_k at each frame: that of the parabola through three frames, limited so that no frame is overshot
(`model/monotone.py`). Between two frames u(s) is a Hermite cubic from 0 to d. The angular velocity of a rotation moved along u is
Jr(u) u', where Jr is the right Jacobian of the rotation group. So the velocity at the next frame is m_{k+1} if the final slope of
u is Jr(d)^-1 h m_{k+1}, with the time h between the frames. The cubic passes the frames exactly, with equal velocities on both
sides.

Between two frames inside the limits, all postures are inside. For joints with one axis this follows from the limited velocities.
A ball joint may leave its swing cone and twist range between two rotations inside; it is then clamped to them.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.even_times import OFF_BEAT
from limbik.model.joint import Kind
from limbik.model.monotone import limited_slopes, limited_vectors, parabolic_slopes
from limbik.model.ranges import Ranges
from limbik.model.recording import Recording

# The tolerance with which a time is that of the next frame in step interpolation, as a fraction of the interval: rounding may put
# it slightly before the frame.
AT_THE_FRAME = 1e-9
# Below this angle [rad] the inverse right Jacobian is evaluated by its series, since its formula would divide zero by zero.
SMALL_ANGLE = 1e-4


def sample(recording: Recording, times: Array) -> Array:
    """Return the postures at some times [s], (...) -> (..., n); outside the recording, the first or last posture."""
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
        step = kernel.difference(recording.q[k], recording.q[k + 1])
        displacement = _cubic(recording, k, span[:, None], s, step) if recording.interpolation == "cubic" else s * step
        q = _inside(recording, k, kernel.integrate(recording.q[k], displacement))
    # At the time of a frame the result is exactly that frame.
    q = np.where(s <= 0, recording.q[k], np.where(s >= 1, recording.q[k + 1], q))
    return q.reshape(*t.shape, recording.q.shape[1])


def velocities(recording: Recording) -> Array:
    """Return the velocity at each frame, (frames, n) [rad/s or m/s]; a ball's is in its moving frame.

    It is that of the parabola through three frames; for cubic interpolation, it is limited so that no frame is overshot.
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


def _cubic(recording: Recording, k: np.ndarray, h: Array, s: Array, step: Array) -> Array:
    m = velocities(recording)
    initial_slope = h * m[k]
    final_slope = h * end_slope(recording.compiled, step, m[k + 1])
    displacement: Array = s * (1 - s) ** 2 * initial_slope + s**2 * (3 - 2 * s) * step + s**2 * (s - 1) * final_slope
    return displacement


def end_slope(compiled: Compiled, step: Array, velocity: Array) -> Array:
    """Return the final slope of u with which q moved along u has a velocity there. step: the final value of u."""
    out = np.array(velocity)
    for part in _rotations(compiled):
        out[:, part] = _inverse_right_jacobian(step[:, part], velocity[:, part])
    return out


def _rotations(compiled: Compiled) -> list[slice]:
    """Return the slices of q with the rotation vectors of balls and floating joints."""
    ends = [v.first + v.joint.kind.size for v in compiled.variables if v.joint.kind in (Kind.BALL, Kind.FLOATING)]
    return [slice(end - 3, end) for end in ends]


def _inside(recording: Recording, k: np.ndarray, q: Array) -> Array:
    """Return interpolated postures between frames k and the next, clamped to the limits if both frames are inside."""
    before, after = recording.q[k], recording.q[k + 1]
    scalar = np.ones(q.shape[1], dtype=bool)
    for part in _rotations(recording.compiled):
        scalar[part] = False
    for v in recording.compiled.variables:
        if (
            v.joint.kind is Kind.CONTINUOUS
        ):  # its interpolation takes the shorter rotation, which may leave the interval
            scalar[v.first] = False
    low, high = np.minimum(before, after), np.maximum(before, after)
    q = np.where(scalar, np.clip(q, low, high), q)  # a cubic may leave the interval by rounding
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
    cross = np.cross(rotation, v)
    slope: Array = v + 0.5 * cross + factor * np.cross(rotation, cross)
    return slope


def at_frame(times: Array, time: float) -> float:
    """Return the time of the closest frame if it is within 1 % of the frame spacing, else the given time [s]."""
    k = int(np.argmin(np.abs(times - time)))
    beside = times[min(k + 1, len(times) - 1)] if time > times[k] else times[max(k - 1, 0)]
    near = abs(times[k] - time) <= OFF_BEAT * abs(beside - times[k])
    return float(times[k] if near else time)

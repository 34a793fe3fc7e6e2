"""Between the frames of a recording: held, the straight way, or a cubic without a kink, on every kind of joint.

Rotations do not add up, so nothing here adds postures. From frame k the way to the next is the velocity d that leads there in
unit time (`difference`), and a point of the way is q_k moved along a part of it (`integrate`): s d for the straight way,
which for a ball is the short arc at constant speed (slerp).

The cubic has a velocity m_k at each frame, from the two ways that meet there, each weighed by the other's length (the
derivative of the parabola through three frames). Between two frames u(s) runs from 0 to d as a Hermite cubic and q = q_k
moved along u. The speed of a rotation moved along u is Jr(u) u', Jr being the right Jacobian of the rotation group; so the
cubic arrives with h m_{k+1} when its last slope is Jr(d)^-1 h m_{k+1}. It passes the frames exactly, with one velocity from
both sides.
"""

import numpy as np

from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.model.recording import Recording
from limbik.model.transform import Array

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
        q = kernel.integrate(recording.q[k], course)
    # What stands at a frame is the frame itself, to the last digit.
    q = np.where(s <= 0, recording.q[k], np.where(s >= 1, recording.q[k + 1], q))
    return q.reshape(*t.shape, recording.q.shape[1])


def velocities(recording: Recording) -> Array:
    """Return the velocity at each frame, (frames, n) [rad/s or m/s]; a ball's is in its moved frame."""
    q, t = recording.q, recording.times
    if len(t) == 1:
        return np.zeros_like(q)
    h = np.diff(t)[:, None]
    way = recording.compiled.kernel.difference(q[:-1], q[1:]) / h
    if len(t) == 2:
        return np.repeat(way, 2, axis=0)
    inner = (h[1:] * way[:-1] + h[:-1] * way[1:]) / (h[1:] + h[:-1])
    return np.concatenate([(2 * way[0] - inner[0])[None], inner, (2 * way[-1] - inner[-1])[None]])


def _cubic(recording: Recording, k: np.ndarray, h: Array, s: Array, way: Array) -> Array:
    m = velocities(recording)
    leaving = h * m[k]
    arriving = h * carried_back(recording.compiled, way, m[k + 1])
    course: Array = s * (1 - s) ** 2 * leaving + s**2 * (3 - 2 * s) * way + s**2 * (s - 1) * arriving
    return course


def carried_back(compiled: Compiled, way: Array, velocity: Array) -> Array:
    """Return the slope of u at its end for which q moved along u has this velocity there, u ending at `way`."""
    out = np.array(velocity)
    for v in compiled.variables:
        if v.joint.kind in (Kind.BALL, Kind.FLOATING):
            start = v.first + v.joint.kind.size - 3
            part = slice(start, start + 3)
            out[:, part] = _inverse_right_jacobian(way[:, part], velocity[:, part])
    return out


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

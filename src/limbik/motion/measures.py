"""Measures of a motion: contacts and slides of feet; travel, steps and jerk of joints and frames."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.model.recording import Recording


@dataclass(frozen=True)
class Contact:
    """An interval in which a frame stands: frames start to end, inclusive.

    slide: the largest horizontal distance from its first position [m]. travel: the length of its horizontal path [m].
    """

    start: int
    end: int
    slide: float
    travel: float


def contacts(
    points: Array, times: Array, up: int, *, height: float, speed: float, least: float, ground: float | None
) -> tuple[Contact, ...]:
    """Return the contacts of a point: below `height` above the ground [m] and slower than `speed` [m/s] for `least` seconds.

    points: (frames, 3). up: the index of the upward axis. ground: the floor's height [m]; None takes the lowest position of the
    point. The speed at a frame is that of the parabola through it and its neighbours, so that one noisy frame does not end
    a contact.
    """
    if len(points) < 2:
        return ()
    floor = float(points[:, up].min()) if ground is None else ground
    standing = (points[:, up] - floor <= height) & (np.linalg.norm(_slopes(points, times), axis=1) <= speed)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], standing, [False]]).astype(np.int8)))
    runs = [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return tuple(measured(points, up, a, b) for a, b in runs if times[b] - times[a] >= least)


def measured(points: Array, up: int, start: int, end: int) -> Contact:
    """Return the contact from frame `start` to `end`, with the slide and travel of the point. Raises BadOption."""
    if not 0 <= start <= end < len(points):
        raise BadOption(f"a contact from frame {start} to {end} is outside a clip of {len(points)} frames")
    flat = np.delete(points[start : end + 1], up, axis=1)
    away = np.linalg.norm(flat - flat[0], axis=1)
    travel = np.linalg.norm(np.diff(flat, axis=0), axis=1).sum()
    return Contact(start, end, float(away.max()), float(travel))


def slide(points: Array, up: int, intervals: Sequence[Contact]) -> float:
    """Return the largest slide of a point over some contacts [m]; 0 without contacts."""
    if not isinstance(intervals, Iterable):
        raise BadOption(f"contacts={shown(intervals)}: give a sequence of Contact, as clip.contacts(frame) returns it")
    given = list(intervals)
    for c in given:
        if not isinstance(c, Contact) or not all(_is_frame(k) for k in (c.start, c.end)):
            raise BadOption(
                f"contacts must be a sequence of Contact, as clip.contacts(frame) returns it; got {shown(c)}"
            )
    return max((measured(points, up, int(c.start), int(c.end)).slide for c in given), default=0.0)


def _is_frame(k: object) -> bool:
    return isinstance(k, int | np.integer) and not isinstance(k, bool)


def jerk(values: Array, times: Array) -> float:
    """Return the RMS of the third derivative of a signal, (frames, k) -> [1/s^3]; 0 below four frames."""
    if len(values) < 4:
        return 0.0
    derivative, t = values, times
    for _ in range(3):
        derivative = np.diff(derivative, axis=0) / np.diff(t)[:, None]
        t = (t[1:] + t[:-1]) / 2
    return float(np.sqrt((derivative**2).sum(axis=1).mean()))


def joint_jerk(recording: Recording) -> float:
    """Return the RMS over time of the joints' third derivative, all together [rad/s^3; m/s^3 for prismatic joints]."""
    if len(recording.times) < 4:
        return 0.0
    steps = recording.compiled.kernel.difference(recording.q[:-1], recording.q[1:])
    # A signal with these steps: the jerk depends on their changes only, and a ball's steps do not add up to its rotation vector.
    signal = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    return jerk(signal, recording.times)


def largest_step(recording: Recording) -> float:
    """Return the largest change of a joint from one frame to the next [rad or m]; for a ball, the rotation angle."""
    if len(recording.times) < 2:
        return 0.0
    return float(joint_steps(recording).max(initial=0.0))


def joint_steps(recording: Recording) -> Array:
    """Return the step of each joint between frames, (frames - 1, joints) [rad or m].

    A floating joint has two columns, its translation and its rotation.
    """
    steps = recording.compiled.kernel.difference(recording.q[:-1], recording.q[1:])
    columns = []
    for v in recording.compiled.variables:
        size = v.joint.kind.size
        part = min(size, 3)
        for first in range(v.first, v.first + size, part):
            columns.append(np.linalg.norm(steps[:, first : first + part], axis=1))
    return np.stack(columns, axis=1) if columns else np.zeros((len(steps), 0))


def joint_travel(recording: Recording) -> float:
    """Return the total distance travelled by all joints [rad; m for prismatic joints]."""
    return float(joint_steps(recording).sum()) if len(recording.times) > 1 else 0.0


def _slopes(points: Array, times: Array) -> Array:
    """Return the velocities of a point, (frames, 3) [m/s]."""
    if len(points) == 2:
        return np.repeat(np.diff(points, axis=0) / (times[1] - times[0]), 2, axis=0)
    return np.gradient(points, times, axis=0, edge_order=2)

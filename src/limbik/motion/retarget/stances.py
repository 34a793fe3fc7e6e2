"""The definition of stances, the intervals in which feet stand in the source motion.

A point stands while it is lower than `height` above its own lowest level and slower than `speed`, for at least `least`
seconds (`measures.contacts`). Both bounds are relative to the length of the leg (hip to ankle), so they do not depend on the
size of the figure. A foot is flat while its ankle stands and the foot is tilted by less than `tilt` from its median
orientation in stances. It rolls off while only its toes stand. Two stances of one point that are less than `least` seconds
apart are merged. If the source drifts farther than `drift` during a stance, the stance is cut there, since the leg could not
follow a fixed foot; the next part begins `least` seconds later.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.motion import measures

# The fraction of frames that may be below a point's lowest level, since single frames may be outliers.
LOW_SHARE = 0.02


@dataclass(frozen=True)
class Detection:
    """The parameters of stances: height and drift [leg lengths], speed [leg lengths/s], least [s], tilt [rad]."""

    height: float = 0.06
    speed: float = 0.35
    least: float = 0.1
    drift: float = 0.1
    tilt: float = 0.3

    def __post_init__(self) -> None:
        for name in ("height", "speed", "least", "drift", "tilt"):
            value = number(getattr(self, name), name)
            if not 0 <= value < np.inf:
                raise BadOption(f"{name}={shown(value)}: give a finite number, 0 or more")

    def __str__(self) -> str:
        return (
            f"lower than {self.height:g} and slower than {self.speed:g}/s leg lengths for {self.least:g} s, "
            f"drifting less than {self.drift:g}; flat: tilted less than {self.tilt:g} rad"
        )


Interval = tuple[int, int]


def level(points: Array, up: Array) -> float:
    """Return the height of a standing point [m]: its lowest level, ignoring a few bad frames."""
    heights = points @ up
    return float(np.quantile(heights, LOW_SHARE))


def stances(
    points: Array, times: Array, up: Array, leg: float, how: Detection, parts: Sequence[slice]
) -> list[Interval]:
    """Return the stances of a point, first and last frame inclusive. parts: of the motion; no stance spans two of them."""
    ground = level(points, up)
    out: list[Interval] = []
    for part in parts:
        found = _within(points[part], times[part], int(np.argmax(up)), leg, how, ground)
        out += [(part.start + a, part.start + b) for a, b in found]
    return out


def _within(points: Array, times: Array, axis: int, leg: float, how: Detection, ground: float) -> list[Interval]:
    found = measures.contacts(
        points, times, axis, height=how.height * leg, speed=how.speed * leg, least=0.0, ground=ground
    )
    merged: list[list[int]] = []
    for contact in found:
        if merged and times[contact.start] - times[merged[-1][1]] <= how.least:
            merged[-1][1] = contact.end
        else:
            merged.append([contact.start, contact.end])
    out: list[Interval] = []
    for start, end in merged:
        out += _cut(points, times, axis, (start, end), how.drift * leg, how.least)
    return [(a, b) for a, b in out if times[b] - times[a] >= how.least]


def flat_parts(
    ups: Array, intervals: list[Interval], times: Array, how: Detection, parts: Sequence[slice]
) -> tuple[list[Interval], Array | None]:
    """Return the intervals in which a foot is flat, and the upward direction in its frame then, or None without stances.

    ups: (frames, 3) the world's up in the foot's frame. parts: of the frames; no stance spans two of them.
    """
    if not intervals:
        return [], None
    standing = mask(intervals, len(ups))
    typical = np.median(ups[standing], axis=0)
    typical = typical / np.linalg.norm(typical)
    level_ = standing & (ups @ typical >= math.cos(min(how.tilt, math.pi)))
    found = [(part.start + a, part.start + b) for part in parts for a, b in runs(level_[part])]
    return [(a, b) for a, b in found if times[b] - times[a] >= how.least], typical


def runs(which: np.ndarray) -> list[Interval]:
    """Return the intervals in which a condition holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], which, [False]]).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _cut(points: Array, times: Array, axis: int, stance: Interval, drift: float, pause: float) -> list[Interval]:
    """Return the parts of a stance in each of which the point stays within `drift` of its first position."""
    start, end = stance
    flat = np.delete(points, axis, axis=1)
    out: list[Interval] = []
    while start <= end:
        away = np.linalg.norm(flat[start : end + 1] - flat[start], axis=1)
        gone = np.flatnonzero(away > drift)
        if not len(gone):
            out.append((start, end))
            break
        last = start + int(gone[0]) - 1
        out.append((start, last))
        start = int(np.searchsorted(times, times[last] + pause))
    return out


def union(first: list[Interval], second: list[Interval], parts: Sequence[slice]) -> list[Interval]:
    """Return the intervals that either list covers. Adjacent intervals are joined unless a part ends between them."""
    ends = {part.stop for part in parts}
    out: list[Interval] = []
    for start, end in sorted(first + second):
        if out and start <= out[-1][1] + 1 and not (start == out[-1][1] + 1 and start in ends):
            out[-1] = out[-1][0], max(out[-1][1], end)
        else:
            out.append((start, end))
    return out


def inside(intervals: list[Interval], part: slice) -> list[Interval]:
    """Return the intervals that start in a part of the frames, relative to the part's start."""
    return [(a - part.start, b - part.start) for a, b in intervals if part.start <= a < part.stop]


def mask(intervals: list[Interval], count: int) -> np.ndarray:
    """Return the frames covered by some intervals."""
    out = np.zeros(count, bool)
    for start, end in intervals:
        out[start : end + 1] = True
    return out

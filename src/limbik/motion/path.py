"""A path: a pose as a function of time, for a tip to follow.

A path consists of pieces, each with its duration. By default the speed is DEFAULT_SPEED and the angular speed DEFAULT_TURN,
whichever takes longer; `with_speed` and `with_duration` change it, and `eased` adds a smooth start and end.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, NotFinite, shown
from limbik.geometry.arrays import Array, frozen, numbers
from limbik.geometry.se3 import as_pose
from limbik.motion.path_constructors import DEFAULT_SPEED, DEFAULT_TURN, PathConstructors
from limbik.motion.piece import KINK, Piece, Polyline, Transformed
from limbik.motion.validation import checked_finite, checked_poses, checked_seconds

# The largest distance between the ends of joined paths [m, rad].
JOINED = 1e-6
# The distance from a joint at which speeds are compared, as a fraction of the shorter piece's duration.
BESIDE = 1e-4


@dataclass(frozen=True, eq=False)
class Path(PathConstructors):
    """A pose as a function of time, from 0 to `duration` [s]. Immutable; make one with `line`, `circle`, `through` and others.

    pieces: in sequence. seconds: the duration of each. gentle: slow at both ends.
    """

    def __post_init__(self) -> None:
        if (
            not self.pieces
            or len(self.pieces) != len(self.seconds)
            or not all(isinstance(p, Piece) for p in self.pieces)
        ):
            raise BadOption(
                "a path needs pieces, each with its duration; make one with Path.line, Path.circle, Path.through ..."
            )
        if not all(0 < s < math.inf for s in self.seconds):
            raise BadOption(f"each piece of a path needs a duration above 0; got {shown(self.seconds)}")

    # ---- properties --------------------------------------------------------------------------------------------------

    @property
    def duration(self) -> float:
        """The duration [s]."""
        return math.fsum(self.seconds)

    @property
    def length(self) -> float:
        """The length of the origin's path [m]."""
        return math.fsum(p.extent[0] for p in self.pieces)

    @property
    def angle(self) -> float:
        """The total rotation of the frame [rad]."""
        return math.fsum(p.extent[1] for p in self.pieces)

    @property
    def sampled(self) -> bool:
        """Whether only samples are known, with linear interpolation between them."""
        return any(isinstance(p, Polyline) and p.sampled for p in self.pieces)

    @property
    def start(self) -> Array:
        """The first pose."""
        return self.at(0.0)

    @property
    def end(self) -> Array:
        """The last pose."""
        return self.at(self.duration)

    @cached_property
    def _ends(self) -> Array:
        return np.cumsum([0.0, *self.seconds])

    def at(self, t: Any) -> Array:
        """Return the pose at times [s], (...) -> (..., 4, 4). Outside the path, the first or last pose."""
        times = numbers(t, "times must be numbers")
        if np.isnan(times).any():
            raise NotFinite("times contain NaN: give numbers of seconds")
        flat = np.clip(times.reshape(-1), 0.0, self.duration)
        if self.gentle:
            x = flat / self.duration
            flat = self.duration * x**3 * (10.0 + x * (6.0 * x - 15.0))
        out = np.empty((len(flat), 4, 4))
        which = np.clip(np.searchsorted(self._ends, flat, side="right") - 1, 0, len(self.pieces) - 1)
        order = np.argsort(which, kind="stable")
        cuts = np.flatnonzero(np.diff(which[order])) + 1
        for rows in np.split(order, cuts) if len(flat) else ():
            k = int(which[rows[0]])
            out[rows] = self.pieces[k].at(np.clip((flat[rows] - self._ends[k]) / self.seconds[k], 0.0, 1.0))
        return out.reshape(*times.shape, 4, 4)

    @cached_property
    def corners(self) -> tuple[float, ...]:
        """The times of velocity discontinuities [s]: an arm must stop there, or leave the path."""
        if self.gentle:
            places = replace(self, gentle=False).corners
            x = np.linspace(0.0, 1.0, 4097)
            return tuple(
                np.interp(np.array(places) / self.duration, x**3 * (10 + x * (6 * x - 15)), x * self.duration).tolist()
            )
        t, spans = self._ends[1:-1], np.array(self.seconds)
        h = BESIDE * np.minimum(spans[:-1], spans[1:])
        T = self.at(np.stack([t - h, t, t + h], axis=1))
        before, after = (np.asarray(pose_error(T[:, k], T[:, k + 1])).reshape(-1, 6) / h[:, None] for k in (0, 1))
        most = np.maximum(np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1))
        found = t[np.linalg.norm(after - before, axis=1) > KINK * most].tolist()
        for start, span, piece in zip(self._ends, self.seconds, self.pieces, strict=False):
            found += (start + span * piece.kinks).tolist()
        return tuple(sorted(found))

    # ---- changed copies ----------------------------------------------------------------------------------------------

    def with_speed(self, metres: float, radians: float | None = None) -> Self:
        """Return this path with a speed of its origin [m/s]; pieces dominated by rotation get an angular speed [rad/s].

        radians: None scales the default angular speed like the speed. Waiting times do not change. Raises BadOption.
        """
        v = checked_finite(metres, "the speed")
        w = v * DEFAULT_TURN / DEFAULT_SPEED if radians is None else checked_finite(radians, "the angular speed")
        if not (v > 0 and w > 0):
            raise BadOption("speeds must be above 0")
        spans = tuple(
            s if max(p.pace) == 0.0 else max(p.pace[0] / v, p.pace[1] / w)
            for p, s in zip(self.pieces, self.seconds, strict=True)
        )
        return replace(self, seconds=spans)

    def with_duration(self, seconds: float) -> Self:
        """Return this path scaled to another duration [s]."""
        by = checked_seconds(seconds) / self.duration
        return replace(self, seconds=tuple(s * by for s in self.seconds))

    def eased(self) -> Self:
        """Return this path with a minimum-jerk start and end, in the same duration."""
        return replace(self, gentle=True)

    def reversed(self) -> Self:
        """Return this path from its end to its start."""
        back = tuple(Transformed(p, np.eye(4), 1.0, 0.0) for p in reversed(self.pieces))
        return replace(self, pieces=back, seconds=tuple(reversed(self.seconds)))

    def moved(self, T: Any) -> Self:
        """Return this path transformed by T, the pose of its reference frame in the new one."""
        by = as_pose(T, "T")
        return replace(self, pieces=tuple(Transformed(p, by, 0.0, 1.0) for p in self.pieces))

    def repeated(self, times: int) -> Self:
        """Return this path repeated; it must end where it starts. Raises BadOption."""
        if isinstance(times, bool) or not isinstance(times, int | np.integer) or times < 1:
            raise BadOption(f"repeated({shown(times)}): give a whole number from 1")
        _check_joined(self.end, self.start, "this path ends", "it begins") if times > 1 else None
        return replace(self, pieces=self.pieces * int(times), seconds=self.seconds * int(times))

    def __add__(self, other: object) -> Self:
        """Return this path followed by another, which must start where this one ends. Raises BadOption."""
        if not isinstance(other, Path):
            return NotImplemented
        if self.gentle or other.gentle:
            raise BadOption("join paths first, then call eased()")
        _check_joined(self.end, other.start, "the first path ends", "the second begins")
        return replace(self, pieces=self.pieces + other.pieces, seconds=self.seconds + other.seconds)

    def __repr__(self) -> str:
        return f"<Path: {len(self.pieces)} pieces, {self.length:.4g} m, {self.angle:.4g} rad, {self.duration:.4g} s>"


def as_path(given: Any, rate: float) -> Path:
    """Return a path unchanged, or the path through poses (N, 4, 4) at a rate [Hz]. Raises ShapeError, NotRigid,
    BadOption."""
    if isinstance(given, Path):
        return given
    poses = checked_poses(given, least=1)
    if len(poses) == 1:
        return Path.stay(poses[0], 1.0 / rate)
    spans = len(poses) - 1
    return Path((Polyline(frozen(poses), np.arange(len(poses)) / spans, True),), (spans / rate,))


def _check_joined(a: Array, b: Array, one: str, other: str) -> None:
    gap = np.asarray(pose_error(a, b))
    if np.abs(gap).max() > JOINED:
        far, rotated = float(np.linalg.norm(gap[:3])), float(np.linalg.norm(gap[3:]))
        raise BadOption(f"{one} {far:.3g} m and {rotated:.3g} rad from where {other}; insert a Path.line")

"""A path: a pose as a function of time. What a tip is to follow.

A path is made of pieces, each with its time. Without a word about time it goes at DEFAULT_SPEED and turns at DEFAULT_TURN,
whichever takes longer; `with_speed` and `with_duration` say otherwise, and `eased` starts and ends it gently.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, Self

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.formats.poses import read_poses
from limbik.model.record import Record
from limbik.model.transform import (
    EXACT_ROTATION,
    LARGEST,
    Array,
    as_pose,
    frozen,
    matrices,
    number,
    numbers,
    translation,
    vector,
)
from limbik.motion.piece import (
    KINK,
    METRES_PER_RADIAN,
    SAME_POSE,
    Corner,
    Curve,
    Function,
    Moved,
    Piece,
    Polyline,
    Stay,
    Straight,
    Turn,
    check_apart,
)

# What a path does where nothing is said: the speed of a hand beside people [m/s], and its turning [rad/s].
DEFAULT_SPEED, DEFAULT_TURN = 0.25, 1.0
# Ends that are to be joined lie no farther apart [m, rad].
JOINED = 1e-6
# How far from a joint between pieces its speeds are looked at, in parts of the shorter piece's time.
BESIDE = 1e-4


@dataclass(frozen=True, eq=False)
class Path(Record):
    """A pose as a function of time, from 0 to `duration` [s]. Immutable; make one by `line`, `circle`, `through` and the others.

    pieces: one after the other. seconds: the time of each. gentle: time runs slowly at both ends.
    """

    pieces: tuple[Piece, ...]
    seconds: tuple[float, ...]
    gentle: bool = False

    # ---- made from -----------------------------------------------------------------------------------------------------

    @classmethod
    def line(cls, T0: Any, T1: Any) -> Self:
        """Return the straight way from one pose to another; the frame turns evenly, the short way. Raises NotRigid, BadOption."""
        start, end = as_pose(T0, "T0"), as_pose(T1, "T1")
        check_apart(start, end, "T0 and T1")
        return cls._of(Straight(start, end))

    @classmethod
    def screw(
        cls,
        T0: Any,
        T1: Any = None,
        *,
        axis: Any = None,
        point: Any = None,
        angle: float | None = None,
        pitch: float = 0.0,
    ) -> Self:
        """Return the screw that leads from T0 to T1: one turn about one axis, rising along it (Chasles' theorem).

        Or, without T1, the screw about `axis` through `point` (T0's origin where none is given) by `angle` [rad], rising by
        `pitch` [m] in a whole turn. Raises BadOption, NotRigid.
        """
        start = as_pose(T0, "T0")
        if T1 is None:
            if axis is None or angle is None:
                raise BadOption("a screw leads to T1, or has axis= and angle=")
            along, turned = _unit(axis, "axis"), _finite(angle, "angle")
            through = start[:3, 3] if point is None else vector(point, "point")
            piece = Turn(
                start, through, along, turned, _finite(pitch, "pitch") * turned / (2 * math.pi), True, np.zeros(3)
            )
            if not max(piece.extent) > 0:
                raise BadOption("the screw goes nowhere: its angle is 0; Path.line leads straight on")
            return cls._of(piece)
        if axis is not None or angle is not None or point is not None:
            raise BadOption("a screw leads to T1, or has axis= and angle=, not both")
        end = as_pose(T1, "T1")
        check_apart(start, end, "T0 and T1")
        way = np.asarray(pose_error(start, end))
        turned = float(np.linalg.norm(way[3:]))
        if turned < SAME_POSE:
            return cls._of(Straight(start, end))
        along, shift = way[3:] / turned, way[:3]
        rise = float(shift @ along)
        across = shift - rise * along
        # the point about which half of the shift across lies on either side
        through = start[:3, 3] + 0.5 * (across + np.cross(along, across) / math.tan(0.5 * turned))
        return cls._of(Turn(start, through, along, turned, rise, True, np.zeros(3)))

    @classmethod
    def circle(
        cls,
        T: Any,
        centre: Any = None,
        axis: Any = None,
        *,
        radius: float | None = None,
        angle: float = 2 * math.pi,
        turning: bool = False,
    ) -> Self:
        """Return a circle, or `angle` [rad] of one: several turns, or backwards where it is negative.

        With `centre`, it begins at the pose T and goes round `axis` (z where none is given) through the centre. With `radius`,
        T is its middle: it lies in T's x-y plane and begins on T's x axis. The frame keeps T's rotation, or goes round too
        where
        `turning`. Raises BadOption, NotRigid.
        """
        pose, turned = as_pose(T, "T"), _finite(angle, "angle")
        if (centre is None) == (radius is None):
            raise BadOption("a circle has centre= (and begins at T), or radius= (and T is its middle)")
        if radius is not None:
            size = _finite(radius, "radius")
            if axis is not None:
                raise BadOption("axis= goes with centre=; with radius= the circle lies in T's x-y plane")
            if not size > 0:
                raise BadOption(f"radius={shown(radius)}: a radius is above 0")
            middle, along, start = pose[:3, 3], pose[:3, 2], pose @ translation((size, 0, 0))
        else:
            middle, along, start = vector(centre, "centre"), _unit((0, 0, 1) if axis is None else axis, "axis"), pose
        piece = Turn(start, frozen(np.array(middle)), frozen(np.array(along)), turned, 0.0, bool(turning), np.zeros(3))
        if not piece.extent[0] > 0:
            raise BadOption("the circle goes nowhere: it begins on its axis, or its angle is 0")
        return cls._of(piece)

    @classmethod
    def arc(cls, T0: Any, via: Any, T1: Any) -> Self:
        """Return the arc of a circle from T0 through the point `via` (3 numbers, or a pose) to T1; the frame turns evenly.

        Raises BadOption where the three lie on a line.
        """
        start, end = as_pose(T0, "T0"), as_pose(T1, "T1")
        given = numbers(matrices(via), "via must be a point or a pose")
        between = as_pose(given, "via")[:3, 3] if given.shape == (4, 4) else vector(given, "via")
        a, b = between - start[:3, 3], end[:3, 3] - start[:3, 3]
        normal = np.cross(a, b)
        size = float(np.linalg.norm(normal))
        if size <= SAME_POSE + 1e-9 * float(np.linalg.norm(a) * np.linalg.norm(b)):
            raise BadOption("T0, via and T1 lie on a line: no circle goes through them; use Path.line or Path.circle")
        middle = start[:3, 3] + np.cross(normal, a * (b @ b) * -1.0 + b * (a @ a)) / (-2.0 * size * size)
        along = normal / size
        first, last = start[:3, 3] - middle, end[:3, 3] - middle
        turned = math.atan2(float(np.cross(first, last) @ along), float(first @ last)) % (2 * math.pi)
        turn = np.asarray(pose_error(start, end))[3:]
        return cls._of(Turn(start, middle, along, turned, 0.0, False, turn))

    @classmethod
    def through(cls, Ts: Any, times: Any = None, *, corner: float = 0.0) -> Self:
        """Return straight ways from pose to pose, (N, 4, 4). times: (N,) rising, when each is reached [s].

        corner: how far before and behind each inner pose the corner is rounded [m; for turns, that many quarters of a metre are a
        radian]; a rounded path passes by the inner poses. Raises ShapeError, NotRigid, BadOption.
        """
        poses, when = _poses(Ts), None
        if times is not None:
            when = _times(times, len(poses))
        round_ = _finite(corner, "corner")
        if round_ < 0:
            raise BadOption(f"corner={shown(corner)}: a distance is not below 0")
        if when is None:
            poses = _without_repeats(poses)
        steps = np.asarray(pose_error(poses[:-1], poses[1:])).reshape(-1, 6)
        needed = np.maximum(
            np.linalg.norm(steps[:, :3], axis=1) / DEFAULT_SPEED, np.linalg.norm(steps[:, 3:], axis=1) / DEFAULT_TURN
        )
        spans = needed if when is None else np.diff(when)
        if round_ > 0 and len(poses) > 2:
            return cls(*_rounded([_straight(a, b) for a, b in itertools.pairwise(poses)], spans.tolist(), round_))
        ends = np.concatenate([[0.0], np.cumsum(spans)])
        return cls((Polyline(frozen(poses), frozen(ends / ends[-1])),), (float(ends[-1]),))

    @classmethod
    def spline(cls, points: Any, times: Any = None, *, rotation: Any = None, closed: bool = False) -> Self:
        """Return a smooth curve through poses (N, 4, 4), or through points (N, 3) with one rotation ((3, 3) or (4, 4)).

        times: (N,) rising, when each is reached; else it is run through at one speed. closed: it goes on to the first one again,
        without a kink. Raises ShapeError, NotRigid, BadOption.
        """
        poses = _points(points, rotation)
        if len(poses) < 2:
            raise BadOption("a spline needs three poses or points at least; Path.line joins two")
        if closed:
            far = np.abs(pose_error(poses[0], poses[-1])).max() > SAME_POSE
            poses = np.concatenate([poses, poses[:1]]) if far else poses
        when = None if times is None else _times(times, len(poses))
        if when is None:
            poses = _without_repeats(poses)
            steps = np.asarray(pose_error(poses[:-1], poses[1:]))
            way = np.hypot(
                np.linalg.norm(steps[:, :3], axis=1), METRES_PER_RADIAN * np.linalg.norm(steps[:, 3:], axis=1)
            )
            knots = np.concatenate(
                [[0.0], np.cumsum(np.sqrt(way * way.max()))]
            )  # centripetal: no loops beside short steps
        else:
            knots = when - when[0]
        if len(poses) < 3 + bool(closed):
            raise BadOption("a spline needs three poses or points at least; Path.line joins two")
        piece = Curve(frozen(poses), frozen(knots), bool(closed), when is None)
        return cls((piece,), (_default_time(piece) if when is None else float(knots[-1]),))

    @classmethod
    def stay(cls, T: Any, seconds: float) -> Self:
        """Return a path that waits in one pose."""
        return cls((Stay(as_pose(T, "T")),), (_seconds(seconds),))

    @classmethod
    def of(cls, function: Callable[[float], Any], seconds: float) -> Self:
        """Return the path of a function of time [s] that gives a pose (4, 4)."""
        if not callable(function):
            raise BadOption(f"{shown(function)} is no function of time; give one that returns a pose (4, 4)")
        span = _seconds(seconds)
        piece = Function(function, span)
        piece.at(np.array([0.0, 1.0]))
        return cls((piece,), (span,))

    @classmethod
    def from_csv(
        cls, file: str | PathLike[str], *, degrees: bool = True, smooth: bool = False, corner: float = 0.0
    ) -> Self:
        """Return the path through the poses of a file, one a line.

        A line is x,y,z,roll,pitch,yaw [m, and degrees unless `degrees` is False], x,y,z,qw,qx,qy,qz, or the rows of a 4x4
        matrix. A header line may name the columns, in any order, and one of them "t" or "time": times [s]. smooth: a spline
        instead of straight ways. corner: as in `through`. Raises BadFile, BadOption, FileUnreadable, naming the line.
        """
        poses, times = read_poses(file, degrees=degrees)
        if smooth:
            if corner:
                raise BadOption("corner= rounds straight ways; a smooth path has no corners")
            return cls.spline(poses, times)
        return cls.through(poses, times, corner=corner)

    @classmethod
    def _of(cls, piece: Piece) -> Self:
        return cls((piece,), (_default_time(piece),))

    def __post_init__(self) -> None:
        if (
            not self.pieces
            or len(self.pieces) != len(self.seconds)
            or not all(isinstance(p, Piece) for p in self.pieces)
        ):
            raise BadOption(
                "a path has pieces, each with its time; make one by Path.line, Path.circle, Path.through ..."
            )
        if not all(0 < s < math.inf for s in self.seconds):
            raise BadOption(f"each piece of a path takes some time; got {shown(self.seconds)}")

    # ---- what it is ----------------------------------------------------------------------------------------------------

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return math.fsum(self.seconds)

    @property
    def length(self) -> float:
        """How far the origin goes [m]."""
        return math.fsum(p.extent[0] for p in self.pieces)

    @property
    def angle(self) -> float:
        """How far the frame turns [rad]."""
        return math.fsum(p.extent[1] for p in self.pieces)

    @property
    def sampled(self) -> bool:
        """Whether only some of its poses are known, and straight ways stand for what lies between."""
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
        """Return the pose at times [s], (...) -> (..., 4, 4). Before the start and after the end it stands still."""
        times = numbers(t, "times must be numbers")
        if np.isnan(times).any():
            raise NotFinite("times hold NaN: give numbers of seconds")
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
        """The times inside it at which the tip changes its velocity at once [s]: an arm must stop there, or leave the path."""
        if self.gentle:
            places = replace(self, gentle=False).corners
            x = np.linspace(0.0, 1.0, 4097)
            return tuple(
                np.interp(np.array(places) / self.duration, x**3 * (10 + x * (6 * x - 15)), x * self.duration).tolist()
            )
        found = []
        for k in range(1, len(self.pieces)):
            t, h = float(self._ends[k]), BESIDE * min(self.seconds[k - 1], self.seconds[k])
            T = self.at([t - h, t, t + h])
            before, after = np.asarray(pose_error(T[:2], T[1:])) / h
            most = max(np.linalg.norm(before), np.linalg.norm(after))
            if np.linalg.norm(after - before) > KINK * most:
                found.append(t)
        for start, span, piece in zip(self._ends, self.seconds, self.pieces, strict=False):
            found += (start + span * piece.kinks).tolist()
        return tuple(sorted(found))

    # ---- changed copies ------------------------------------------------------------------------------------------------

    def with_speed(self, metres: float, radians: float | None = None) -> Self:
        """Return this path at a speed of its origin [m/s]; where it turns more than it moves, at a turning speed [rad/s].

        radians: None takes as much more or less than usual as the speed is. Waiting stays as it is. Raises BadOption.
        """
        v = _finite(metres, "the speed")
        w = v * DEFAULT_TURN / DEFAULT_SPEED if radians is None else _finite(radians, "the turning speed")
        if not (v > 0 and w > 0):
            raise BadOption("speeds are above 0")
        spans = tuple(
            s if max(p.pace) == 0.0 else max(p.pace[0] / v, p.pace[1] / w)
            for p, s in zip(self.pieces, self.seconds, strict=True)
        )
        return replace(self, seconds=spans)

    def with_duration(self, seconds: float) -> Self:
        """Return this path in another time [s], every part of it faster or slower alike."""
        by = _seconds(seconds) / self.duration
        return replace(self, seconds=tuple(s * by for s in self.seconds))

    def eased(self) -> Self:
        """Return this path with a gentle start and end, in the same time: fastest in the middle, least jerk."""
        return replace(self, gentle=True)

    def reversed(self) -> Self:
        """Return this path from its end to its start."""
        back = tuple(Moved(p, np.eye(4), 1.0, 0.0) for p in reversed(self.pieces))
        return replace(self, pieces=back, seconds=tuple(reversed(self.seconds)))

    def moved(self, T: Any) -> Self:
        """Return this path in another frame: T is where the frame in which it was given stands."""
        by = as_pose(T, "T")
        return replace(self, pieces=tuple(Moved(p, by, 0.0, 1.0) for p in self.pieces))

    def repeated(self, times: int) -> Self:
        """Return this path several times over; it must end where it begins. Raises BadOption."""
        if isinstance(times, bool) or not isinstance(times, int | np.integer) or times < 1:
            raise BadOption(f"repeated({shown(times)}): give a whole number from 1")
        _check_joined(self.end, self.start, "this path ends", "it begins") if times > 1 else None
        return replace(self, pieces=self.pieces * int(times), seconds=self.seconds * int(times))

    def __add__(self, other: object) -> Self:
        """Return this path and another after it, which must begin where this one ends. Raises BadOption."""
        if not isinstance(other, Path):
            return NotImplemented
        if self.gentle or other.gentle:
            raise BadOption("join paths first, then call eased()")
        _check_joined(self.end, other.start, "the first path ends", "the second begins")
        return replace(self, pieces=self.pieces + other.pieces, seconds=self.seconds + other.seconds)

    def __repr__(self) -> str:
        return f"<Path: {len(self.pieces)} pieces, {self.length:.4g} m, {self.angle:.4g} rad, {self.duration:.4g} s>"


def as_path(given: Any, rate: float) -> Path:
    """Return a path as it is, or the one through poses (N, 4, 4), which come at a rate [1/s]. Raises ShapeError, NotRigid,
    BadOption."""
    if isinstance(given, Path):
        return given
    poses = _poses(given, least=1)
    if len(poses) == 1:
        return Path.stay(poses[0], 1.0 / rate)
    spans = len(poses) - 1
    return Path((Polyline(frozen(poses), np.arange(len(poses)) / spans, True),), (spans / rate,))


# ---- what a caller says --------------------------------------------------------------------------------------------------


def _poses(given: Any, least: int = 2) -> Array:
    poses = numbers(matrices(given), "poses are numbers of shape (N, 4, 4)")
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        raise ShapeError(f"poses have shape (N, 4, 4); got {poses.shape}")
    if len(poses) < least:
        raise ShapeError(f"a path needs {least} poses at least; got {len(poses)}")
    R = poses[:, :3, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2))
        odd = ~(
            (off <= EXACT_ROTATION) & (poses[:, 3] == (0, 0, 0, 1)).all(axis=1) & np.isfinite(poses).all(axis=(1, 2))
        )
        odd |= ~(np.linalg.det(R) > 0) | ~(np.abs(poses[:, :3, 3]).max(axis=1) <= LARGEST)
    for k in np.flatnonzero(odd):  # to be projected, or refused with the reason
        poses[k] = as_pose(poses[k], f"pose {k}")
    return poses


def _points(given: Any, rotation: Any) -> Array:
    values = numbers(matrices(given), "a spline goes through poses (N, 4, 4) or points (N, 3)")
    if values.ndim == 3:
        if rotation is not None:
            raise BadOption("rotation= goes with points; poses have their own")
        return _poses(values, least=1)
    if values.ndim != 2 or values.shape[1] != 3:
        raise ShapeError(f"a spline goes through poses (N, 4, 4) or points (N, 3); got {values.shape}")
    T = np.eye(4)
    if rotation is not None:
        turn = numbers(matrices(rotation), "rotation must be a matrix of numbers")
        if turn.shape not in ((3, 3), (4, 4)):
            raise ShapeError(f"rotation has shape (3, 3) or (4, 4); got {turn.shape}")
        T[:3, :3] = turn[:3, :3]
    poses = np.tile(T, (len(values), 1, 1))
    poses[:, :3, 3] = values
    return _poses(poses, least=1)


def _times(given: Any, count: int) -> Array:
    when = numbers(given, "times must be numbers, one for each pose")
    if when.shape != (count,):
        raise ShapeError(f"{count} poses need {count} times; got shape {when.shape}")
    if not np.isfinite(when).all():
        raise NotFinite("times hold NaN or infinity")
    if not (np.diff(when) > 0).all():
        row = int(np.argmin(np.diff(when) > 0)) + 1
        raise BadOption(f"times must rise: pose {row} is at {when[row]:g} s, after {when[row - 1]:g} s")
    return when


def _without_repeats(poses: Array) -> Array:
    far = np.abs(pose_error(poses[:-1], poses[1:])).max(axis=1) > SAME_POSE
    kept = poses[np.concatenate([[True], far])]
    if len(kept) < 2:
        raise BadOption("all poses are the same: the path goes nowhere; Path.stay(T, seconds) waits in one place")
    return np.asarray(kept)


def _straight(a: Array, b: Array) -> Piece:
    return Stay(frozen(a)) if np.abs(pose_error(a, b)).max() <= SAME_POSE else Straight(frozen(a), frozen(b))


def _default_time(piece: Piece) -> float:
    length, angle = piece.extent
    return max(length / DEFAULT_SPEED, angle / DEFAULT_TURN, 1e-9)


def _rounded(
    ways: Sequence[Piece], spans: Sequence[float], corner: float
) -> tuple[tuple[Piece, ...], tuple[float, ...]]:
    """Return straight ways cut short, with a bend between each two; a bend takes no more than half of a way."""
    sizes = [math.hypot(p.extent[0], METRES_PER_RADIAN * p.extent[1]) for p in ways]
    cuts = [min(0.5, corner / size) if size > 0 else 0.0 for size in sizes]
    pieces: list[Piece] = []
    seconds: list[float] = []
    for k, (way, span, cut) in enumerate(zip(ways, spans, cuts, strict=True)):
        first = cut if k > 0 and cuts[k - 1] > 0 else 0.0
        last = 1.0 - cut if k + 1 < len(ways) and cuts[k + 1] > 0 else 1.0
        if last - first > 1e-12:
            ends = way.at(np.array([first, last]))
            pieces.append(_straight(*ends))
            seconds.append(span * (last - first))
        if last < 1.0:
            a, b, c = (
                way.at(np.array([last]))[0],
                way.at(np.array([1.0]))[0],
                ways[k + 1].at(np.array([cuts[k + 1]]))[0],
            )
            pieces.append(Corner(frozen(a), frozen(b), frozen(c)))
            seconds.append(span * cut + spans[k + 1] * cuts[k + 1])
    return tuple(pieces), tuple(seconds)


def _check_joined(a: Array, b: Array, one: str, other: str) -> None:
    gap = np.asarray(pose_error(a, b))
    if np.abs(gap).max() > JOINED:
        far, turned = float(np.linalg.norm(gap[:3])), float(np.linalg.norm(gap[3:]))
        raise BadOption(f"{one} {far:.3g} m and {turned:.3g} rad from where {other}; put Path.line between them")


def _finite(given: Any, what: str) -> float:
    value = number(given, what)
    if not math.isfinite(value):
        raise NotFinite(f"{what} must be finite; got {value:g}")
    return value


def _seconds(given: Any) -> float:
    value = _finite(given, "the duration")
    if not value > 0:
        raise BadOption(f"a duration is above 0 s; got {shown(given)}")
    return value


def _unit(given: Any, what: str) -> Array:
    axis = vector(given, what)
    size = float(np.linalg.norm(axis))
    if not size > 0:
        raise BadOption(f"{what} is zero: give a direction")
    return frozen(axis / size)

"""Constructors of paths: lines, screws, circles, arcs, waypoints, splines, functions, files."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Self

import numpy as np

from limbik._core import pose_error
from limbik.errors import BadOption, shown
from limbik.formats.poses import read_poses
from limbik.geometry.arrays import Array, frozen, numbers, vector
from limbik.geometry.se3 import as_pose, matrices, translation
from limbik.model.record import Record
from limbik.motion.curve import Curve
from limbik.motion.piece import (
    METRES_PER_RADIAN,
    SAME_POSE,
    Corner,
    Function,
    Piece,
    Polyline,
    Screw,
    Stay,
    Straight,
    check_distinct,
)
from limbik.motion.validation import (
    checked_finite,
    checked_points,
    checked_poses,
    checked_seconds,
    checked_times,
    checked_unit,
)

# The default speed of a path, that of collaborative robots [m/s], and the angular speed [rad/s].
DEFAULT_SPEED, DEFAULT_TURN = 0.25, 1.0


@dataclass(frozen=True, eq=False)
class PathConstructors(Record):
    """A sequence of pieces, with the constructors of `Path`. seconds: the duration of each. gentle: slow at both ends."""

    pieces: tuple[Piece, ...]
    seconds: tuple[float, ...]
    gentle: bool = False

    @classmethod
    def line(cls, T0: Any, T1: Any) -> Self:
        """Return the line from one pose to another, with constant angular velocity by the shortest rotation.

        Raises NotRigid, BadOption.
        """
        start, end = as_pose(T0, "T0"), as_pose(T1, "T1")
        check_distinct(start, end, "T0 and T1")
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
        """Return the screw motion from T0 to T1: a rotation about one axis with a translation along it (Chasles' theorem).

        Without T1, the screw about `axis` through `point` (default: T0's origin) by `angle` [rad], with `pitch` [m] per
        revolution. Raises BadOption, NotRigid.
        """
        start = as_pose(T0, "T0")
        if T1 is None:
            if axis is None or angle is None:
                raise BadOption("a screw needs T1, or axis= and angle=")
            along, swept = checked_unit(axis, "axis"), checked_finite(angle, "angle")
            through = start[:3, 3] if point is None else vector(point, "point")
            piece = Screw(
                start,
                through,
                along,
                swept,
                checked_finite(pitch, "pitch") * swept / (2 * math.pi),
                True,
                np.zeros(3),
            )
            if not max(piece.extent) > 0:
                raise BadOption("the screw has the angle 0; use Path.line for a translation")
            return cls._of(piece)
        if axis is not None or angle is not None or point is not None:
            raise BadOption("a screw takes T1, or axis= and angle=, not both")
        end = as_pose(T1, "T1")
        check_distinct(start, end, "T0 and T1")
        difference = np.asarray(pose_error(start, end))
        swept = float(np.linalg.norm(difference[3:]))
        if swept < SAME_POSE:
            return cls._of(Straight(start, end))
        along, shift = difference[3:] / swept, difference[:3]
        rise = float(shift @ along)
        across = shift - rise * along
        # the point on the axis: half of the perpendicular displacement lies on either side
        through = start[:3, 3] + 0.5 * (across + np.cross(along, across) / math.tan(0.5 * swept))
        return cls._of(Screw(start, through, along, swept, rise, True, np.zeros(3)))

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
        """Return a circle, or an arc of `angle` [rad]: several revolutions, or backwards if negative.

        With `centre`, it starts at the pose T and rotates about `axis` (default: z) through the centre. With `radius`, T is its
        centre: it lies in T's x-y plane and starts on T's x axis. The frame keeps T's rotation, or rotates with the circle if
        `turning`. Raises BadOption, NotRigid.
        """
        pose, swept = as_pose(T, "T"), checked_finite(angle, "angle")
        if (centre is None) == (radius is None):
            raise BadOption("a circle needs either centre= (it starts at T) or radius= (T is its centre)")
        if radius is not None:
            size = checked_finite(radius, "radius")
            if axis is not None:
                raise BadOption("axis= requires centre=; with radius= the circle lies in T's x-y plane")
            if not size > 0:
                raise BadOption(f"radius={shown(radius)}: give a radius above 0")
            middle, along, start = pose[:3, 3], pose[:3, 2], pose @ translation((size, 0, 0))
        else:
            middle, along, start = (
                vector(centre, "centre"),
                checked_unit((0, 0, 1) if axis is None else axis, "axis"),
                pose,
            )
        piece = Screw(start, frozen(np.array(middle)), frozen(np.array(along)), swept, 0.0, bool(turning), np.zeros(3))
        if not piece.extent[0] > 0:
            raise BadOption("the circle has no length: T is on its axis, or its angle is 0")
        return cls._of(piece)

    @classmethod
    def arc(cls, T0: Any, via: Any, T1: Any) -> Self:
        """Return the circular arc from T0 through the point `via` (3 numbers, or a pose) to T1, with constant angular velocity.

        Raises BadOption if the three are collinear.
        """
        start, end = as_pose(T0, "T0"), as_pose(T1, "T1")
        given = numbers(matrices(via), "via must be a point or a pose")
        between = as_pose(given, "via")[:3, 3] if given.shape == (4, 4) else vector(given, "via")
        a, b = between - start[:3, 3], end[:3, 3] - start[:3, 3]
        normal = np.cross(a, b)
        size = float(np.linalg.norm(normal))
        if size <= SAME_POSE + 1e-9 * float(np.linalg.norm(a) * np.linalg.norm(b)):
            raise BadOption("T0, via and T1 are collinear: no circle passes through them; use Path.line or Path.circle")
        middle = start[:3, 3] + np.cross(normal, a * (b @ b) * -1.0 + b * (a @ a)) / (-2.0 * size * size)
        along = normal / size
        first, last = start[:3, 3] - middle, end[:3, 3] - middle
        swept = math.atan2(float(np.cross(first, last) @ along), float(first @ last)) % (2 * math.pi)
        rotation_vector = np.asarray(pose_error(start, end))[3:]
        return cls._of(Screw(start, middle, along, swept, 0.0, False, rotation_vector))

    @classmethod
    def through(cls, Ts: Any, times: Any = None, *, corner: float = 0.0) -> Self:
        """Return straight segments through poses (N, 4, 4). times: (N,) increasing, the time of each [s].

        corner: the distance before and after each inner pose over which the corner is rounded [m; for rotations, 0.25 m count as
        a radian]; a rounded path does not pass exactly through the inner poses. Raises ShapeError, NotRigid, BadOption.
        """
        poses, when = checked_poses(Ts), None
        if times is not None:
            when = checked_times(times, len(poses))
        rounding = checked_finite(corner, "corner")
        if rounding < 0:
            raise BadOption(f"corner={shown(corner)}: give a distance, 0 or more")
        if when is None:
            poses = _without_repeats(poses)
        steps = np.asarray(pose_error(poses[:-1], poses[1:])).reshape(-1, 6)
        needed = np.maximum(
            np.linalg.norm(steps[:, :3], axis=1) / DEFAULT_SPEED, np.linalg.norm(steps[:, 3:], axis=1) / DEFAULT_TURN
        )
        spans = needed if when is None else np.diff(when)
        if rounding > 0 and len(poses) > 2:
            return cls(*_rounded([_straight(a, b) for a, b in itertools.pairwise(poses)], spans.tolist(), rounding))
        ends = np.concatenate([[0.0], np.cumsum(spans)])
        return cls((Polyline(frozen(poses), frozen(ends / ends[-1])),), (float(ends[-1]),))

    @classmethod
    def spline(cls, points: Any, times: Any = None, *, rotation: Any = None, closed: bool = False) -> Self:
        """Return a smooth curve through poses (N, 4, 4), or through points (N, 3) with one rotation ((3, 3) or (4, 4)).

        times: (N,) increasing, the time of each [s]; default: constant speed. closed: return smoothly to the first one. Raises
        ShapeError, NotRigid, BadOption.
        """
        poses = checked_points(points, rotation)
        if len(poses) < 2:
            raise BadOption("a spline needs at least three poses or points; use Path.line for two")
        if closed:
            far = np.abs(pose_error(poses[0], poses[-1])).max() > SAME_POSE
            poses = np.concatenate([poses, poses[:1]]) if far else poses
        when = None if times is None else checked_times(times, len(poses))
        if when is None:
            poses = _without_repeats(poses)
            steps = np.asarray(pose_error(poses[:-1], poses[1:]))
            lengths = np.hypot(
                np.linalg.norm(steps[:, :3], axis=1), METRES_PER_RADIAN * np.linalg.norm(steps[:, 3:], axis=1)
            )
            # centripetal knots, which avoid loops next to short steps
            knots = np.concatenate([[0.0], np.cumsum(np.sqrt(lengths * lengths.max()))])
        else:
            knots = when - when[0]
        if len(poses) < 3 + bool(closed):
            raise BadOption("a spline needs at least three poses or points; use Path.line for two")
        piece = Curve(frozen(poses), frozen(knots), bool(closed), when is None)
        return cls((piece,), (_default_time(piece) if when is None else float(knots[-1]),))

    @classmethod
    def stay(cls, T: Any, seconds: float) -> Self:
        """Return a path that waits at one pose."""
        return cls((Stay(as_pose(T, "T")),), (checked_seconds(seconds),))

    @classmethod
    def of(cls, function: Callable[[float], Any], seconds: float) -> Self:
        """Return the path of a function of time [s] that returns a pose (4, 4)."""
        if not callable(function):
            raise BadOption(f"{shown(function)} is not a function; give one of time that returns a pose (4, 4)")
        span = checked_seconds(seconds)
        piece = Function(function, span)
        piece.at(np.array([0.0, 1.0]))
        return cls((piece,), (span,))

    @classmethod
    def from_csv(
        cls, file: str | PathLike[str], *, degrees: bool = True, smooth: bool = False, corner: float = 0.0
    ) -> Self:
        """Return the path through the poses of a file, one per line.

        A line is x,y,z,roll,pitch,yaw [m, and degrees unless `degrees` is False], x,y,z,qw,qx,qy,qz, or the rows of a 4x4
        matrix. A header line may name the columns, in any order, and one of them "t" or "time": times [s]. smooth: a spline
        instead of straight segments. corner: as in `through`. Raises BadFile, BadOption, FileUnreadable, naming the line.
        """
        poses, times = read_poses(file, degrees=degrees)
        if smooth:
            if corner:
                raise BadOption("corner= rounds straight segments; a smooth path has no corners")
            return cls.spline(poses, times)
        return cls.through(poses, times, corner=corner)

    @classmethod
    def _of(cls, piece: Piece) -> Self:
        return cls((piece,), (_default_time(piece),))


def _without_repeats(poses: Array) -> Array:
    far = np.abs(pose_error(poses[:-1], poses[1:])).max(axis=1) > SAME_POSE
    kept = poses[np.concatenate([[True], far])]
    if len(kept) < 2:
        raise BadOption("all poses are equal: the path has no length; use Path.stay(T, seconds) to wait")
    return np.asarray(kept)


def _straight(a: Array, b: Array) -> Piece:
    return Stay(frozen(a)) if np.abs(pose_error(a, b)).max() <= SAME_POSE else Straight(frozen(a), frozen(b))


def _default_time(piece: Piece) -> float:
    length, angle = piece.extent
    return max(length / DEFAULT_SPEED, angle / DEFAULT_TURN, 1e-9)


def _rounded(
    segments: Sequence[Piece], spans: Sequence[float], corner: float
) -> tuple[tuple[Piece, ...], tuple[float, ...]]:
    """Return shortened straight segments with rounded corners between them; a corner takes at most half of a segment."""
    sizes = [math.hypot(p.extent[0], METRES_PER_RADIAN * p.extent[1]) for p in segments]
    cuts = [min(0.5, corner / size) if size > 0 else 0.0 for size in sizes]
    pieces: list[Piece] = []
    seconds: list[float] = []
    for k, (segment, span, cut) in enumerate(zip(segments, spans, cuts, strict=True)):
        first = cut if k > 0 and cuts[k - 1] > 0 else 0.0
        last = 1.0 - cut if k + 1 < len(segments) and cuts[k + 1] > 0 else 1.0
        if last - first > 1e-12:
            ends = segment.at(np.array([first, last]))
            pieces.append(_straight(*ends))
            seconds.append(span * (last - first))
        if last < 1.0:
            a, b, c = (
                segment.at(np.array([last]))[0],
                segment.at(np.array([1.0]))[0],
                segments[k + 1].at(np.array([cuts[k + 1]]))[0],
            )
            pieces.append(Corner(frozen(a), frozen(b), frozen(c)))
            seconds.append(span * cut + spans[k + 1] * cuts[k + 1])
    return tuple(pieces), tuple(seconds)

"""A clip: a robot or figure and its postures over time. What `follow` returns, what mocap files hold, what is saved."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Self

import numpy as np

from limbik.errors import BadOption, NotFinite, UnknownRow, shown
from limbik.formats.conversion import convert
from limbik.formats.source import as_path
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.even_times import OFF_BEAT
from limbik.model.recording import Recording
from limbik.motion import filters, measures
from limbik.motion.measures import Contact
from limbik.motion.mirror import mirrored
from limbik.motion.sampling import sample, velocities
from limbik.motion.sides import checked_pairs, counterparts
from limbik.robot.chain import Chain
from limbik.robot.saving import save_recording
from limbik.robot.skeleton import Skeleton

# Postures a second where nothing else is said.
DEFAULT_RATE = 30.0
# More frames than this are a mistake in a rate: two days at 60 Hz.
LARGEST_CLIP = 10_000_000


class Clip:
    """Postures of a chain or skeleton at rising times. Immutable; its methods return new clips.

    q: (frames, n), read-only. times: (frames,) [s]. jumps: the frames that cannot be reached smoothly from the one before.
    """

    def __init__(
        self,
        robot: Chain | Skeleton,
        q: Any,
        times: Any = None,
        *,
        rate: float | None = None,
        interpolation: str = "linear",
        jumps: tuple[int, ...] = (),
    ) -> None:
        """Make a clip from postures and either their times [s] or their rate [1/s] (30 where neither is given).

        Raises ShapeError, NotFinite, NotNumeric, BadOption.
        """
        if not isinstance(robot, Chain | Skeleton):
            raise BadOption(f"a clip belongs to a Chain or Skeleton, not {shown(robot)}; make one by limbik.load")
        if times is not None and rate is not None:
            raise BadOption("give the times of a clip or its rate, not both")
        if times is None:
            q = numbers(q, "the postures of a clip must be numbers of shape (frames, n)")
            times = np.arange(len(np.atleast_1d(q))) / checked_rate(DEFAULT_RATE if rate is None else rate)
        tip = robot.tip if isinstance(robot, Chain) else None
        recording = Recording(robot.mechanism, q, times, robot.base, tip, interpolation)
        self._set(robot, recording, _checked_jumps(jumps, len(recording.times)))

    def _set(self, robot: Chain | Skeleton, recording: Recording, jumps: tuple[int, ...] = ()) -> None:
        self._robot, self._recording, self._jumps = robot, recording, tuple(jumps)

    @classmethod
    def of(cls, recording: Recording) -> Self:
        """Return the clip of a recording, with the chain or skeleton that it belongs to."""
        clip = cls.__new__(cls)
        robot = (
            Skeleton(recording.mechanism, recording.base)
            if recording.tip is None
            else Chain(recording.mechanism, recording.base, recording.tip)
        )
        clip._set(robot, recording)
        return clip

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Chain | Skeleton:
        """The chain or skeleton that moves."""
        return self._robot

    @property
    def recording(self) -> Recording:
        """The postures and times, as data."""
        return self._recording

    @property
    def q(self) -> Array:
        """(frames, n) the postures."""
        return self._recording.q

    @property
    def times(self) -> Array:
        """(frames,) [s], rising."""
        return self._recording.times

    @property
    def interpolation(self) -> str:
        """How the time between frames is filled: "step", "linear" or "cubic"."""
        return self._recording.interpolation

    @property
    def jumps(self) -> tuple[int, ...]:
        """The frames that cannot be reached smoothly from the one before."""
        return self._jumps

    @property
    def duration(self) -> float:
        """The time from the first frame to the last [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def rate(self) -> float:
        """Frames a second, on average; 0 for a single frame."""
        return (len(self) - 1) / self.duration if len(self) > 1 else 0.0

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, frame: int) -> Array:
        """Return the posture of one frame, (n,)."""
        try:
            row = operator.index(frame)
            posture: Array = self.q[row]
        except (TypeError, IndexError):
            raise UnknownRow(f"this clip has the frames 0 to {len(self) - 1}, not {shown(frame)}") from None
        return posture

    def __eq__(self, other: object) -> bool:
        """Tell whether two clips hold the same motion of the same mechanism, whatever it is called."""
        if not isinstance(other, Clip):
            return NotImplemented
        mine, theirs = self._recording, other._recording
        return (
            self._robot.fingerprint == other._robot.fingerprint
            and np.array_equal(mine.q, theirs.q)
            and np.array_equal(mine.times, theirs.times)
            and mine.interpolation == theirs.interpolation
            and self._jumps == other._jumps
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Clip of '{self._robot.name}': {len(self)} frames, {self.duration:.3f} s at {self.rate:.4g} frames/s>"

    def _changed(self, jumps: tuple[int, ...] | None = None, **parts: Any) -> "Clip":
        clip = Clip.__new__(Clip)
        clip._set(self._robot, replace(self._recording, **parts), self._jumps if jumps is None else jumps)
        return clip

    def _seen_at(self, times: Array, **parts: Any) -> "Clip":
        """Return this clip with frames at other times inside it. A jump leads to the first of them at or after its frame."""
        last = len(times) - 1
        found = set()
        for k in self._jumps:
            near = 1e-9 * (self.times[k] - self.times[k - 1])
            at = int(np.searchsorted(times, self.times[k] - near))
            if at <= last or times[-1] > self.times[k - 1] + near:  # or the clip ends on the way
                found.add(min(at, last))
        rows = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self) - 1)
        parts |= {"q": sample(self._recording, times), "times": times, "written": self._written(rows)}
        return self._changed(jumps=tuple(sorted(found - {0})), **parts)

    def _written(self, rows: Any) -> Any:
        """Return what the file had written for these frames."""
        written = self._recording.written
        return written.taken(rows) if hasattr(written, "taken") else written

    # ---- where things are --------------------------------------------------------------------------------------------

    def forward(self, frame: str | None = None) -> Array:
        """Return the pose of a frame at every time, (frames, 4, 4)."""
        return self._robot.forward(self.q, frame)

    def at(self, time: Any) -> Array:
        """Return the posture at a time [s] or several, (...,) -> (..., n), by the clip's interpolation.

        Before the first frame it is the first, after the last the last. Raises NotFinite.
        """
        times = numbers(time, "a time must be a number, or an array of numbers")
        if not np.isfinite(times).all():
            raise NotFinite(f"a time must be finite; got {shown(time)}")
        return sample(self._recording, times)

    # ---- changed copies ----------------------------------------------------------------------------------------------

    def with_interpolation(self, kind: str) -> "Clip":
        """Return this clip with the time between its frames filled otherwise: "step", "linear" or "cubic"."""
        return self._changed(interpolation=kind)

    def resampled(self, rate: float) -> "Clip":
        """Return this clip with evenly spaced frames, `rate` a second, its interpolation read off at their times.

        The last frame is the last that lies inside. What stood between frames is then filled linearly.
        """
        step = 1.0 / checked_rate(rate)
        count = int(np.floor(self.duration / step * (1 + 1e-12) + 1e-9)) + 1
        if count > LARGEST_CLIP:
            raise BadOption(f"rate={shown(rate)}: {count} frames are more than a clip can have, {LARGEST_CLIP}")
        times = self.times[0] + np.arange(count) * step
        kind = "linear" if self.interpolation == "cubic" else self.interpolation
        return self._seen_at(times, interpolation=kind)

    def baked(self, rate: float = DEFAULT_RATE) -> "Clip":
        """Return dense frames that need no interpolation of their own: what players and file formats take."""
        dense = self.resampled(rate)
        return dense if dense.interpolation == "linear" else dense.with_interpolation("linear")

    def trimmed(self, start: float | None = None, end: float | None = None) -> "Clip":
        """Return the part between two times [s], which become its first and last frame.

        A time that is within 1 % of the way to the next frame from a frame means that frame. Raises BadOption.
        """
        low = self.times[0] if start is None else number(start, "the start")
        high = self.times[-1] if end is None else number(end, "the end")
        if not self.times[0] <= low <= high <= self.times[-1]:
            raise BadOption(
                f"a clip from {self.times[0]:g} to {self.times[-1]:g} s has no part from {shown(start)} to {shown(end)}"
            )
        low, high = self._at_frame(low), self._at_frame(high)
        inside = self.times[(self.times > low) & (self.times < high)]
        times = np.concatenate([[low], inside, [high] if high > low else []])
        return self._seen_at(times)

    def _at_frame(self, time: float) -> float:
        """Return the frame's time that a time means, or itself."""
        k = int(np.argmin(np.abs(self.times - time)))
        beside = self.times[min(k + 1, len(self) - 1)] if time > self.times[k] else self.times[max(k - 1, 0)]
        near = abs(self.times[k] - time) <= OFF_BEAT * abs(beside - self.times[k])
        return float(self.times[k] if near else time)

    def stretched(self, factor: float) -> "Clip":
        """Return this clip `factor` times as long in time."""
        by = number(factor, "the factor")
        if not 0 < by < np.inf:
            raise BadOption(f"factor={shown(factor)}: time is stretched by a number above 0")
        return self._changed(times=self.times[0] + (self.times - self.times[0]) * by)

    def reversed(self) -> "Clip":
        """Return this clip backwards."""
        return self._changed(
            jumps=tuple(len(self) - k for k in reversed(self._jumps)),
            q=self.q[::-1],
            times=self.times[0] + (self.times[-1] - self.times[::-1]),
            written=self._written(np.arange(len(self))[::-1]),
        )

    def joined(self, other: "Clip", gap: float | None = None) -> "Clip":
        """Return this clip and another of the same robot after it, `gap` seconds later (this clip's time between frames)."""
        if not isinstance(other, Clip) or other._robot.fingerprint != self._robot.fingerprint:
            raise BadOption(f"only a clip of the same robot can be joined, not {shown(other)}")
        wait = self._recording.frame_time if gap is None else number(gap, "the gap")
        if not 0 < wait < np.inf:
            raise BadOption(f"gap={shown(gap)}: the second clip begins a time above 0 after the first")
        times = np.concatenate([self.times, self.times[-1] + wait + other.times - other.times[0]])
        jumps = (*self._jumps, *(len(self) + k for k in other._jumps))
        return self._changed(jumps=jumps, q=np.concatenate([self.q, other.q]), times=times)

    def mirrored(self, pairs: Mapping[str, str] | None = None, axis: str | None = None) -> "Clip":
        """Return this clip with left and right exchanged.

        pairs: {left joint: right joint}; None reads them from the names. axis: the axis of the world that runs from one side
        to the other, "x", "y" or "z"; None takes the one along which the pairs lie apart in the zero posture. Raises BadModel
        where the two sides are not built alike, BadOption where no sides are known.
        """
        names = [joint.name for joint in self._robot.mechanism.joints]
        partner = counterparts(names) if pairs is None else checked_pairs(pairs, names)
        across = self._across(partner) if axis is None else "xyz".find(axis) if isinstance(axis, str) and axis else -1
        if across < 0 or (axis is not None and len(axis) != 1):
            raise BadOption(f"axis={shown(axis)}: 'x', 'y' or 'z' is meant")
        return self._changed(q=mirrored(self._recording, partner, across))

    def _across(self, partner: dict[str, str]) -> int:
        mechanism, zero = self._robot.mechanism, np.zeros(self._robot.n)
        poses = dict(zip(self._robot.frames, self._robot.forward_all(zero), strict=True))
        child = {joint.name: joint.child for joint in mechanism.joints}
        apart = [
            poses[child[a]][:3, 3] - poses[child[b]][:3, 3] for a, b in partner.items() if a != b and child[a] in poses
        ]
        if not apart:
            raise BadOption(f"the joints of '{self._robot.name}' do not name sides (left, right); give pairs=")
        return int(np.argmax(np.abs(apart).sum(axis=0)))

    def low_passed(self, cutoff: float, order: int = 2) -> "Clip":
        """Return this clip without what swings faster than `cutoff` [Hz] (Butterworth, forwards and backwards)."""
        return self._changed(q=filters.low_pass(self._recording, cutoff, order))

    def blurred(self, seconds: float) -> "Clip":
        """Return this clip averaged over a bell of this standard deviation [s]."""
        return self._changed(q=filters.blur(self._recording, seconds))

    def despiked(self, frames: int = 5) -> "Clip":
        """Return this clip with every number replaced by the median of the frames around it."""
        return self._changed(q=filters.despike(self._recording, frames))

    # ---- what it is like ---------------------------------------------------------------------------------------------

    @property
    def velocities(self) -> Array:
        """(frames, n) the velocity at each frame [rad/s or m/s]; a ball's in its moved frame."""
        return velocities(self._recording)

    @property
    def largest_step(self) -> float:
        """The largest change of a joint from one frame to the next [rad or m]; a ball's is the angle it turns by."""
        return measures.largest_step(self._recording)

    @property
    def joint_travel(self) -> float:
        """How far all joints move in all [rad; slides in m]."""
        return measures.joint_travel(self._recording)

    def jerk(self, frame: str | None = None) -> float:
        """Return the root mean square of the third derivative of a frame's place [m/s^3]; without, of all joints [rad/s^3]."""
        if frame is None:
            return measures.joint_jerk(self._recording)
        return measures.jerk(self.forward(frame)[:, :3, 3], self.times)

    def contacts(
        self, frame: str, *, height: float = 0.05, speed: float = 0.25, least: float = 0.1, ground: float | None = None
    ) -> tuple[Contact, ...]:
        """Return when a frame stands: lower than `height` above the ground [m], slower than `speed` [m/s], for `least` seconds.

        ground: the floor's height [m]; None takes the lowest place that the frame gets to.
        """
        bounds = {name: number(value, name) for name, value in (("height", height), ("speed", speed), ("least", least))}
        if any(not value >= 0 for value in bounds.values()):
            raise BadOption(f"height, speed and least are not below 0; got {height!r}, {speed!r}, {least!r}")
        floor = None if ground is None else number(ground, "the ground")
        if floor is not None and not np.isfinite(floor):
            raise NotFinite(f"ground={shown(ground)}: the floor's height is a finite number of metres, or None")
        points = self.forward(frame)[:, :3, 3]
        return measures.contacts(points, self.times, self._up, ground=floor, **bounds)

    def foot_slide(self, frame: str, contacts: Sequence[Contact] | None = None) -> float:
        """Return the greatest horizontal distance that a frame moves while it stands [m].

        contacts: when it is meant to stand (those of another clip, for instance); None finds them.
        """
        if contacts is None:
            return max((c.slide for c in self.contacts(frame)), default=0.0)
        return measures.slide(self.forward(frame)[:, :3, 3], self._up, contacts)

    @property
    def _up(self) -> int:
        return "xyz".index(self._robot.mechanism.up)

    # ---- looking at it -----------------------------------------------------------------------------------------------

    def plot(self, path: str | PathLike[str], joints: Sequence[str] | None = None) -> None:
        """Write a picture of joint values over time (.png, .svg, .pdf). joints: which; None takes the ones that move most."""
        from limbik.robot.clip_plots import plot_joints

        plot_joints(self, as_path(path, "a picture is written to"), joints)

    def film(self, path: str | PathLike[str], count: int = 8) -> None:
        """Write a picture of `count` postures side by side, evenly spaced in time (.png, .svg, .pdf)."""
        from limbik.robot.clip_plots import plot_film

        plot_film(self, as_path(path, "a picture is written to"), count)

    def converted(self, to: Any, source: Any = None) -> "Clip":
        """Return this clip in another convention, by name ("blender", "unreal" ...; see CONVENTIONS) or a Convention.

        source: its own convention; None: z forward where y is up, x forward where z is. Raises BadOption.
        """
        clip = Clip.of(convert(self._recording, to, source).recording)
        clip._set(clip._robot, clip._recording, self._jumps)
        return clip

    # ---- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Write the clip: .bvh (unit=, up=), .glb or .gltf (skin=, mesh=), .csv (degrees=) or .npz; whole, or not at all.

        Raises FileUnwritable, BadFile, BadOption.
        """
        save_recording(self._recording, path, **options)


def checked_rate(given: Any) -> float:
    """Return frames a second. Raises BadOption."""
    rate = number(given, "the rate")
    if isinstance(given, bool | np.bool_) or not 0 < rate < np.inf:
        raise BadOption(f"rate={shown(given)}: a rate is a number of frames a second above 0")
    return rate


def _checked_jumps(given: Any, frames: int) -> tuple[int, ...]:
    """Return frames that are jumped to, rising. Raises BadOption."""
    try:
        found = [] if isinstance(given, str | bytes) else [operator.index(k) for k in given]
    except TypeError:
        found = [-1]
    if isinstance(given, str | bytes) or not all(0 < k < frames for k in found):
        raise BadOption(f"jumps={shown(given)}: give numbers of frames, from 1 to {frames - 1}, that are jumped to")
    return tuple(sorted(set(found)))

"""A clip: the joint trajectory of a robot or figure, as followed, captured, loaded or saved."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from limbik.errors import BadOption, NotFinite, UnknownRow, shown
from limbik.formats.conversion import convert
from limbik.formats.source import as_path
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.recording import Recording
from limbik.model.robots import is_robot, of_the_same_kind
from limbik.motion import filters, measures
from limbik.motion.jumps import checked_jumps, jumps_at
from limbik.motion.measures import Contact
from limbik.motion.mirror import mirrored
from limbik.motion.rate import DEFAULT_RATE, checked_rate
from limbik.motion.sampling import at_frame, sample, velocities
from limbik.motion.saving import save_recording
from limbik.motion.sides import sides_of

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.skeleton import Skeleton

# The most frames of a clip: two days at 60 Hz; more indicate a wrong rate.
LARGEST_CLIP = 10_000_000


class Clip:
    """Postures (configurations) of a chain or skeleton at increasing times. Immutable; its methods return new clips.

    q: (frames, n), read-only. times: (frames,) [s]. jumps: the frames that start after a discontinuity.
    """

    def __init__(
        self,
        robot: "Chain | Skeleton",
        q: Any,
        times: Any = None,
        *,
        rate: float | None = None,
        interpolation: str = "linear",
        jumps: tuple[int, ...] = (),
    ) -> None:
        """Make a clip from postures and either their times [s] or their rate [1/s] (default: 30).

        Raises ShapeError, NotFinite, NotNumeric, BadOption.
        """
        if not is_robot(robot):
            raise BadOption(f"a clip needs a Chain or Skeleton, not {shown(robot)}; load one with limbik.load")
        if times is not None and rate is not None:
            raise BadOption("give times= or rate=, not both")
        if times is None:
            q = numbers(q, "the postures of a clip must be numbers of shape (frames, n)")
            times = np.arange(len(np.atleast_1d(q))) / checked_rate(DEFAULT_RATE if rate is None else rate)
        tip = None if robot.model.is_tree else robot.model.tip
        recording = Recording(robot.model.mechanism, q, times, robot.base, tip, interpolation)
        self._set(robot, recording, checked_jumps(jumps, len(recording.times)))

    def _set(self, robot: "Chain | Skeleton", recording: Recording, jumps: tuple[int, ...] = ()) -> None:
        self._robot, self._recording, self._jumps = robot, recording, tuple(jumps)

    @classmethod
    def of(cls, robot: "Chain | Skeleton", recording: Recording, jumps: tuple[int, ...] = ()) -> Self:
        """Return the clip of a recording of a robot; `limbik.robot.load_clip.clip_of` also creates the robot."""
        clip = cls.__new__(cls)
        clip._set(robot, recording, jumps)
        return clip

    # ---- properties --------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> "Chain | Skeleton":
        """The chain or skeleton of the clip."""
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
        """(frames,) increasing times [s]."""
        return self._recording.times

    @property
    def interpolation(self) -> str:
        """The interpolation between frames: "step", "linear" or "cubic"."""
        return self._recording.interpolation

    @property
    def jumps(self) -> tuple[int, ...]:
        """The frames that start after a discontinuity."""
        return self._jumps

    @property
    def duration(self) -> float:
        """The time from the first frame to the last [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def rate(self) -> float:
        """The mean frame rate [Hz]; 0 for a single frame."""
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
        """Return whether two clips have the same motion of the same mechanism, regardless of its name."""
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

    def _sampled_at(self, times: Array, **parts: Any) -> "Clip":
        """Return this clip with frames at other times inside it. A jump moves to the first new frame at or after it."""
        jumps = jumps_at(self._jumps, self.times, times)
        rows = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self) - 1)
        parts |= {"q": sample(self._recording, times), "times": times, "written": self._written(rows)}
        return self._changed(jumps=jumps, **parts)

    def _written(self, rows: Any) -> Any:
        """Return the original file values of these frames."""
        written = self._recording.written
        return written.taken(rows) if hasattr(written, "taken") else written

    # ---- evaluation --------------------------------------------------------------------------------------------------

    def forward(self, frame: str | None = None) -> Array:
        """Return the pose of a frame at every time, (frames, 4, 4)."""
        return self._robot.forward(self.q, frame)

    def at(self, time: Any) -> Array:
        """Return the posture at a time [s] or several, (...,) -> (..., n), by the clip's interpolation.

        Outside the clip, the first or last posture. Raises NotFinite.
        """
        times = numbers(time, "a time must be a number, or an array of numbers")
        if not np.isfinite(times).all():
            raise NotFinite(f"a time must be finite; got {shown(time)}")
        return sample(self._recording, times)

    # ---- changed copies ----------------------------------------------------------------------------------------------

    def with_interpolation(self, kind: str) -> "Clip":
        """Return this clip with another interpolation: "step", "linear" or "cubic"."""
        return self._changed(interpolation=kind)

    def resampled(self, rate: float) -> "Clip":
        """Return this clip sampled at evenly spaced frames, `rate` per second, with linear interpolation.

        The last frame is the last one inside the clip.
        """
        step = 1.0 / checked_rate(rate)
        count = int(np.floor(self.duration / step * (1 + 1e-12) + 1e-9)) + 1
        if count > LARGEST_CLIP:
            raise BadOption(f"rate={shown(rate)}: {count} frames exceed the maximum of a clip, {LARGEST_CLIP}")
        times = self.times[0] + np.arange(count) * step
        kind = "linear" if self.interpolation == "cubic" else self.interpolation
        return self._sampled_at(times, interpolation=kind)

    def baked(self, rate: float = DEFAULT_RATE) -> "Clip":
        """Return this clip with dense frames for linear interpolation, for players and file formats."""
        dense = self.resampled(rate)
        return dense if dense.interpolation == "linear" else dense.with_interpolation("linear")

    def trimmed(self, start: float | None = None, end: float | None = None) -> "Clip":
        """Return the part between two times [s], which become its first and last frame.

        A time within 1 % of the frame spacing from a frame is moved to that frame. Raises BadOption.
        """
        low = self.times[0] if start is None else number(start, "the start")
        high = self.times[-1] if end is None else number(end, "the end")
        if not self.times[0] <= low <= high <= self.times[-1]:
            raise BadOption(
                f"a clip from {self.times[0]:g} to {self.times[-1]:g} s has no interval from {shown(start)} to {shown(end)}"
            )
        low, high = at_frame(self.times, low), at_frame(self.times, high)
        inside = self.times[(self.times > low) & (self.times < high)]
        times = np.concatenate([[low], inside, [high] if high > low else []])
        return self._sampled_at(times)

    def stretched(self, factor: float) -> "Clip":
        """Return this clip with its duration multiplied by `factor`."""
        by = number(factor, "the factor")
        if not 0 < by < np.inf:
            raise BadOption(f"factor={shown(factor)}: give a number above 0")
        return self._changed(times=self.times[0] + (self.times - self.times[0]) * by)

    def reversed(self) -> "Clip":
        """Return this clip in reverse."""
        return self._changed(
            jumps=tuple(len(self) - k for k in reversed(self._jumps)),
            q=self.q[::-1],
            times=self.times[0] + (self.times[-1] - self.times[::-1]),
            written=self._written(np.arange(len(self))[::-1]),
        )

    def joined(self, other: "Clip", gap: float | None = None) -> "Clip":
        """Return this clip followed by another of the same robot after `gap` seconds (default: the frame time)."""
        if not isinstance(other, Clip) or other._robot.fingerprint != self._robot.fingerprint:
            raise BadOption(f"joined() takes a clip of the same robot, not {shown(other)}")
        wait = self._recording.frame_time if gap is None else number(gap, "the gap")
        if not 0 < wait < np.inf:
            raise BadOption(f"gap={shown(gap)}: give a time above 0 s between the clips")
        times = np.concatenate([self.times, self.times[-1] + wait + other.times - other.times[0]])
        jumps = (*self._jumps, *(len(self) + k for k in other._jumps))
        return self._changed(jumps=jumps, q=np.concatenate([self.q, other.q]), times=times)

    def mirrored(self, pairs: Mapping[str, str] | None = None, axis: str | None = None) -> "Clip":
        """Return this clip with left and right exchanged.

        pairs: {left joint: right joint}; None reads them from the names. axis: the world axis from one side
        to the other, "x", "y" or "z"; None takes the one along which the pairs differ in the zero posture. Raises BadModel
        if the two sides are not mirror images, BadOption if no sides are known.
        """
        partner, across = sides_of(self._robot.model, pairs, axis)
        return self._changed(q=mirrored(self._recording, partner, across))

    def low_passed(self, cutoff: float, order: int = 2) -> "Clip":
        """Return this clip low-pass filtered at `cutoff` [Hz] (Butterworth, forwards and backwards, zero phase)."""
        return self._changed(q=filters.low_pass(self._recording, cutoff, order))

    def blurred(self, seconds: float) -> "Clip":
        """Return this clip smoothed by a Gaussian of this standard deviation [s]."""
        return self._changed(q=filters.blur(self._recording, seconds))

    def despiked(self, frames: int = 5) -> "Clip":
        """Return this clip median filtered over `frames` frames."""
        return self._changed(q=filters.despike(self._recording, frames))

    # ---- measures ----------------------------------------------------------------------------------------------------

    @property
    def velocities(self) -> Array:
        """(frames, n) the velocity at each frame [rad/s or m/s]; a ball's in its moving frame."""
        return velocities(self._recording)

    @property
    def largest_step(self) -> float:
        """The largest change of a joint from one frame to the next [rad or m]; for a ball, the rotation angle."""
        return measures.largest_step(self._recording)

    @property
    def joint_travel(self) -> float:
        """The total distance travelled by all joints [rad; m for prismatic joints]."""
        return measures.joint_travel(self._recording)

    def jerk(self, frame: str | None = None) -> float:
        """Return the RMS of the third derivative of a frame's position [m/s^3]; without a frame, of all joints [rad/s^3]."""
        if frame is None:
            return measures.joint_jerk(self._recording)
        return measures.jerk(self.forward(frame)[:, :3, 3], self.times)

    def contacts(
        self, frame: str, *, height: float = 0.05, speed: float = 0.25, least: float = 0.1, ground: float | None = None
    ) -> tuple[Contact, ...]:
        """Return the contacts of a frame: below `height` above the ground [m] and slower than `speed` [m/s] for `least` seconds.

        ground: the floor's height [m]; None takes the lowest position of the frame.
        """
        bounds = {name: number(value, name) for name, value in (("height", height), ("speed", speed), ("least", least))}
        if any(not value >= 0 for value in bounds.values()):
            raise BadOption(f"height, speed and least must not be below 0; got {height!r}, {speed!r}, {least!r}")
        floor = None if ground is None else number(ground, "the ground")
        if floor is not None and not np.isfinite(floor):
            raise NotFinite(f"ground={shown(ground)}: give the floor's height as a finite number of metres, or None")
        points = self.forward(frame)[:, :3, 3]
        return measures.contacts(points, self.times, self._up, ground=floor, **bounds)

    def foot_slide(self, frame: str, contacts: Sequence[Contact] | None = None) -> float:
        """Return the largest horizontal slide of a frame during its contacts [m].

        contacts: the contacts (for instance, of another clip); None finds them.
        """
        if contacts is None:
            return max((c.slide for c in self.contacts(frame)), default=0.0)
        return measures.slide(self.forward(frame)[:, :3, 3], self._up, contacts)

    @property
    def _up(self) -> int:
        return "xyz".index(self._robot.model.mechanism.up)

    # ---- plots -------------------------------------------------------------------------------------------------------

    def plot(self, path: str | PathLike[str], joints: Sequence[str] | None = None) -> None:
        """Plot joint values over time (.png, .svg, .pdf). joints: names; None takes those with the largest motion."""
        from limbik.plots.clip import plot_joints

        plot_joints(self, as_path(path, "a picture is written to"), joints)

    def film(self, path: str | PathLike[str], count: int = 8) -> None:
        """Plot `count` postures side by side, evenly spaced in time (.png, .svg, .pdf)."""
        from limbik.plots.clip import plot_film

        plot_film(self, as_path(path, "a picture is written to"), count)

    def converted(self, to: Any, source: Any = None) -> "Clip":
        """Return this clip in another convention, by name ("blender", "unreal" ...; see CONVENTIONS) or a Convention.

        source: its own convention; None means z forward if y is up, x forward if z is up. Raises BadOption.
        """
        recording = convert(self._recording, to, source).recording
        return Clip.of(of_the_same_kind(self._robot, recording.mechanism), recording, self._jumps)

    # ---- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Write the clip: .bvh (unit=, up=), .glb or .gltf (skin=, mesh=), .csv (degrees=) or .npz; atomically.

        Raises FileUnwritable, BadFile, BadOption.
        """
        save_recording(self._recording, path, **options)

"""A clip: a robot or figure and its postures over time. What `follow` returns, what mocap files hold, what is saved."""

import operator
from dataclasses import replace
from os import PathLike
from typing import Any, Self

import numpy as np

from limbik.errors import BadOption, UnknownRow, shown
from limbik.model.recording import Recording
from limbik.model.transform import Array, number
from limbik.robot.chain import Chain
from limbik.robot.saving import save_recording
from limbik.robot.skeleton import Skeleton

# Postures a second where nothing else is said.
DEFAULT_RATE = 30.0


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
            times = np.arange(len(np.atleast_1d(q))) / checked_rate(DEFAULT_RATE if rate is None else rate)
        tip = robot.tip if isinstance(robot, Chain) else None
        recording = Recording(robot.mechanism, q, times, robot.base, tip, interpolation)
        self._set(robot, recording, jumps)

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
            return self.q[operator.index(frame)]
        except (TypeError, IndexError):
            raise UnknownRow(f"this clip has the frames 0 to {len(self) - 1}, not {shown(frame)}") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clip):
            return NotImplemented
        mine, theirs = self._recording, other._recording
        return (
            self._robot == other._robot
            and np.array_equal(mine.q, theirs.q)
            and np.array_equal(mine.times, theirs.times)
            and mine.interpolation == theirs.interpolation
            and self._jumps == other._jumps
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Clip of '{self._robot.name}': {len(self)} frames, {self.duration:.3f} s at {self.rate:.4g} frames/s>"

    def _changed(self, **parts: Any) -> "Clip":
        clip = Clip.__new__(Clip)
        clip._set(self._robot, replace(self._recording, written=None, **parts))
        return clip

    # ---- where things are --------------------------------------------------------------------------------------------

    def forward(self, frame: str | None = None) -> Array:
        """Return the pose of a frame at every time, (frames, 4, 4)."""
        return self._robot.forward(self.q, frame)

    # ---- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Write the clip: .bvh (unit=), .glb or .gltf (skin=, mesh=), .csv (degrees=) or .npz; whole, or not at all.

        Raises FileUnwritable, BadFile, BadOption.
        """
        save_recording(self._recording, path, **options)


def checked_rate(given: Any) -> float:
    """Return frames a second. Raises BadOption."""
    rate = number(given, "the rate")
    if not 0 < rate < np.inf:
        raise BadOption(f"rate={shown(given)}: a rate is a number of frames a second above 0")
    return rate

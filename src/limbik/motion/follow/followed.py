"""The result of path following: a clip, verified frame by frame, and the frame and reason of an early end."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.motion.motion_result import MotionResult


class Outcome(NamedTuple):
    """The outcome of path following.

    failed: the first frame that could not be followed, or None. wanted: the number of frames of the whole path.
    """

    status: Status
    why: str
    failed: int | None
    wanted: int


@dataclass(frozen=True, eq=False, repr=False)
class Followed(MotionResult):
    """The frames of a path that were followed, each verified by forward kinematics and against the limits.

    If the whole path could not be followed, `ok` is False, the clip contains the frames before `failed`, and `why` gives the
    reason. If not even the first pose could be reached, its one frame is the closest configuration.

    places: (frames,) the path's own time at each frame [s]; `times` is later where limits on speed or acceleration require it.
    position_error [m], rotation_error [rad]: (frames,) the errors of the tip against the path. branches: (frames,) the branch of
    each configuration, see `branch_names`; -1 if unknown.
    """

    outcome: Outcome
    places: Array
    position_error: Array
    rotation_error: Array
    branches: npt.NDArray[np.int64]

    @property
    def ok(self) -> bool:
        """Whether the whole path was followed."""
        return self.outcome.status == Status.SOLVED

    @property
    def status(self) -> Status:
        """SOLVED, or the status of the first failed frame: OUT_OF_REACH, LIMITS, BLOCKED, NOT_FOUND."""
        return self.outcome.status

    @property
    def why(self) -> str:
        """One sentence: the outcome, or the frame that could not be reached and the reason; with the jumps."""
        return self.outcome.why

    @property
    def failed(self) -> int | None:
        """The first frame that could not be followed, or None."""
        return self.outcome.failed

    @property
    def wanted(self) -> int:
        """The number of frames of the whole path."""
        return self.outcome.wanted

    def __repr__(self) -> str:
        frames = f"{len(self)} of {self.wanted} frames, {self.duration:.3f} s"
        return f"<Followed '{self.robot.name}': {frames}, {self.status.name}: {self.why}>"

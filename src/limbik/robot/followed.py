"""What following a path gives: a clip, verified frame by frame, and where and why it ended early."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.truth import Judged
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.skeleton import Skeleton


class Outcome(NamedTuple):
    """How following went. failed: the first frame that could not be followed, None where all could."""

    status: Status
    why: str
    failed: int | None
    wanted: int


class FollowedClip(Judged, Clip):
    """The frames of a path that were followed, each verified by forward kinematics and against the limits.

    Where the whole path could not be followed, `ok` is False, the clip holds the frames before `failed`, and `why` says what
    stood in the way. Where not even the first pose could be reached, its one frame is the nearest posture.
    """

    _outcome: Outcome
    _errors: tuple[Array, Array]
    _branches: npt.NDArray[np.int64]
    _places: Array

    @classmethod
    def made(
        cls,
        robot: Chain | Skeleton,
        q: Array,
        times: Array,
        places: Array,
        errors: tuple[Array, Array],
        branches: Any,
        jumps: tuple[int, ...],
        outcome: Outcome,
    ) -> "FollowedClip":
        """Return the clip of postures that were verified."""
        clip = cls(robot, q, times, jumps=jumps)
        clip._outcome, clip._places = outcome, places
        clip._errors = errors
        clip._branches = np.asarray(branches, np.int64)
        for part in (places, *errors, clip._branches):
            part.setflags(write=False)
        return clip

    @property
    def ok(self) -> bool:
        """True when the whole path was followed."""
        return self._outcome.status == Status.SOLVED

    @property
    def status(self) -> Status:
        """SOLVED, or why the first frame that failed did: OUT_OF_REACH, LIMITS, BLOCKED, NOT_FOUND."""
        return self._outcome.status

    @property
    def why(self) -> str:
        """One sentence: how it was followed, or which frame could not be reached and why; jumps are told."""
        return self._outcome.why

    @property
    def failed(self) -> int | None:
        """The first frame that could not be followed, None where all could."""
        return self._outcome.failed

    @property
    def wanted(self) -> int:
        """How many frames the whole path has."""
        return self._outcome.wanted

    @property
    def places(self) -> Array:
        """(frames,) where on the path each frame is: the path's own time [s], which `times` lags behind where joints are too
        slow."""
        return self._places

    @property
    def position_error(self) -> Array:
        """(frames,) how far the tip is from the path [m]."""
        return self._errors[0]

    @property
    def rotation_error(self) -> Array:
        """(frames,) how far the tip is turned from the path [rad]."""
        return self._errors[1]

    @property
    def branches(self) -> npt.NDArray[np.int64]:
        """(frames,) the branch of each posture, see `branch_names`; -1 where it is not known."""
        return self._branches

    def __repr__(self) -> str:
        frames = f"{len(self)} of {self.wanted} frames, {self.duration:.3f} s"
        return f"<FollowedClip of '{self.robot.name}': {frames}, {self.status.name}: {self.why}>"

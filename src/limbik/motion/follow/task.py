"""The query of path following: an arm, a path, a seed and limits."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from limbik.geometry.arrays import Array
from limbik.motion.path import Path
from limbik.motion.rate import frame_times
from limbik.solvers.preference import Valid

if TYPE_CHECKING:
    from limbik.robot.chain import Chain


@dataclass(frozen=True, eq=False)
class FollowTask:
    """An arm and the path that it should follow.

    rate: the least number of frames per second. seed: (n,) the start, None for any. limits: whether to enforce joint limits.
    valid: a predicate of q. speed: (n,) the speed limit of each joint [rad/s or m/s]; inf for none.
    """

    arm: "Chain"
    path: Path
    rate: float
    seed: Array | None
    limits: bool
    valid: Valid | None
    speed: Array

    @cached_property
    def frames(self) -> Array:
        """(frames,) the path times of the frames [s]."""
        return frame_times(self.path.duration, self.rate)

    @property
    def start(self) -> Array:
        """(n,) the seed, or the arm's home without one."""
        return self.arm.home if self.seed is None else self.seed

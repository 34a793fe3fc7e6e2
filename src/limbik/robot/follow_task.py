"""What is asked of following: an arm, a path, and the bounds that hold along it."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from limbik.geometry.arrays import Array
from limbik.motion.path import Path
from limbik.solvers.preference import Valid

if TYPE_CHECKING:
    from limbik.robot.chain import Chain


@dataclass(frozen=True, eq=False)
class FollowTask:
    """An arm that is to follow a path.

    rate: frames a second. seed: (n,) where to begin, None for anywhere. limits: whether joint limits are kept.
    valid: the caller's function of q. speed: (n,) the greatest speed of each joint [rad/s or m/s]; inf for no bound.
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
        """(frames,) the times of the path [s] at which there is a frame."""
        duration = self.path.duration
        return np.linspace(0.0, duration, max(math.ceil(duration * self.rate - 1e-6), 1) + 1)

    @property
    def start(self) -> Array:
        """(n,) the seed, the arm's home where there is none."""
        return self.arm.home if self.seed is None else self.seed

"""The report on the present posture: status, distance, a sentence, and the joints at a limit."""

from dataclasses import dataclass

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton

# A joint within this distance of a limit is at the limit [rad or m].
AT_LIMIT = 1e-6


@dataclass(frozen=True)
class Report:
    """The outcome of the last action.

    status: None without a target (a slider moved a joint). position_error [m], rotation_error [rad]: of the dragged frame.
    at_limit: the joint values at a limit. why: one sentence.
    """

    ok: bool
    status: Status | None
    why: str
    position_error: float = 0.0
    rotation_error: float = 0.0
    at_limit: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """A few words for the top of the page: what colour and distance say, in text."""
        if self.status is None:
            return "posture set manually"
        if self.ok:
            return "reached"
        name = self.status.name.lower().replace("_", " ")
        return f"{name}: {1000 * self.position_error:.1f} mm, {np.degrees(self.rotation_error):.1f} degrees away"


def at_limits(robot: Chain | Skeleton, q: Array) -> tuple[str, ...]:
    """Return the names of joint values at one of their limits, or beyond."""
    touching = (q <= robot.lower + AT_LIMIT) | (q >= robot.upper - AT_LIMIT)
    touching &= robot.lower < robot.upper
    return tuple(name for name, there in zip(robot.joint_names, touching, strict=True) if there)

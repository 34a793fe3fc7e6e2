"""Goniometry: clinical joint angles by their anatomical names, compared with the normal range.

The joints of the catalogue's human have anatomical signs: positive is flexion, lateral rotation, abduction, supination,
ulnar deviation, dorsiflexion, toes out, inversion; at waist and neck forward, to the left, to the right side. The normal
range of a motion is the range of its joint, which the catalogue takes from Chin's Table 5.2 (arm) and the American Academy of
Orthopaedic Surgeons. An exercise is a number of repetitions: an angle is to be reached and left again.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import number
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.session import Session

# The joints by the end of their names: the part of the body, and the names of positive and negative rotations.
_MOTIONS = {
    "UpperArm_x": ("shoulder", "flexion", "extension"),
    "UpperArm_y": ("shoulder", "lateral rotation", "medial rotation"),
    "UpperArm_z": ("shoulder", "abduction", "adduction"),
    "LowerArm_x": ("elbow", "flexion", "extension"),
    "LowerArm_y": ("forearm", "supination", "pronation"),
    "Hand_x": ("wrist", "flexion", "extension"),
    "Hand_y": ("wrist", "turn out", "turn in"),
    "Hand_z": ("wrist", "ulnar deviation", "radial deviation"),
    "UpperLeg_x": ("hip", "flexion", "extension"),
    "UpperLeg_y": ("hip", "lateral rotation", "medial rotation"),
    "UpperLeg_z": ("hip", "abduction", "adduction"),
    "LowerLeg_x": ("knee", "flexion", "extension"),
    "Foot_x": ("ankle", "dorsiflexion", "plantar flexion"),
    "Foot_y": ("foot", "toes out", "toes in"),
    "Foot_z": ("foot", "inversion", "eversion"),
    "spine_x": ("waist", "flexion", "extension"),
    "spine_y": ("waist", "turn to the left", "turn to the right"),
    "spine_z": ("waist", "lean to the right", "lean to the left"),
    "head_x": ("neck", "flexion", "extension"),
    "head_y": ("neck", "turn to the left", "turn to the right"),
    "head_z": ("neck", "lean to the right", "lean to the left"),
}
# The largest distance at which an angle is at the end of its range [degrees]; the precision of a goniometer is about 5.
READING_DEG = 5.0


@dataclass(frozen=True)
class Motion:
    """A clinical motion: one direction of one joint, such as "left elbow flexion". normal_deg: its largest normal angle."""

    name: str
    joint: str
    sign: int
    normal_deg: float

    def angle_deg(self, session: Session) -> float:
        """Return the present angle of the motion [degrees]; negative on the other side of zero."""
        place = session.robot.joint_names.index(self.joint)
        return self.sign * math.degrees(session.state.q[place]) + 0.0


@dataclass(frozen=True)
class Reading:
    """A measured angle beside its normal range [degrees]."""

    motion: Motion
    angle_deg: float

    @property
    def share(self) -> float:
        """The angle as a fraction of the normal range; above 1 it is exceeded."""
        return self.angle_deg / self.motion.normal_deg

    @property
    def text(self) -> str:
        """The reading as text."""
        end = self.motion.normal_deg
        state = (
            "at the end of the normal range" if abs(self.angle_deg - end) <= READING_DEG else "within the normal range"
        )
        if self.angle_deg > end + READING_DEG:
            state = "beyond the normal range"
        return f"{self.motion.name}: {self.angle_deg:.0f} of {end:.0f} degrees, {state}"


def motions(robot: Chain | Skeleton) -> dict[str, Motion]:
    """Return the measurable motions of a figure, by name; empty for a robot without anatomical joint names."""
    found: dict[str, Motion] = {}
    for name, low, high in zip(robot.joint_names, robot.lower, robot.upper, strict=True):
        side = next((s for s in ("left", "right") if name.startswith(s)), "")
        row = _MOTIONS.get(name[len(side) :])
        if row is None or not (np.isfinite(low) and np.isfinite(high)):
            continue
        part, positive, negative = row
        for word, sign, end in ((positive, 1, high), (negative, -1, -low)):
            if math.degrees(end) >= 1.0:
                motion = f"{side} {part} {word}".strip()
                found[motion] = Motion(motion, name, sign, math.degrees(end))
    return found


def measure(session: Session, name: str) -> Reading:
    """Return the reading of one motion at the present posture. Raises BadOption."""
    known = motions(session.robot)
    if name not in known:
        hint = suggest(str(name), known) if known else "its joints have no anatomical names"
        raise BadOption(f"no motion {shown(name)} in '{session.robot.name}'; {hint}")
    return Reading(known[name], known[name].angle_deg(session))


@dataclass(frozen=True)
class Exercise:
    """An angle to be reached and left again, several times. Immutable: `seen` returns the exercise after another reading.

    goal_deg: the angle to reach. rest_deg: the angle to return to. best_deg: the largest angle so far.
    """

    motion: Motion
    goal_deg: float
    rest_deg: float
    repetitions: int = 10
    done: int = 0
    going_out: bool = True
    best_deg: float = -math.inf

    @classmethod
    def of(cls, motion: Motion, goal_deg: Any, rest_deg: Any = 0.0, repetitions: Any = 10) -> Self:
        """Return an exercise. Raises BadOption if the goal is not above the rest angle or outside the normal range."""
        goal, rest, count = (
            number(goal_deg, "the goal"),
            number(rest_deg, "the rest"),
            number(repetitions, "repetitions"),
        )
        if not rest < goal <= motion.normal_deg + READING_DEG:
            raise BadOption(
                f"an exercise needs a goal above the rest angle and within {motion.normal_deg:.0f} degrees; "
                f"got {shown(rest_deg)} to {shown(goal_deg)}"
            )
        if count != round(count) or not 1 <= count <= 1000:
            raise BadOption(f"repetitions={shown(repetitions)}: give a whole number from 1 to 1000")
        return cls(motion, goal, rest, int(count))

    def seen(self, angle_deg: float) -> Self:
        """Return the exercise after a reading."""
        best = max(self.best_deg, angle_deg)
        if self.finished:
            return replace(self, best_deg=best)
        if self.going_out and angle_deg >= self.goal_deg:
            return replace(self, going_out=False, best_deg=best)
        if not self.going_out and angle_deg <= self.rest_deg:
            return replace(self, going_out=True, done=self.done + 1, best_deg=best)
        return replace(self, best_deg=best)

    @property
    def finished(self) -> bool:
        """Whether all repetitions are done."""
        return self.done >= self.repetitions

    @property
    def text(self) -> str:
        """The next instruction as text."""
        if self.finished:
            return f"done: {self.repetitions} times {self.motion.name}, best {self.best_deg:.0f} degrees"
        instruction = f"go to {self.goal_deg:.0f}" if self.going_out else f"return to {self.rest_deg:.0f}"
        return f"{self.motion.name}: {instruction} degrees; {self.done} of {self.repetitions} done"

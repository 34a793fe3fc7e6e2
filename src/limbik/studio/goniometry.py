"""Goniometry: clinical joint angles by their anatomical names, beside normal ranges that have a source.

Shoulder, hip, wrist, ankle, waist and neck are read from the orientations of their segments, by the ISB's definitions (isb.py):
the order of the joints in a model does not matter. A shoulder has an elevation, a plane of elevation and an axial rotation. Where
the plane is undefined, the summed rotation is given. Elbow, forearm and knee are the angles of their joints.

A range is called normal if it has a source: Norkin and White (1988), as Chin's Table 5.2 prints it, for the arm; the American
Academy of Orthopaedic Surgeons (1965) for the rest. A motion without a source has no normal range. An elevation has that of
flexion, abduction or extension, if its plane is near that of one of them. Axial rotation has one at an abduction near 90
degrees, where it is measured. An exercise is a number of repetitions: an angle is to be reached and left again.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import number
from limbik.robot.chain import Chain
from limbik.robot.skeleton import Skeleton
from limbik.studio.isb import JointAngles, ShoulderAngles, joint_angles, relative, shoulder_angles
from limbik.studio.session import Session

NORKIN = "Norkin and White (1988), as in Chin's Table 5.2"
AAOS = "American Academy of Orthopaedic Surgeons (1965)"
# The joints with one axis by the end of their names: the part of the body, and the names of positive and negative rotations.
_JOINTS = {
    "LowerArm_x": ("elbow", "flexion", "extension"),
    "LowerArm_y": ("forearm", "supination", "pronation"),
    "LowerLeg_x": ("knee", "flexion", "extension"),
}
# The parts that are read from orientations: both segments, the sign of flexion, the names of positive and negative rotations
# about the axes outwards, forward and up; None for what is not measured.
_Words = tuple[str, str] | None
_SEGMENTS: dict[str, tuple[str, str, _Words, _Words, _Words]] = {
    "hip": ("hips", "UpperLeg", ("flexion", "extension"), ("adduction", "abduction"), ("medial rotation", "lateral rotation")),
    "wrist": ("LowerArm", "Hand", ("flexion", "extension"), ("ulnar deviation", "radial deviation"), None),
    "ankle": ("LowerLeg", "Foot", ("dorsiflexion", "plantar flexion"), ("inversion", "eversion"), None),
    "waist": ("hips", "spine", ("extension", "flexion"), ("lean to the right", "lean to the left"),
              ("turn to the left", "turn to the right")),
    "neck": ("spine", "head", ("extension", "flexion"), ("lean to the right", "lean to the left"),
             ("turn to the left", "turn to the right")),
}  # fmt: skip
_MIDDLE = ("waist", "neck")
_THORAX, _HUMERUS = "spine", "UpperArm"
# The normal ranges [degrees].
_NORKIN_DEG = {
    "shoulder flexion": 180, "shoulder extension": 60, "shoulder abduction": 180,
    "shoulder medial rotation": 70, "shoulder lateral rotation": 90,
    "elbow flexion": 150, "forearm supination": 80, "forearm pronation": 80,
    "wrist flexion": 80, "wrist extension": 70, "wrist ulnar deviation": 30, "wrist radial deviation": 20,
}  # fmt: skip
_AAOS_DEG = {
    "hip flexion": 120, "hip extension": 30, "hip abduction": 45, "hip adduction": 30,
    "hip medial rotation": 45, "hip lateral rotation": 45, "knee flexion": 135,
    "ankle dorsiflexion": 20, "ankle plantar flexion": 50, "ankle inversion": 35, "ankle eversion": 15,
    "waist flexion": 80, "waist extension": 25, "waist lean to the right": 35, "waist lean to the left": 35,
    "waist turn to the left": 45, "waist turn to the right": 45,
    "neck flexion": 45, "neck extension": 45, "neck lean to the right": 45, "neck lean to the left": 45,
    "neck turn to the left": 60, "neck turn to the right": 60,
}  # fmt: skip
# The planes of elevation that have a name, and the largest distance from them, and of a measured elevation from 90 [degrees].
_PLANES = {"abduction": 0.0, "flexion": 90.0, "extension": -90.0}
NEAR_PLANE_DEG = 30.0
# The largest distance at which an angle is at the end of its range [degrees]; the precision of a goniometer is about 5.
READING_DEG = 5.0


@dataclass(frozen=True)
class Range:
    """A normal range: its largest angle [degrees], the name of the motion that it belongs to, and its source."""

    end_deg: float
    of: str
    source: str


def normal_range(of: str) -> Range | None:
    """Return the normal range of a motion such as "elbow flexion", None without a source."""
    for source, ranges in ((NORKIN, _NORKIN_DEG), (AAOS, _AAOS_DEG)):
        if of in ranges:
            return Range(float(ranges[of]), of, source)
    return None


@dataclass(frozen=True)
class Motion:
    """A clinical motion such as "left elbow flexion": one direction of an angle.

    joint: the joint whose value it is, empty if it is read from orientations. proximal, distal: the segments then. range: the
    normal range, None if it has no source or depends on the posture. take: the angle [degrees] from the orientation.
    """

    name: str
    joint: str
    sign: int
    range: Range | None = None
    proximal: str = ""
    distal: str = ""
    take: Callable[[Any], float] | None = None

    @property
    def normal_deg(self) -> float:
        """The largest normal angle [degrees]; infinite without a range."""
        return math.inf if self.range is None else self.range.end_deg

    @property
    def left(self) -> bool:
        """Whether the motion is one of the left side."""
        return self.name.startswith("left ")

    def angle_deg(self, session: Session) -> float:
        """Return the present angle of the motion [degrees]; negative on the other side of zero, NaN where it is undefined."""
        if self.take is None:
            place = session.robot.joint_names.index(self.joint)
            return self.sign * math.degrees(session.state.q[place]) + 0.0
        return self.sign * self.take(self.angles(session)) + 0.0

    def angles(self, session: Session) -> JointAngles | ShoulderAngles:
        """Return all angles of the part of the body that the motion belongs to, from the orientations of its segments."""
        R = relative(session.robot, session.q, self.proximal, self.distal, left=self.left)
        return shoulder_angles(R) if self.distal.endswith(_HUMERUS) else joint_angles(R)


@dataclass(frozen=True)
class Reading:
    """A measured angle [degrees], NaN where undefined, beside its normal range, None without one. note: what else was read."""

    motion: Motion
    angle_deg: float
    range: Range | None = None
    note: str = ""

    @property
    def share(self) -> float:
        """The angle as a fraction of the normal range; above 1 it is exceeded. 0 without a range."""
        return 0.0 if self.range is None or math.isnan(self.angle_deg) else self.angle_deg / self.range.end_deg

    @property
    def text(self) -> str:
        """The reading as text."""
        note = f"; {self.note}" if self.note else ""
        if math.isnan(self.angle_deg):
            return f"{self.motion.name}: undefined{note}"
        if self.range is None:
            return f"{self.motion.name}: {self.angle_deg:.0f} degrees, no normal range{note}"
        end = self.range.end_deg
        state = (
            "at the end of the normal range" if abs(self.angle_deg - end) <= READING_DEG else "within the normal range"
        )
        if self.angle_deg > end + READING_DEG:
            state = "beyond the normal range"
        of = "" if self.motion.name.endswith(self.range.of) else f" of {self.range.of}"
        return f"{self.motion.name}: {self.angle_deg:.0f} of {end:.0f} degrees, {state}{of} ({self.range.source}){note}"


def motions(robot: Chain | Skeleton) -> dict[str, Motion]:
    """Return the measurable motions of a figure, by name; empty for a robot without anatomical names."""
    found: dict[str, Motion] = {}
    for side in ("left", "right", ""):
        for part, row in _SEGMENTS.items():
            if (part in _MIDDLE) != (side == ""):
                continue
            proximal = row[0] if row[0] in (_THORAX, "hips") else f"{side}{row[0]}"
            distal = row[1] if side == "" else f"{side}{row[1]}"
            if proximal not in robot.frames or distal not in robot.frames:
                continue
            for words, take in zip(row[2:], (_flexion, _tilt, _rotation), strict=True):
                for word, sign in zip(words or (), (1, -1), strict=False):
                    name = f"{side} {part} {word}".strip()
                    found[name] = Motion(name, "", sign, normal_range(f"{part} {word}"), proximal, distal, take)
        if side and {_THORAX, f"{side}{_HUMERUS}"} <= set(robot.frames):
            for word, sign, of_shoulder in _SHOULDER:
                name = f"{side} shoulder {word}"
                found[name] = Motion(name, "", sign, None, _THORAX, f"{side}{_HUMERUS}", of_shoulder)
    return found | _of_joints(robot)


def _of_joints(robot: Chain | Skeleton) -> dict[str, Motion]:
    found: dict[str, Motion] = {}
    for name, low, high in zip(robot.joint_names, robot.lower, robot.upper, strict=True):
        side = next((s for s in ("left", "right") if name.startswith(s)), "")
        row = _JOINTS.get(name[len(side) :])
        if row is None or not (math.isfinite(low) and math.isfinite(high)):
            continue
        part, positive, negative = row
        for word, sign, end in ((positive, 1, high), (negative, -1, -low)):
            if math.degrees(end) >= 1.0:
                motion = f"{side} {part} {word}".strip()
                found[motion] = Motion(motion, name, sign, normal_range(f"{part} {word}"))
    return found


def _flexion(angles: JointAngles) -> float:
    return angles.flexion


def _tilt(angles: JointAngles) -> float:
    return angles.tilt


def _rotation(angles: JointAngles) -> float:
    return angles.rotation


def _elevation(angles: ShoulderAngles) -> float:
    return angles.elevation


def _plane(angles: ShoulderAngles) -> float:
    return angles.plane


def _axial(angles: ShoulderAngles) -> float:
    return angles.axial


_SHOULDER: tuple[tuple[str, int, Callable[[ShoulderAngles], float]], ...] = (
    ("elevation", 1, _elevation),
    ("plane of elevation", 1, _plane),
    ("axial rotation inwards", 1, _axial),
    ("axial rotation outwards", -1, _axial),
)


def measure(session: Session, name: str) -> Reading:
    """Return the reading of one motion at the present posture. Raises BadOption."""
    known = motions(session.robot)
    if name not in known:
        hint = suggest(str(name), known) if known else "its joints have no anatomical names"
        raise BadOption(f"no motion {shown(name)} in '{session.robot.name}'; {hint}")
    motion = known[name]
    angle = motion.angle_deg(session)
    angles = None if motion.take is None else motion.angles(session)
    if isinstance(angles, ShoulderAngles):
        return Reading(motion, angle, shoulder_range(motion, angles), shoulder_note(angles))
    return Reading(motion, angle, motion.range)


def shoulder_range(motion: Motion, angles: ShoulderAngles) -> Range | None:
    """Return the normal range that a reading of a shoulder may be compared with, None if there is none in this posture."""
    near = [word for word, plane in _PLANES.items() if abs(angles.plane - plane) <= NEAR_PLANE_DEG]
    if motion.take is _elevation and near:
        return normal_range(f"shoulder {near[0]}")
    raised = abs(angles.elevation - 90.0) <= NEAR_PLANE_DEG
    if motion.take is _axial and near == ["abduction"] and raised:
        return normal_range(f"shoulder {'medial' if motion.sign > 0 else 'lateral'} rotation")
    return None


def shoulder_note(angles: ShoulderAngles) -> str:
    """Return all three angles of a shoulder as text."""
    if math.isnan(angles.plane):
        sum_of = "plane and axial rotation together" if angles.elevation < 90.0 else "axial rotation less plane"
        return (
            f"elevation {angles.elevation:.0f}, plane of elevation undefined, {sum_of} {angles.summed + 0.0:.0f} "
            "(inwards positive)"
        )
    return (
        f"elevation {angles.elevation:.0f} in the plane {angles.plane + 0.0:.0f} (0 abduction, 90 flexion), axial rotation "
        f"{angles.axial + 0.0:.0f} (inwards positive)"
    )


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
        if not rest < goal <= min(motion.normal_deg, 360.0) + READING_DEG:
            raise BadOption(
                f"an exercise needs a goal above the rest angle and within {min(motion.normal_deg, 360.0):.0f} degrees; "
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

"""The result of `retarget`: the clip, its feet and hands, and its deviations from the source."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.humanoid import Humanoid
from limbik.motion.clip import Clip
from limbik.motion.measures import Contact
from limbik.motion.motion_result import MotionResult
from limbik.motion.retarget.misses import Missed
from limbik.motion.retarget.result import ENDS

# A bone is turned away if its mean angle to the source's bone exceeds this [rad]: 15 degrees. Other proportions and limits rotate
# bones by up to about ten degrees; a wrong rest posture rotates them by far more.
TURNED_AWAY = float(np.radians(15))
# The bound for the line from hips to shoulders: 30 degrees. It differs by up to ten degrees between figures of different build.
SPINE_TURNED_AWAY = float(np.radians(30))
# The bound for head, hands and feet: 30 degrees. Their joint ranges cause deviations of up to about 15 degrees.
END_TURNED_AWAY = float(np.radians(30))
# A bone is also turned away if its angle to the source's bone exceeds this for 0.2 s [rad]: 45 degrees. Ankles with a smaller
# range than the source's cause deviations of shanks of up to 35 degrees.
HELD_AWAY = float(np.radians(45))
# The largest distance that the hips may fail to travel [m]: more than a standing body sways.
LOST_WAY = 0.1


@dataclass(frozen=True, eq=False, repr=False)
class Retargeted(MotionResult):
    """A motion on another figure, with the contacts of its feet and the errors of its hands.

    source: the original clip; bones, source_bones: the frames of the bones of the two figures. contacts: {bone: the contacts in
    the source, with the slide in the result}; `leftFoot` is the contact of a flat foot, measured at the ankle, `leftToes` a whole
    stance, measured where the foot rolls off. hand_targets: {bone: (frames, 3)} [m]. hand_error: {bone: (frames,)} [m]. reported:
    hand errors and foot displacements above `tolerance` [m], with reasons. scale: of the hips' path. lowered: the lowering of the
    hips so that the legs reach, (frames,) [m]. bone_angles: {bone: mean angle between the directions of the source's and the
    result's bone [rad]}; for the hips, between the lines through the hip joints; for head, hands and feet, the mean angle between
    their orientations. held_angles: {bone: the largest angle that is exceeded for 0.2 s [rad]}. detection: the parameters of
    stances. notes: missing and omitted parts, one sentence each. lost_way: the distance that the hips should travel if the
    figure's hips are not floating [m].
    """

    source: Clip
    bones: Humanoid
    source_bones: Humanoid
    contacts: Mapping[str, tuple[Contact, ...]]
    hand_targets: Mapping[str, Array]
    hand_error: Mapping[str, Array]
    reported: tuple[Missed, ...]
    tolerance: float
    scale: float
    lowered: Array
    bone_angles: Mapping[str, float]
    held_angles: Mapping[str, float]
    detection: str
    notes: tuple[str, ...] = ()
    lost_way: float = 0.0

    @property
    def foot_slide(self) -> float:
        """The largest horizontal slide of a standing foot [m]."""
        return max((c.slide for stances in self.contacts.values() for c in stances), default=0.0)

    @property
    def ok(self) -> bool:
        """Whether the motion matches the source's: hands and standing feet within the tolerance, no bone turned away from the
        source's on average or for a while, and no lost motion of the hips.
        """
        return not self.reported and self.faithful

    @property
    def faithful(self) -> bool:
        """Whether bone directions and the hips' path match the source's, regardless of hand and foot errors."""
        return not self.turned_away and not self.held_away and self.lost_way <= LOST_WAY

    @property
    def turned_away(self) -> dict[str, float]:
        """The bones whose mean angle to the source's exceeds TURNED_AWAY, {bone: [rad]}.

        The spine: SPINE_TURNED_AWAY; head, hands and feet: END_TURNED_AWAY.
        """
        bounds = {"spine": SPINE_TURNED_AWAY, **dict.fromkeys(ENDS, END_TURNED_AWAY)}
        return {bone: angle for bone, angle in self.bone_angles.items() if angle > bounds.get(bone, TURNED_AWAY)}

    @property
    def held_away(self) -> dict[str, float]:
        """The bones whose angle to the source's stays above HELD_AWAY for a while, {bone: the angle exceeded [rad]}."""
        return {bone: angle for bone, angle in self.held_angles.items() if angle > HELD_AWAY}

    @property
    def why(self) -> str:
        """The outcome in a few sentences."""
        name = self.clip.robot.name
        parts = [f"{len(self)} frames on '{name}', inside the joint limits, distances scaled by {self.scale:.3g}"]
        if self.contacts:
            count = sum(len(stances) for bone, stances in self.contacts.items() if bone.endswith("Foot"))
            slides = f"feet stand flat {count} time{'' if count == 1 else 's'} and slide {self.foot_slide * 1e3:.1f} mm at most"
            slid = sum(m.slides for m in self.reported)
            often = (
                f", in {slid} stance{'' if slid == 1 else 's'} they are more than {self.tolerance * 1e3:g} mm from their position"
                if slid
                else ""
            )
            parts.append(f"{slides}{often} ({self.detection})")
        if self.hand_error:
            most = max(float(error.max()) for error in self.hand_error.values())
            count = sum(not m.slides for m in self.reported)
            missed = f", in {count} cases by more than {self.tolerance * 1e3:g}" if count else ""
            parts.append(f"hands miss their targets by {most * 1e3:.1f} mm at most{missed}")
        deviations = []
        if averaged := self.turned_away:
            deviations.append(f"bones are turned away on average ({_worst_first(averaged)})")
        if held := {bone: angle for bone, angle in self.held_away.items() if bone not in averaged}:
            deviations.append(f"bones are turned away for a while ({_worst_first(held)})")
        if deviations:
            hint = (
                "if its rest posture is wrong, pass an upright frame, such as rest='first' (--rest first)"
                if averaged
                else "the joint limits of the figure cause this"
            )
            parts.append(f"differs from the source: {', '.join(deviations)}; {hint}")
        return ". ".join([*parts, *(note.rstrip(".") for note in self.notes)]) + "."

    @property
    def first_shown(self) -> int:
        """The first frame of pictures, after a leading posture such as a T-pose."""
        return self.clip.jumps[0] if self.clip.jumps and self.clip.jumps[0] == 1 else 0

    def film(self, path: str | PathLike[str], count: int = 8) -> None:
        """Plot `count` postures, the source's above the result's (.png, .svg, .pdf)."""
        from limbik.plots.retarget import plot_retargeted

        plot_retargeted(self, Path(path), count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Retargeted) and self.clip == other.clip and self.why == other.why

    __hash__ = None  # type: ignore[assignment]


def _worst_first(angles: Mapping[str, float]) -> str:
    """Return bones and their angles in degrees, the largest first."""
    ordered = sorted(angles, key=lambda bone: -angles[bone])
    return ", ".join(f"{bone} {np.degrees(angles[bone]):.0f} degrees" for bone in ordered)

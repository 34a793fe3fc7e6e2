"""What `retarget` returns: the clip, what its feet and hands do, and what could not be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.humanoid import Humanoid
from limbik.model.record import Record
from limbik.model.truth import Judged
from limbik.motion.measures import Contact
from limbik.motion.retargeting.result import ENDS
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.retarget_misses import Missed
from limbik.robot.skeleton import Skeleton

# A bone whose mean angle to the source's is more is turned away from it [rad]: 15 degrees. Other proportions and limits turn
# bones by up to ten degrees or so; a rest posture that was misread turns them by far more.
TURNED_AWAY = float(np.radians(15))
# The line from hips to shoulders leans by the build too, by up to ten degrees between figures: it is turned away beyond 30.
SPINE_TURNED_AWAY = float(np.radians(30))
# Ranges of wrists and ankles hold head, hands and feet back, by up to 15 degrees or so: they are turned away beyond 30.
END_TURNED_AWAY = float(np.radians(30))
# A bone that stays farther from the source's than this for a while is turned away, however short that is in the clip [rad]: 45
# degrees. Ankles that do not bend as deep as the source's hold shanks back by up to 35.
HELD_AWAY = float(np.radians(45))
# Hips that should get farther than this from where they begin, and cannot, lose a way [m]: more than a body sways as it stands.
LOST_WAY = 0.1


@dataclass(frozen=True, eq=False)
class Retargeted(Judged, Record):
    """A motion on another figure: the clip, and what its feet and hands do.

    source: the clip that it was made from; bones, source_bones: which frames of the two figures are which bones.
    contacts: {bone: when it stands in the source, with how far it slides in the result}; `leftFoot` is a flat foot, seen at the
    ankle, `leftToes` a whole stance, seen where the foot rolls off. hand_targets: {bone: (frames, 3)} [m], hand_error: {bone:
    (frames,)} [m]. reported: where a hand misses its target, or a foot that stands leaves its place, by more than `tolerance`
    [m], and why.
    scale: of the way of the hips.
    lowered: by how much the hips are lowered for legs to reach, (frames,) [m]. bone_angles: {bone: mean angle between the
    directions of the source's and the result's bone [rad]}; of the hips between the lines through the hip joints; of head, hands
    and feet the mean angle of the turn between their orientations. held_angles: {bone: the greatest angle that it stays above for
    0.2 s [rad]}. detection: how
    stances were found. notes: what is missing or was not done, one sentence each. lost_way: how far from where they begin the
    hips should get, where the figure's cannot move [m].
    """

    clip: Clip
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
    def robot(self) -> Chain | Skeleton:
        """The figure that moves."""
        return self.clip.robot

    @property
    def q(self) -> Array:
        """(frames, n) the postures."""
        return self.clip.q

    @property
    def times(self) -> Array:
        """(frames,) [s]."""
        return self.clip.times

    def __len__(self) -> int:
        return len(self.clip)

    @property
    def foot_slide(self) -> float:
        """The greatest horizontal distance that a foot moves while it stands [m]."""
        return max((c.slide for stances in self.contacts.values() for c in stances), default=0.0)

    @property
    def ok(self) -> bool:
        """Whether the motion is the source's: hands at their targets and standing feet at their places within the tolerance, no
        bone turned away from the source's, on average or for a while, no way of the hips lost.
        """
        return not self.reported and self.faithful

    @property
    def faithful(self) -> bool:
        """Whether bones point as the source's and the hips go its way, whatever hands and feet miss."""
        return not self.turned_away and not self.held_away and self.lost_way <= LOST_WAY

    @property
    def turned_away(self) -> dict[str, float]:
        """The bones whose mean angle to the source's is more than TURNED_AWAY, {bone: [rad]}.

        The spine: SPINE_TURNED_AWAY; head, hands and feet: END_TURNED_AWAY.
        """
        bounds = {"spine": SPINE_TURNED_AWAY, **dict.fromkeys(ENDS, END_TURNED_AWAY)}
        return {bone: angle for bone, angle in self.bone_angles.items() if angle > bounds.get(bone, TURNED_AWAY)}

    @property
    def held_away(self) -> dict[str, float]:
        """The bones that stay farther from the source's than HELD_AWAY for a while, {bone: what they stay above [rad]}."""
        return {bone: angle for bone, angle in self.held_angles.items() if angle > HELD_AWAY}

    @property
    def why(self) -> str:
        """What came of it, in a few sentences."""
        name = self.clip.robot.name
        parts = [f"{len(self)} frames on '{name}', every joint in range, ways {self.scale:.3g} times as long"]
        if self.contacts:
            count = sum(len(stances) for bone, stances in self.contacts.items() if bone.endswith("Foot"))
            slides = f"feet stand flat {count} time{'' if count == 1 else 's'} and slide {self.foot_slide * 1e3:.1f} mm at most"
            slid = sum(m.slides for m in self.reported)
            often = (
                f", in {slid} stance{'' if slid == 1 else 's'} they are farther than {self.tolerance * 1e3:g} mm from their place"
                if slid
                else ""
            )
            parts.append(f"{slides}{often} ({self.detection})")
        if self.hand_error:
            most = max(float(error.max()) for error in self.hand_error.values())
            count = sum(not m.slides for m in self.reported)
            missed = f", in {count} cases by more than {self.tolerance * 1e3:g}" if count else ""
            parts.append(f"hands miss their targets by {most * 1e3:.1f} mm at most{missed}")
        said = []
        if turned := self.turned_away:
            said.append(f"bones are turned away from its on average ({_worst_first(turned)})")
        if held := {bone: angle for bone, angle in self.held_away.items() if bone not in turned}:
            said.append(f"bones are turned away from its for a while ({_worst_first(held)})")
        if said:
            hint = "if its rest posture was misread, name a frame that stands by rest='first' (--rest first)"
            parts.append(
                f"NOT as the source: {', '.join(said)}; {hint if turned else 'ranges of the figure hold them back'}"
            )
        return ". ".join([*parts, *(note.rstrip(".") for note in self.notes)]) + "."

    @property
    def first_shown(self) -> int:
        """The frame that pictures begin with: a posture put before the motion, such as a T-pose, is left out."""
        return self.clip.jumps[0] if self.clip.jumps and self.clip.jumps[0] == 1 else 0

    def film(self, path: str | PathLike[str], count: int = 8) -> None:
        """Write a picture of `count` postures, the source's above, these below (.png, .svg, .pdf)."""
        from limbik.robot.retarget_plots import plot_retargeted

        plot_retargeted(self, Path(path), count)

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Write the clip, as `Clip.save` does."""
        self.clip.save(path, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Retargeted) and self.clip == other.clip and self.why == other.why

    __hash__ = None

    def __repr__(self) -> str:
        return f"<Retargeted: {self.clip!r}>"


def _worst_first(angles: Mapping[str, float]) -> str:
    """Return bones and their angles in degrees, the greatest first."""
    ordered = sorted(angles, key=lambda bone: -angles[bone])
    return ", ".join(f"{bone} {np.degrees(angles[bone]):.0f} degrees" for bone in ordered)

"""What `retarget` returns: the clip, what its feet and hands do, and what could not be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from limbik.model.humanoid import Humanoid
from limbik.model.record import Record
from limbik.model.transform import Array
from limbik.motion.measures import Contact
from limbik.robot.chain import Chain
from limbik.robot.clip import Clip
from limbik.robot.retarget_misses import Missed
from limbik.robot.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Retargeted(Record):
    """A motion on another figure: the clip, and what its feet and hands do.

    source: the clip that it was made from; bones, source_bones: which frames of the two figures are which bones.
    contacts: {bone: when it stands in the source, with how far it slides in the result}; `leftFoot` is a flat foot, seen at the
    ankle, `leftToes` a whole stance, seen where the foot rolls off. hand_targets: {bone: (frames, 3)} [m], hand_error: {bone:
    (frames,)} [m]. reported: where a hand misses its target, or a foot that stands leaves its place, by more than `tolerance`
    [m], and why.
    scale: of the way of the hips.
    lowered: by how much the hips are lowered for legs to reach, (frames,) [m]. bone_angles: {bone: mean angle between the
    directions of the source's and the result's bone [rad]}. detection: how stances were found. notes: what is missing or was not
    done, one sentence each.
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
    detection: str
    notes: tuple[str, ...] = ()

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
        """Whether every hand gets to its target within the tolerance, and every foot that stands is within it of its place."""
        return not self.reported

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

"""Names of bones: those of VRM 1.0, and the words of other conventions for the same bones.

VRM's humanoid is canonical here: a bone has the name of its segment, and its frame is at the joint nearest the trunk.
Sources: vrm-c/vrm-specification, VRMC_vrm-1.0/humanoid.md (bones, parents, which are required); the hierarchies of CMU's ASF
and of its BVH conversion; Mixamo's and MotionBuilder's rigs; the 24 joints of SMPL; example-robot-data's human.urdf, which
follows the ISB recommendations; dm_control's humanoid_CMU; pybullet's humanoid.urdf; Unreal's mannequin; 3ds Max Biped;
Blender's Rigify.

A convention is a table from bones to words. Words are lower case, without separators and without the side; a bone that begins
with "left" means both sides. If a convention has several words for one bone, the first that occurs in the figure is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")
_LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")


def _phalanges(finger: str) -> tuple[str, str, str]:
    middle = ("Metacarpal", "Proximal", "Distal") if finger == "Thumb" else ("Proximal", "Intermediate", "Distal")
    return tuple(f"{finger}{part}" for part in middle)  # type: ignore[return-value]


def _parents() -> dict[str, str | None]:
    """Return every bone of VRM with its parent."""
    out: dict[str, str | None] = {"hips": None}
    trunk = ("hips", "spine", "chest", "upperChest", "neck", "head")
    out |= dict(zip(trunk[1:], trunk, strict=False))
    out |= {"leftEye": "head", "rightEye": "head", "jaw": "head"}
    for side in ("left", "right"):
        for first, chain in (("hips", _LEG), ("upperChest", _ARM)):
            bones = (first, *(side + part for part in chain))
            out |= dict(zip(bones[1:], bones, strict=False))
        for finger in _FINGERS:
            bones = (f"{side}Hand", *(side + part for part in _phalanges(finger)))
            out |= dict(zip(bones[1:], bones, strict=False))
    return out


# The parent of every bone in a figure that has all of them; parents come first.
PARENTS = MappingProxyType(_parents())
BONES: tuple[str, ...] = tuple(PARENTS)
# The bones that a VRM figure must have.
REQUIRED: tuple[str, ...] = (
    "hips", "spine", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand",
    "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot",
)  # fmt: skip


@dataclass(frozen=True)
class Naming:
    """How one family of files names bones. mark: a word that only its names contain, lower case; "" if there is none."""

    name: str
    words: Mapping[str, tuple[str, ...]]
    mark: str = ""


Words = dict[str, tuple[str, ...]]


def _read(text: str) -> Words:
    """Parse a table that is written as "bone:word,word bone:word"."""
    rows = (row.split(":") for row in text.split())
    return {bone: tuple(words.split(",")) for bone, words in rows}


def _numbered(hand: str, names: tuple[str, ...]) -> Words:
    """Return the words of numbered finger bones: hand + finger + 1, 2, 3."""
    return {
        f"left{bone}": (f"{hand}{name}{k}",)
        for finger, name in zip(_FINGERS, names, strict=True)
        for k, bone in enumerate(_phalanges(finger), start=1)
    }


_VRM = MappingProxyType({bone: (bone.removeprefix("left").lower(),) for bone in BONES if not bone.startswith("right")})
_BUILDER = _read(
    "hips:hips,hip,pelvis spine:spine chest:spine1 upperChest:spine2,spine3 neck:neck head:head leftEye:eye jaw:jaw "
    "leftShoulder:shoulder leftUpperArm:arm leftLowerArm:forearm leftHand:hand leftUpperLeg:upleg leftLowerLeg:leg "
    "leftFoot:foot leftToes:toebase,toe"
) | _numbered("hand", ("thumb", "index", "middle", "ring", "pinky"))
_CMU = _BUILDER | _read("spine:lowerback chest:spine upperChest:spine1 leftThumbMetacarpal:thumb")
_ASF = _read(
    "hips:root spine:lowerback chest:upperback upperChest:thorax neck:lowerneck head:head leftShoulder:clavicle "
    "leftUpperArm:humerus leftLowerArm:radius leftHand:hand leftUpperLeg:femur leftLowerLeg:tibia leftFoot:foot "
    "leftToes:toes leftThumbMetacarpal:thumb leftMiddleProximal:fingers"
)
_SMPL = _read(
    "hips:pelvis spine:spine1 chest:spine2 upperChest:spine3 neck:neck head:head jaw:jaw leftShoulder:collar "
    "leftUpperArm:shoulder leftLowerArm:elbow leftHand:wrist leftUpperLeg:hip leftLowerLeg:knee leftFoot:ankle "
    "leftToes:foot"
) | _numbered("", ("thumb", "index", "middle", "ring", "pinky"))
_ISB = _read(
    "hips:pelvis spine:abdomen,lumbar chest:thorax neck:neck head:head leftShoulder:clavicle,scapula "
    "leftUpperArm:upperarm leftLowerArm:lowerarm,forearm leftHand:hand leftUpperLeg:upperleg,thigh "
    "leftLowerLeg:lowerleg,shank leftFoot:foot leftToes:toes,toe"
)
_BULLET = _read(
    "hips:root,base spine:chest head:neck leftUpperArm:shoulder leftLowerArm:elbow leftHand:wrist leftUpperLeg:hip "
    "leftLowerLeg:knee leftFoot:ankle"
)
_UNREAL = _read(
    "hips:pelvis spine:spine01 chest:spine02 upperChest:spine03 neck:neck01 head:head leftShoulder:clavicle "
    "leftUpperArm:upperarm leftLowerArm:lowerarm leftHand:hand leftUpperLeg:thigh leftLowerLeg:calf leftFoot:foot "
    "leftToes:ball"
) | _numbered("", ("thumb0", "index0", "middle0", "ring0", "pinky0"))
_BIPED = _read(
    "hips:pelvis spine:spine chest:spine1 upperChest:spine2 neck:neck head:head leftShoulder:clavicle "
    "leftUpperArm:upperarm leftLowerArm:forearm leftHand:hand leftUpperLeg:thigh leftLowerLeg:calf leftFoot:foot "
    "leftToes:toe0"
)
_RIGIFY = _read(
    "hips:spine spine:spine001 chest:spine002 upperChest:spine003 neck:spine004,neck head:spine006,head "
    "leftShoulder:shoulder leftUpperArm:upperarm leftLowerArm:forearm leftHand:hand leftUpperLeg:thigh "
    "leftLowerLeg:shin leftFoot:foot leftToes:toe"
)

# The first is canonical. If two fit a figure equally well, the earlier one is taken.
NAMINGS: tuple[Naming, ...] = (
    Naming("vrm", _VRM),
    Naming("mixamo", _BUILDER, "mixamorig"),
    Naming("motionbuilder", _BUILDER),
    Naming("cmu", _CMU),
    Naming("asf", _ASF),
    Naming("smpl", _SMPL),
    Naming("isb", _ISB),
    Naming("pybullet", _BULLET),
    Naming("unreal", _UNREAL),
    Naming("biped", _BIPED, "bip"),
    Naming("rigify", _RIGIFY),
)

"""A marker set: the frame of a figure that each marker is attached to, and the marker's place in it.

By default the markers' names determine the frames. A marker `leftHand.2` or `leftHand_thumb` is on the frame `leftHand`: one of
the figure's frames or a bone of VRM, in upper or lower case. The names of the Plug-in Gait set (LASI, RKNE ...) are known too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, vector
from limbik.model.humanoid import Humanoid

Offset = tuple[float, float, float]
# Separators between the name of a frame and the rest of a marker's name.
_SEPARATORS = ".:_- /"
_CHEST = ("upperChest", "chest", "spine")
# Plug-in Gait: the words without their side, and the bones that they may be on, the preferred one first.
_SIDED: Mapping[str, str] = {
    "UPA": "UpperArm", "UPB": "UpperArm", "ELB": "UpperArm", "MEL": "UpperArm", "FRM": "LowerArm", "FRA": "LowerArm",
    "WRA": "LowerArm", "WRB": "LowerArm", "FIN": "Hand", "THI": "UpperLeg", "KNE": "UpperLeg", "KNM": "UpperLeg",
    "TIB": "LowerLeg", "ANK": "LowerLeg", "MED": "LowerLeg", "HEE": "Foot", "TOE": "Foot", "MT1": "Foot", "MT5": "Foot",
}  # fmt: skip
_MIDDLE: Mapping[str, tuple[str, ...]] = {
    "C7": _CHEST, "T10": _CHEST, "CLAV": _CHEST, "STRN": _CHEST, "RBAK": _CHEST, "LSHO": _CHEST, "RSHO": _CHEST,
    "SACR": ("hips",), "LASI": ("hips",), "RASI": ("hips",), "LPSI": ("hips",), "RPSI": ("hips",), "LFHD": ("head",),
    "RFHD": ("head",), "LBHD": ("head",), "RBHD": ("head",), "ARIEL": ("head",),
}  # fmt: skip


@dataclass(frozen=True)
class MarkerSet:
    """The place of each marker: {marker: frame} or {marker: (frame, offset)}. Immutable.

    An offset is three coordinates in the frame [m]; offsets that are not given are estimated. Raises BadOption, ShapeError,
    NotFinite, NotNumeric.
    """

    places: Mapping[str, tuple[str, Offset | None]]

    def __post_init__(self) -> None:
        if not isinstance(self.places, Mapping) or not self.places:
            raise BadOption(
                f"a marker set is {{marker: frame}} or {{marker: (frame, offset)}}; got {shown(self.places)}"
            )
        kept = {name: _place(name, given) for name, given in self.places.items()}
        object.__setattr__(self, "places", MappingProxyType(kept))

    @property
    def frames(self) -> dict[str, str]:
        """The frame of each marker."""
        return {name: frame for name, (frame, _) in self.places.items()}

    @property
    def offsets(self) -> dict[str, Offset | None]:
        """The offset of each marker in its frame [m]; None if it is to be estimated."""
        return {name: offset for name, (_, offset) in self.places.items()}

    @classmethod
    def named(cls, names: Iterable[str], frames: Iterable[str], bones: Humanoid) -> "MarkerSet":
        """Return the set that the markers' names imply, without unknown names. Raises BadOption if all are unknown."""
        known = list(frames)
        listed = list(names)
        found = {name: frame for name in listed if (frame := _frame_of(name, known, bones)) is not None}
        if not found:
            raise BadOption(
                f"no marker's name gives its frame ({', '.join(listed[:5])} ...); give a MarkerSet({{marker: frame}}), or name "
                f"markers like '{known[-1]}.1'"
            )
        return cls(found)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.places)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.places),)

    def __hash__(self) -> int:
        return hash(tuple(self.places.items()))


def _place(name: Any, given: Any) -> tuple[str, Offset | None]:
    if not isinstance(name, str) or not name:
        raise BadOption(f"a marker's name must be text; got {shown(name)}")
    if isinstance(given, str):
        return given, None
    if not isinstance(given, list | tuple) or len(given) != 2 or not isinstance(given[0], str):
        raise BadOption(f"the place of marker '{name}' must be a frame or (frame, offset); got {shown(given)}")
    if given[1] is None:
        return given[0], None
    try:
        offset: Array = vector(given[1], f"the offset of marker '{name}'")
    except (ShapeError, NotFinite) as error:
        raise type(error)(f"{error}; leave it out to have it estimated") from None
    x, y, z = offset.tolist()
    return given[0], (x, y, z)


def _frame_of(name: str, frames: list[str], bones: Humanoid) -> str | None:
    for form in (str, str.lower):
        text = form(name)
        for known in (sorted(frames, key=len, reverse=True), sorted(bones, key=len, reverse=True)):
            for frame in known:
                if text == form(frame) or (text.startswith(form(frame)) and name[len(frame)] in _SEPARATORS):
                    return frame if frame in frames else bones[frame]
    word = name.rpartition(":")[2].upper()
    side = {"L": "left", "R": "right"}.get(word[:1])
    options = _MIDDLE.get(word, ())
    if not options and side and word[1:] in _SIDED:
        options = (side + _SIDED[word[1:]],)
    return next((bones[bone] for bone in options if bone in bones), None)

"""The frames of a figure by human bone: names of any convention are mapped to those of VRM 1.0.

A name is read as prefix, side and word: `mixamorig:LeftForeArm`, `upper_arm.L`, `Bip01 R Calf`, `lhumerus`, `left_upperarm`.
Each convention (`bone_names.py`) maps words to bones; the one that names most of the required bones, then most bones of all, is
taken. Required bones that it does not name are looked for in the other conventions. Finally the names are checked against the
tree: a forearm that is not a descendant of an upper arm is rejected, whatever its name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from limbik.errors import BadOption, UnknownFrame, shown, suggest
from limbik.model.bone_names import BONES, NAMINGS, PARENTS, REQUIRED, Naming
from limbik.model.mechanism import Mechanism

# Prefixes of names in some rigs: namespaces, and the words of exporters.
_NAMESPACE = re.compile(r"^.*[:|/]")
_PREFIX = re.compile(
    r"^(mixamorig\d*|(?:valve)?bip(?:ed)?\d*|character\d*|cc_base|j_bip|armature|def|org|mch|smplx?)[ _.\-]*", re.I
)
_SEPARATOR = r"[ _.\-]"
_SIDES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"^(?P<side>left|right){_SEPARATOR}?(?P<word>.+)$",
        rf"^(?P<word>.+?){_SEPARATOR}?(?P<side>left|right)$",
        rf"^(?P<word>.+){_SEPARATOR}(?P<side>[lr])$",
        rf"^(?P<side>[lr]){_SEPARATOR}(?P<word>.+)$",
        rf"^(?P<side>middle|mid|center|centre|c){_SEPARATOR}(?P<word>.+)$",
        r"^(?P<side>[lr])(?P<word>[a-z].+)$",
    )
)
_SIDE_OF = {"l": "left", "r": "right"}
# A convention that names fewer of the required bones than this matches by coincidence.
FEWEST = 8


@dataclass(frozen=True)
class Humanoid(Mapping[str, str]):
    """The frames of a figure by VRM bone: `names["leftHand"]`. Immutable.

    convention: the one that its names follow, "unknown" if none was recognised. frames: {bone: frame}, parents first.
    figure: the name of the figure, for messages.
    """

    convention: str
    frames: Mapping[str, str]
    figure: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", MappingProxyType(dict(self.frames)))

    def __getitem__(self, bone: str) -> str:
        """Return the frame of a bone. Raises UnknownFrame if the figure has none, or VRM has no such bone."""
        if bone in self.frames:
            return self.frames[bone]
        if bone in BONES:
            raise UnknownFrame(
                f"no frame of '{self.figure}' was recognised as the bone '{bone}'; {suggest('', self.frames)}"
            )
        raise UnknownFrame(f"no bone {shown(bone)} in VRM's humanoid; {suggest(str(bone), BONES)}")

    def __contains__(self, bone: object) -> bool:
        return bone in self.frames

    def __iter__(self) -> Iterator[str]:
        return iter(self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def missing(self) -> tuple[str, ...]:
        """The bones that VRM requires and that were not found in the figure."""
        return tuple(bone for bone in REQUIRED if bone not in self.frames)

    @property
    def complete(self) -> bool:
        """Whether every bone that VRM requires was found."""
        return not self.missing

    def bone(self, frame: str) -> str | None:
        """Return the bone of a frame, or None."""
        return next((bone for bone, name in self.frames.items() if name == frame), None)

    def parent(self, bone: str) -> str | None:
        """Return the nearest ancestor of a bone that this figure has, or None if there is none. Raises UnknownFrame."""
        if bone not in BONES:
            self[bone]  # raises UnknownFrame
        ancestor = PARENTS[bone]
        while ancestor is not None and ancestor not in self.frames:
            ancestor = PARENTS[ancestor]
        return ancestor

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.convention, dict(self.frames), self.figure)

    def __hash__(self) -> int:
        return hash((self.convention, tuple(self.frames.items()), self.figure))

    def __str__(self) -> str:
        missing = f"; missing {', '.join(self.missing)}" if self.missing else ""
        return f"{len(self)} bones of '{self.figure}' by the names of {self.convention}{missing}"


def humanoid(figure: Any, names: Mapping[str, str] | None = None) -> Humanoid:
    """Return the frames of a figure by the bones of VRM's humanoid.

    figure: a Skeleton, Chain or Mechanism, or names of frames. names: {bone: frame}, which overrides what the names suggest.
    Bones that are not found are listed in `missing`, not raised. Raises BadOption, UnknownFrame.
    """
    mechanism = getattr(getattr(figure, "model", None), "mechanism", figure)
    tree = mechanism if isinstance(mechanism, Mechanism) else None
    known = [link.name for link in tree.links] if tree is not None else _listed(figure)
    given = _checked(names, known, "the figure" if tree is None else tree.name)
    fits = [(convention, _matches(convention, known)) for convention in NAMINGS]
    best, found = max(fits, key=lambda fit: _score(fit[0], fit[1], known))
    for _, other in fits:
        for bone in REQUIRED:
            if bone not in found and bone in other and other[bone] not in found.values():
                found = found | {bone: other[bone]}
    found = {bone: name for bone, name in found.items() if name not in given.values()} | given
    found = {bone: found[bone] for bone in BONES if bone in found}
    if tree is not None:
        found = _consistent(tree, found, given)
    convention = best.name if sum(bone in found for bone in REQUIRED) >= FEWEST else "unknown"
    return Humanoid(convention, found, "" if tree is None else tree.name)


def _listed(names: Any) -> list[str]:
    """Return the names of frames as a list. Raises BadOption."""
    listed = list(names) if isinstance(names, Iterable) and not isinstance(names, str | bytes) else []
    if not listed or not all(isinstance(name, str) for name in listed):
        raise BadOption(f"give a Skeleton, a Chain, a Mechanism or names of frames; got {shown(names)}")
    return listed


def _checked(names: Any, known: list[str], figure: str) -> dict[str, str]:
    if names is None:
        return {}
    if not isinstance(names, Mapping):
        raise BadOption(f"names={shown(names)} must be {{bone: frame}}")
    for bone, frame in names.items():
        if bone not in BONES:
            raise UnknownFrame(f"no bone {shown(bone)} in VRM's humanoid; {suggest(str(bone), BONES)}")
        if frame not in known:
            raise UnknownFrame(f"no frame {shown(frame)} in '{figure}'; {suggest(str(frame), known)}")
    return dict(names)


def readings(name: str) -> tuple[tuple[str, str], ...]:
    """Return the possible readings of a name as (side, word), the simplest first; the side is "left", "right" or ""."""
    local = _NAMESPACE.sub("", name)
    out: list[tuple[str, str]] = []
    for text in dict.fromkeys((local, _PREFIX.sub("", local))):
        out.append(("", _word(text)))
        for pattern in _SIDES:
            if found := pattern.match(text):
                side = found["side"].lower()
                out.append((_SIDE_OF.get(side, side if side in ("left", "right") else ""), _word(found["word"])))
    return tuple(dict.fromkeys((side, word) for side, word in out if word))


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _matches(convention: Naming, known: list[str]) -> dict[str, str]:
    """Return {bone: frame} by the words of one convention; of several frames the one with the earliest word, then the first."""
    ranks: dict[tuple[str, str], tuple[str, int]] = {}
    for bone, words in convention.words.items():
        for rank, word in enumerate(words):
            if bone.startswith("left"):
                ranks["left", word] = bone, rank
                ranks["right", word] = "right" + bone.removeprefix("left"), rank
            else:
                ranks["", word] = bone, rank
    best: dict[str, tuple[int, str]] = {}
    for name in known:
        hit = next((ranks[reading] for reading in readings(name) if reading in ranks), None)
        if hit is not None and (hit[0] not in best or hit[1] < best[hit[0]][0]):
            best[hit[0]] = hit[1], name
    return {bone: name for bone, (_, name) in best.items()}


def _score(convention: Naming, found: Mapping[str, str], known: list[str]) -> tuple[int, int, int, int]:
    """Return the score of a convention: required bones, all bones, names with its mark, and -1 if no name has its mark."""
    marked = sum(_word(name).find(convention.mark) >= 0 for name in known) if convention.mark else 0
    required = sum(bone in found for bone in REQUIRED)
    return required, len(found), marked, -bool(convention.mark and not marked)


def _consistent(tree: Mechanism, found: dict[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the bones whose nearest bone towards the root is an ancestor of them in VRM's hierarchy; given ones are kept."""
    bone_at = {frame: bone for bone, frame in found.items()}
    out: dict[str, str] = {}
    for bone, frame in found.items():
        above = [joint.parent for joint in reversed(tree.ancestry(frame))]
        parent = next((bone_at[link] for link in above if link in bone_at), None)
        lineage, up = [], PARENTS[bone]
        while up is not None:
            lineage.append(up)
            up = PARENTS[up]
        if bone in given or parent is None or parent in lineage:
            out[bone] = frame
    return out

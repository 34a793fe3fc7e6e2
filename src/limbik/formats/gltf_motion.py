"""The animations of a glTF document: which node moves how, and at which times to look.

Keys that move by straight lines and short arcs are kept as they are: where nodes have keys of their own, at all of their times
together, which changes nothing. A spline, or a mixture of kinds, is sampled at a rate that is said in a note.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown, suggest
from limbik.formats.gltf_accessors import read_accessor
from limbik.formats.gltf_document import Document
from limbik.formats.gltf_samplers import Sampler, unit
from limbik.geometry.arrays import Array

PATHS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
MODES = {"STEP": "step", "LINEAR": "linear", "CUBICSPLINE": "cubic"}
# Frames a second that a spline is sampled at.
BAKED_RATE = 60.0
# Numbers past which a file asks for too much, and for large files, so many for each of their bytes.
MOST_NUMBERS, MOST_A_BYTE = 5 * 10**7, 4

Tracks = dict[tuple[int, str], Sampler]


@dataclass(frozen=True, eq=False)
class Animation:
    """One animation: its name, the samplers by node (its number in the file) and path, and what was passed over."""

    name: str
    tracks: Tracks
    notes: tuple[str, ...]


def most_numbers(document: Document) -> int:
    """Return how many numbers a document may ask for: what hostile ones announce is bounded by the bytes that are there."""
    return max(MOST_NUMBERS, MOST_A_BYTE * document.size)


def read_animations(document: Document) -> tuple[Animation, ...]:
    """Return every animation of a document. Raises BadFile."""
    samplers = _Samplers(document)
    return tuple(_read(document, made, k, samplers) for k, made in enumerate(document.objects("animations")))


def chosen(animations: tuple[Animation, ...], wanted: Any) -> tuple[Animation, tuple[str, ...]]:
    """Return the animation of a name or number, the first where None, and a note where there are others."""
    names = [animation.name for animation in animations]
    if wanted is None:
        note = f"it holds {len(names)} animations ({', '.join(names[:5])}); this is the first" if len(names) > 1 else ""
        return animations[0], (note,) if note else ()
    if isinstance(wanted, str):
        if wanted not in names:
            raise BadOption(f"no animation {shown(wanted)}; {suggest(wanted, names)}")
        return animations[names.index(wanted)], ()
    if not isinstance(wanted, int) or isinstance(wanted, bool) or not 0 <= wanted < len(names):
        raise BadOption(f"animation={shown(wanted)}: give a name, or a number from 0 to {len(names) - 1}")
    return animations[wanted], ()


def _list(document: Document, holder: dict[str, Any], key: str, what: str) -> list[dict[str, Any]]:
    found = holder.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        document.refuse(f"has {what} whose {key} are not a list of objects")
    return found


def _read(document: Document, animation: dict[str, Any], number: int, read: "_Samplers") -> Animation:
    name, what = document.text(animation, "name", f"animation_{number}"), f"animation {number}"
    samplers = _list(document, animation, "samplers", what)
    nodes = len(document.objects("nodes"))
    tracks: Tracks = {}
    passed: set[str] = set()
    for channel in _list(document, animation, "channels", what):
        target = channel.get("target")
        if not isinstance(target, dict):
            document.refuse(f"has {what} with a channel without a target")
        path = target.get("path")
        node = document.index(target, "node", nodes, what)
        if node is None or not isinstance(path, str) or path not in PATHS:
            passed.add(str(path)[:40])
            continue
        chosen_ = document.index(channel, "sampler", len(samplers), what)
        if chosen_ is None:
            document.refuse(f"has {what} with a channel without a sampler")
        if (node, path) in tracks:
            document.refuse(f"has {what} that moves the {path} of node {node} twice")
        tracks[node, path] = read.sampler(samplers[chosen_], path, what)
    notes = (f"ignored: {', '.join(sorted(passed))}",) if passed else ()
    return Animation(name, tracks, notes)


class _Samplers:
    """Reads samplers; bytes that several of them name are read once, and what all ask for together is bounded."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._accessors: dict[tuple[int, str], Array] = {}
        self._times: dict[int, Array] = {}
        self._made: dict[tuple[int, int, str, str], Sampler] = {}
        self._numbers = 0

    def sampler(self, sampler: dict[str, Any], path: str, what: str) -> Sampler:
        document, mode = self._document, sampler.get("interpolation", "LINEAR")
        if not isinstance(mode, str) or mode not in MODES:
            document.refuse(f"has {what} with the interpolation {shown(mode)}; glTF has {', '.join(MODES)}")
        among, ends = len(document.objects("accessors")), []
        for key in ("input", "output"):
            if (accessor := document.index(sampler, key, among, what)) is None:
                document.refuse(f"has {what} with a sampler without {key}")
            ends.append(accessor)
        made_of = (ends[0], ends[1], mode, path)
        if made_of not in self._made:
            rows = self._rows(ends[0], "SCALAR", f"{what}, the input of a {path}")
            times = self._times.setdefault(ends[0], rows[:, 0])  # one array for all who share it
            self._made[made_of] = self._sampler(times, ends[1], mode, path, what)
        made = self._made[made_of]
        self._numbers += made.values.size
        if self._numbers > (most := most_numbers(document)):
            document.refuse(f"animates more than {most} numbers, far more than it has bytes")
        return made

    def _rows(self, accessor: int, kind: str, what: str) -> Array:
        if (accessor, kind) not in self._accessors:
            self._accessors[accessor, kind] = read_accessor(self._document, accessor, kind, what)
        return self._accessors[accessor, kind]

    def _sampler(self, times: Array, output: int, mode: str, path: str, what: str) -> Sampler:
        document, values = self._document, self._rows(output, PATHS[path], f"{what}, the output of a {path}")
        if not len(times) or not (np.diff(times) > 0).all():
            document.refuse(f"has {what} with the times of a {path} that do not rise, or are none")
        each = 3 if mode == "CUBICSPLINE" else 1
        if len(values) != each * len(times):
            document.refuse(
                f"has {what} with {len(times)} times and {len(values)} values of a {path}; {each} each are meant"
            )
        turns = path == "rotation"
        if each == 3:
            values = values.reshape(len(times), 3, -1)
        elif turns:
            if not values.any(axis=1).all():
                row = int(np.argmin(values.any(axis=1)))
                document.refuse(f"has {what} with a rotation of length 0 in row {row}")
            values = unit(values)
        return Sampler(times, values, mode, turns)


def frame_times(
    document: Document, tracks: Iterable[Sampler], size: int, rate: float | None
) -> tuple[Array, str, tuple[str, ...]]:
    """Return the times at which to look at some samplers, what fills the time between, and notes. size: numbers a frame."""
    found = list(tracks)
    if not found:
        return np.zeros(1), "linear", ()
    modes = {track.mode for track in found if len(track.times) > 1} or {"LINEAR"}
    first, last = min(float(t.times[0]) for t in found), max(float(t.times[-1]) for t in found)
    if rate is None and modes in ({"LINEAR"}, {"STEP"}):
        keys = {id(track.times): track.times for track in found}
        times = np.unique(np.concatenate(list(keys.values())))
        notes: tuple[str, ...] = ()
    else:
        beat = BAKED_RATE if rate is None else rate
        if (last - first) * beat > most_numbers(document):
            document.refuse(f"lasts {last - first:.3g} s, too long to sample at {beat:g} frames per second")
        # The last frame is the last that lies inside, so that frames are `beat` a second and no other.
        count = int(np.floor((last - first) * beat * (1 + 1e-6))) + 1
        times = np.minimum(first + np.arange(count) / beat, max(first, last))
        kinds = " and ".join(sorted(MODES[mode] for mode in modes))
        notes = (f"{kinds} keys were sampled at {beat:g} frames per second",)
    if len(times) * max(size, 1) > (most := most_numbers(document)):
        document.refuse(f"holds {len(times)} frames of {size} numbers; limbik reads at most {most} of such a file")
    return times, "step" if modes == {"STEP"} and not notes else "linear", notes

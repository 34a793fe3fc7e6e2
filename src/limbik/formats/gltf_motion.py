"""The animations of a glTF document: the samplers of each node, and the times of the frames.

With LINEAR (or STEP) samplers alone, the frames are at the union of all key times, which keeps the motion exact. Splines, and
mixed interpolation, are sampled at a fixed rate, which a note reports.
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
# The frame rate at which splines are sampled [Hz].
BAKED_RATE = 60.0
# The most numbers that a file may decode to; for large files, the most per byte of the file.
MOST_NUMBERS, MOST_A_BYTE = 5 * 10**7, 4

Tracks = dict[tuple[int, str], Sampler]


@dataclass(frozen=True, eq=False)
class Animation:
    """One animation: its name, samplers by (index of the node in the file, path), and notes on ignored channels."""

    name: str
    tracks: Tracks
    notes: tuple[str, ...]


def most_numbers(document: Document) -> int:
    """Return the most numbers that a document may decode to, from its size in bytes: a bound for hostile files."""
    return max(MOST_NUMBERS, MOST_A_BYTE * document.size)


def read_animations(document: Document) -> tuple[Animation, ...]:
    """Return every animation of a document. Raises BadFile."""
    samplers = _Samplers(document)
    return tuple(_read(document, made, k, samplers) for k, made in enumerate(document.objects("animations")))


def chosen(animations: tuple[Animation, ...], wanted: Any) -> tuple[Animation, tuple[str, ...]]:
    """Return an animation by name or number. None: the first, with a note if there are others. Raises BadOption."""
    names = [animation.name for animation in animations]
    if wanted is None:
        note = (
            f"the file contains {len(names)} animations ({', '.join(names[:5])}); this is the first"
            if len(names) > 1
            else ""
        )
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
        document.refuse(f"has {what} with a field '{key}' that is not a list of objects")
    return found


def _read(document: Document, animation: dict[str, Any], number: int, read: "_Samplers") -> Animation:
    name, what = document.text(animation, "name", f"animation_{number}"), f"animation {number}"
    samplers = _list(document, animation, "samplers", what)
    nodes = len(document.objects("nodes"))
    tracks: Tracks = {}
    ignored: set[str] = set()
    for channel in _list(document, animation, "channels", what):
        target = channel.get("target")
        if not isinstance(target, dict):
            document.refuse(f"has {what} with a channel without a target")
        path = target.get("path")
        node = document.index(target, "node", nodes, what)
        if node is None or not isinstance(path, str) or path not in PATHS:
            ignored.add(str(path)[:40])
            continue
        chosen_ = document.index(channel, "sampler", len(samplers), what)
        if chosen_ is None:
            document.refuse(f"has {what} with a channel without a sampler")
        if (node, path) in tracks:
            document.refuse(f"has {what} with two channels for the {path} of node {node}")
        tracks[node, path] = read.sampler(samplers[chosen_], path, what)
    notes = (f"ignored: {', '.join(sorted(ignored))}",) if ignored else ()
    return Animation(name, tracks, notes)


class _Samplers:
    """Reads samplers. An accessor that several samplers use is read once; the total count of numbers is bounded."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._accessors: dict[tuple[int, str], Array] = {}
        self._times: dict[int, Array] = {}
        self._made: dict[tuple[int, int, str, str], Sampler] = {}
        self._numbers = 0

    def sampler(self, sampler: dict[str, Any], path: str, what: str) -> Sampler:
        document, mode = self._document, sampler.get("interpolation", "LINEAR")
        if not isinstance(mode, str) or mode not in MODES:
            document.refuse(f"has {what} with the interpolation {shown(mode)}; use {', '.join(MODES)}")
        among, ends = len(document.objects("accessors")), []
        for key in ("input", "output"):
            if (accessor := document.index(sampler, key, among, what)) is None:
                document.refuse(f"has {what} with a sampler without {key}")
            ends.append(accessor)
        made_of = (ends[0], ends[1], mode, path)
        if made_of not in self._made:
            rows = self._rows(ends[0], "SCALAR", f"{what}, the input of a {path}")
            times = self._times.setdefault(ends[0], rows[:, 0])  # shared by all samplers of this accessor
            self._made[made_of] = self._sampler(times, ends[1], mode, path, what)
        made = self._made[made_of]
        self._numbers += made.values.size
        if self._numbers > (most := most_numbers(document)):
            document.refuse(f"animates more than {most} numbers, too many for its size")
        return made

    def _rows(self, accessor: int, kind: str, what: str) -> Array:
        if (accessor, kind) not in self._accessors:
            self._accessors[accessor, kind] = read_accessor(self._document, accessor, kind, what)
        return self._accessors[accessor, kind]

    def _sampler(self, times: Array, output: int, mode: str, path: str, what: str) -> Sampler:
        document, values = self._document, self._rows(output, PATHS[path], f"{what}, the output of a {path}")
        if not len(times) or not (np.diff(times) > 0).all():
            document.refuse(f"has {what} whose times of a {path} are empty or not increasing")
        each = 3 if mode == "CUBICSPLINE" else 1
        if len(values) != each * len(times):
            document.refuse(
                f"has {what} with {len(times)} times and {len(values)} values of a {path}; {each} per time expected"
            )
        rotation = path == "rotation"
        if each == 3:
            values = values.reshape(len(times), 3, -1)
        elif rotation:
            if not values.any(axis=1).all():
                row = int(np.argmin(values.any(axis=1)))
                document.refuse(f"has {what} with a rotation of length 0 in row {row}")
            values = unit(values)
        return Sampler(times, values, mode, rotation)


def frame_times(
    document: Document, tracks: Iterable[Sampler], size: int, rate: float | None
) -> tuple[Array, str, tuple[str, ...]]:
    """Return the frame times for samplers, the interpolation between them, and notes. size: numbers per frame."""
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
        sample_rate = BAKED_RATE if rate is None else rate
        if (last - first) * sample_rate > most_numbers(document):
            document.refuse(f"lasts {last - first:.3g} s, too long to sample at {sample_rate:g} frames per second")
        # The last frame is the last sample inside the animation, so that the rate is exact.
        count = int(np.floor((last - first) * sample_rate * (1 + 1e-6))) + 1
        times = np.minimum(first + np.arange(count) / sample_rate, max(first, last))
        kinds = " and ".join(sorted(MODES[mode] for mode in modes))
        notes = (f"{kinds} keys were sampled at {sample_rate:g} frames per second",)
    if len(times) * max(size, 1) > (most := most_numbers(document)):
        document.refuse(
            f"contains {len(times)} frames of {size} numbers; limbik reads at most {most} numbers from a file of this size"
        )
    return times, "step" if modes == {"STEP"} and not notes else "linear", notes

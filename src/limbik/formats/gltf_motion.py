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
from limbik.model.transform import Array

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
    found, numbers = [], 0
    cache: dict[tuple[int, str], Array] = {}
    for k, animation in enumerate(document.objects("animations")):
        made = _read(document, animation, k, cache)
        numbers += sum(track.values.size for track in made.tracks.values())
        if numbers > (most := most_numbers(document)):
            document.refuse(f"animates more than {most} numbers, far more than it has bytes")
        found.append(made)
    return tuple(found)


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
        raise BadOption(f"animation={shown(wanted)}: a name, or a number from 0 to {len(names) - 1}")
    return animations[wanted], ()


def _list(document: Document, holder: dict[str, Any], key: str, what: str) -> list[dict[str, Any]]:
    found = holder.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        document.refuse(f"has {what} whose {key} are not a list of objects")
    return found


def _read(document: Document, animation: dict[str, Any], number: int, cache: dict[tuple[int, str], Array]) -> Animation:
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
        tracks[node, path] = _sampler(document, samplers[chosen_], path, what, cache)
    notes = (f"passed over: {', '.join(sorted(passed))}",) if passed else ()
    return Animation(name, tracks, notes)


def _sampler(
    document: Document, sampler: dict[str, Any], path: str, what: str, cache: dict[tuple[int, str], Array]
) -> Sampler:
    mode = sampler.get("interpolation", "LINEAR")
    if not isinstance(mode, str) or mode not in MODES:
        document.refuse(f"has {what} with the interpolation {shown(mode)}; glTF has {', '.join(MODES)}")
    rows = []
    for key, kind in (("input", "SCALAR"), ("output", PATHS[path])):
        accessor = document.index(sampler, key, len(document.objects("accessors")), what)
        if accessor is None:
            document.refuse(f"has {what} with a sampler without {key}")
        if (accessor, kind) not in cache:
            cache[accessor, kind] = read_accessor(document, accessor, kind, f"{what}, the {key} of a {path}")
        rows.append(cache[accessor, kind])
    times, values = rows[0][:, 0], rows[1]
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
            document.refuse(f"lasts {last - first:.3g} s, too long to sample at {beat:g} frames a second")
        count = round((last - first) * beat) + 1
        times = np.linspace(first, last, count) if count > 1 else np.array([first])
        kinds = " and ".join(sorted(MODES[mode] for mode in modes))
        notes = (f"{kinds} keys were sampled at {beat:g} frames a second",)
    if len(times) * max(size, 1) > (most := most_numbers(document)):
        document.refuse(f"holds {len(times)} frames of {size} numbers; limbik reads at most {most} of such a file")
    return times, "step" if modes == {"STEP"} and not notes else "linear", notes

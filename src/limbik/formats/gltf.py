"""Read glTF 2.0 (.glb, .gltf): the skeleton and one of its animations. Meshes, also Draco-compressed ones, are ignored."""

from os import PathLike
from pathlib import Path
from typing import Any

from limbik.errors import BadFile, BadOption, shown
from limbik.formats.gltf_document import Document
from limbik.formats.gltf_figure import build_nodes
from limbik.formats.gltf_motion import chosen, frame_times, read_animations
from limbik.formats.gltf_nodes import scene_nodes
from limbik.formats.gltf_own import claims_own, own_mechanism, own_recording
from limbik.geometry.arrays import LARGEST, number
from limbik.model.mechanism import Mechanism
from limbik.model.recording import Recording
from limbik.model.units import metres_per

# The note for a file that limbik wrote and another program changed.
FOREIGN = "its nodes do not match the model that limbik stored in the file: read as any other figure"


def read_gltf(path: str | PathLike[str], unit: Any = None, animation: Any = None, rate: Any = None) -> Recording:
    """Return the motion in a glTF file.

    unit: the unit of its lengths, a name or metres; None: metres, as the format specifies. animation: its name or
    number; None: the first. rate: frames per second at which it is sampled; None: its keys are kept, and splines are
    sampled at 60 Hz. Raises FileUnreadable, BadFile, BadOption.
    """
    factor, sample_rate = metres_per(unit), _rate(rate)
    document = Document(Path(path))
    nodes = scene_nodes(document)
    animations = read_animations(document)
    if not animations:
        raise BadFile(f"'{path}' contains a figure but no animation; limbik.load gives the figure")
    picked, notes = chosen(animations, animation)
    if (own := own_recording(document, nodes, picked, notes, sample_rate)) is not None:
        return own if factor == 1.0 else own.scaled(factor)
    figure = build_nodes(document, nodes, animations, factor, picked)
    if claims_own(document):
        notes = (*notes, FOREIGN)
    size = figure.n + len(picked.tracks)
    times, interpolation, sampling_notes = frame_times(document, picked.tracks.values(), size, sample_rate)
    q = figure.postures(picked.tracks, times)
    return Recording(
        figure.mechanism,
        q,
        times,
        interpolation=interpolation,
        notes=(*notes, *picked.notes, *figure.notes, *sampling_notes),
    )


def read_gltf_mechanism(path: str | PathLike[str], unit: Any = None) -> Mechanism:
    """Return the figure in a glTF file, with or without animations. Raises as `read_gltf` does."""
    factor = metres_per(unit)
    document = Document(Path(path))
    nodes = scene_nodes(document)
    if (own := own_mechanism(document, nodes)) is not None:
        return own if factor == 1.0 else own.scaled(factor)
    return build_nodes(document, nodes, read_animations(document), factor).mechanism


def _rate(given: Any) -> float | None:
    if given is None:
        return None
    rate = number(given, "the rate")
    if isinstance(given, bool) or not 0 < rate <= LARGEST:
        raise BadOption(f"rate={shown(given)}: give a number of frames per second above 0")
    return rate

"""Read glTF 2.0 (.glb, .gltf): the skeleton and one of its animations. Meshes, and so Draco, are passed over."""

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

# Said where a file of limbik's was changed by another program.
FOREIGN = "its nodes do not match limbik's own description of them: it was read as any other figure"


def read_gltf(path: str | PathLike[str], unit: Any = None, animation: Any = None, rate: Any = None) -> Recording:
    """Return the motion in a glTF file.

    unit: of its lengths, a name or metres; metres where None, as the format says. animation: its name or number, the first where
    None. rate: frames a second to sample it at; None keeps its keys, and samples splines at 60.
    Raises FileUnreadable, BadFile, BadOption.
    """
    factor, beat = metres_per(unit), _rate(rate)
    document = Document(Path(path))
    nodes = scene_nodes(document)
    animations = read_animations(document)
    if not animations:
        raise BadFile(f"'{path}' holds a figure and no animation; limbik.load gives the figure")
    picked, notes = chosen(animations, animation)
    if (own := own_recording(document, nodes, picked, notes, beat)) is not None:
        return own if factor == 1.0 else own.scaled(factor)
    figure = build_nodes(document, nodes, animations, factor, picked)
    if claims_own(document):
        notes = (*notes, FOREIGN)
    size = figure.n + len(picked.tracks)
    times, interpolation, said = frame_times(document, picked.tracks.values(), size, beat)
    q = figure.postures(picked.tracks, times)
    return Recording(
        figure.mechanism, q, times, interpolation=interpolation, notes=(*notes, *picked.notes, *figure.notes, *said)
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

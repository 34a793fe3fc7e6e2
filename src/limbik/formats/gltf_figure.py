"""Nodes of any glTF file as a figure: links, ball joints where something turns, floating ones where something moves about.

A node that an animation turns, or that a skin is bound to, is a ball joint; one whose place changes, a floating one; the rest are
fixed. The pose in which the file stores its nodes is the zero posture. A place that the animation in hand puts a node at without
moving it is part of that pose; one that another animation puts it at is not. A scale that is the same in all directions and at
all times is folded into what hangs on it.
"""

from dataclasses import dataclass

import numpy as np

from limbik.formats.gltf_document import Document
from limbik.formats.gltf_motion import Animation
from limbik.formats.gltf_nodes import SceneNode
from limbik.formats.gltf_samplers import Sampler, unit
from limbik.formats.names import Names
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism
from limbik.model.rotation import matrices_of, product, vectors_of
from limbik.model.transform import Array

WORLD = "world"
# Parts of the figure's size, and of a scale, below which something does not move: what float32 leaves of a place.
HELD, UNEVEN_SCALE = 1e-6, 1e-4


@dataclass(frozen=True, eq=False)
class Mover:
    """A joint of the figure. node: its number in the file. first: where its numbers of q begin. scale: of what it hangs on."""

    node: int
    kind: Kind
    first: int
    place: Array
    turn: Array
    scale: float


@dataclass(frozen=True, eq=False)
class NodeFigure:
    """The mechanism of some nodes, and which of them move it."""

    mechanism: Mechanism
    movers: tuple[Mover, ...]
    n: int

    def postures(self, tracks: dict[tuple[int, str], Sampler], times: Array) -> Array:
        """Return q (frames, n) of an animation at some times."""
        q = np.zeros((len(times), self.n))
        for mover in self.movers:
            at = mover.first
            back = mover.turn * [-1.0, -1.0, -1.0, 1.0]
            if mover.kind is Kind.FLOATING:
                if (track := tracks.get((mover.node, "translation"))) is not None:
                    q[:, at : at + 3] = (track.at(times) - mover.place) @ matrices_of(mover.turn) * mover.scale
                at += 3
            if (track := tracks.get((mover.node, "rotation"))) is not None:
                q[:, at : at + 3] = vectors_of(unit(product(back, unit(track.at(times)))))
        return q


def build_nodes(
    document: Document,
    nodes: tuple[SceneNode, ...],
    animations: tuple[Animation, ...],
    factor: float,
    chosen: Animation | None = None,
) -> NodeFigure:
    """Return the figure of a scene. factor: metres per unit of its lengths. chosen: the animation in hand. Raises BadFile."""
    tracks = _by_target(animations)
    own = chosen.tracks if chosen is not None else {}
    bound = _skinned(document)
    size = max((float(np.abs(node.translation).max()) for node in nodes), default=0.0)
    names, links, joints, movers = Names(), [], [], []
    called = [names.take(node.name) for node in nodes]
    world = names.take(WORLD)
    links.append(Link(world))
    scales: list[float] = []
    n = 0
    for k, node in enumerate(nodes):
        before = scales[node.parent] if node.parent >= 0 else factor
        scales.append(
            before * _uniform(document, node, tracks.get((node.number, "scale"), []), own.get((node.number, "scale")))
        )
        moved = tracks.get((node.number, "translation"), [])
        place, moves = _place(node, moved, own.get((node.number, "translation")), HELD * max(size, 1e-12))
        turns = (node.number, "rotation") in tracks
        kind = Kind.FLOATING if moves else Kind.BALL if turns or node.number in bound else Kind.FIXED
        origin = np.eye(4)
        origin[:3, :3], origin[:3, 3] = matrices_of(node.rotation), place * before
        links.append(Link(called[k]))
        joints.append(Joint(called[k], kind, called[node.parent] if node.parent >= 0 else world, called[k], origin))
        if kind is not Kind.FIXED:
            movers.append(Mover(node.number, kind, n, place, node.rotation, before))
            n += kind.size
    if not movers:
        document.refuse("holds neither an animation nor a skin: nothing in it moves")
    name = document.path.stem or "figure"
    return NodeFigure(Mechanism(name, tuple(links), tuple(joints), up="y"), tuple(movers), n)


def _skinned(document: Document) -> set[int]:
    found: set[int] = set()
    count = len(document.objects("nodes"))
    for k, skin in enumerate(document.objects("skins")):
        joints = skin.get("joints", [])
        if not isinstance(joints, list) or not all(
            isinstance(j, int) and not isinstance(j, bool) and 0 <= j < count for j in joints
        ):
            document.refuse(f"has a skin {k} bound to nodes that do not exist")
        found.update(joints)
    return found


def _by_target(animations: tuple[Animation, ...]) -> dict[tuple[int, str], list[Sampler]]:
    """Return the samplers of all animations by node and path."""
    found: dict[tuple[int, str], list[Sampler]] = {}
    for animation in animations:
        for target, track in animation.tracks.items():
            found.setdefault(target, []).append(track)
    return found


def _range(tracks: list[Sampler]) -> tuple[Array, Array]:
    """Return the least and greatest of what some samplers hold; a spline's slopes count as motion."""
    parts = []
    for track in tracks:
        values = track.values
        if track.mode == "CUBICSPLINE":
            reach = float(np.ptp(track.times)) * np.abs(values[:, (0, 2)]).max(axis=(0, 1)) if len(values) > 1 else 0.0
            values = np.concatenate([values[:, 1] - reach, values[:, 1] + reach])
        parts.append(values)
    every = np.concatenate(parts)
    return every.min(axis=0), every.max(axis=0)


def _place(node: SceneNode, tracks: list[Sampler], own: Sampler | None, near: float) -> tuple[Array, bool]:
    """Return where a node stands in the zero posture, and whether it ever moves. own: its track in the animation in hand."""
    if tracks:
        low, high = _range(tracks)
        if float((high - low).max()) > near:
            return node.translation, True
    if own is None:
        return node.translation, False
    low, high = _range([own])
    return (low + high) / 2, False


def _uniform(document: Document, node: SceneNode, tracks: list[Sampler], own: Sampler | None) -> float:
    """Return the scale that a node gives to what hangs on it; refuse one that is not the same everywhere and always."""
    if not node.children:
        return 1.0
    scale = node.scale
    if tracks:
        low, high = _range(tracks)
        if float((high - low).max()) > UNEVEN_SCALE * max(float(np.abs(high).max()), 1e-12):
            document.refuse(
                f"changes the scale of node '{node.name}' over time, which no joint can do; bake or remove it"
            )
    if own is not None:
        low, high = _range([own])
        scale = (low + high) / 2
    mean = float(scale.mean())
    if mean <= 0 or float(np.abs(scale - mean).max()) > UNEVEN_SCALE * mean:
        document.refuse(
            f"scales node '{node.name}' by {scale.round(6).tolist()}; one positive scale for all directions is meant: "
            "apply it before exporting"
        )
    return mean

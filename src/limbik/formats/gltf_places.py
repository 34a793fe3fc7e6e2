"""The positions and scales of the nodes of a glTF scene, and which of the positions change.

Animations are examined separately: a node that two animations hold at two different positions moves in neither.
"""

from dataclasses import dataclass

import numpy as np

from limbik.formats.gltf_document import Document
from limbik.formats.gltf_motion import Animation
from limbik.formats.gltf_nodes import SceneNode
from limbik.formats.gltf_samplers import Sampler
from limbik.formats.held import RIGID, extent, held_note, still_within
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_quaternion

# The greatest value of a Hermite cubic's slope terms, s (1 - s)^2 and s^2 (1 - s).
MOST_OF_SLOPE = 4 / 27


@dataclass(frozen=True, eq=False)
class Places:
    """For each node of a scene: its position in its parent's unit, (3,), whether the position changes, metres per unit of it."""

    positions: tuple[Array, ...]
    moves: tuple[bool, ...]
    scales: tuple[float, ...]
    notes: tuple[str, ...]


def places_of(
    document: Document,
    nodes: tuple[SceneNode, ...],
    animations: tuple[Animation, ...],
    bound: set[int],
    factor: float,
    chosen: Animation | None,
) -> Places:
    """Return the positions of nodes in the zero posture. bound: nodes of skins. chosen: the animation to read. Raises BadFile.

    factor: metres per unit of the file. A constant position or scale of the chosen animation replaces the node's own.
    """
    tracks = _by_target(animations)
    own = chosen.tracks if chosen is not None else {}
    inner: list[float] = []  # metres per unit of the positions of each node's children
    scales: list[float] = []
    for node in nodes:
        scales.append(inner[node.parent] if node.parent >= 0 else factor)
        key = node.number, "scale"
        inner.append(scales[-1] * _uniform(document, node, tracks.get(key, []), own.get(key)))
    jointed = [
        node.number in bound or any((node.number, p) in tracks for p in ("rotation", "translation")) for node in nodes
    ]
    figure = extent(_at_rest(nodes, scales)[jointed])
    below_joint = [False] * len(nodes)
    positions, moves, dropped = [], [], []
    for k, node in enumerate(nodes):
        if node.parent >= 0:
            below_joint[k] = below_joint[node.parent] or jointed[node.parent]
        # the position of a root is not a bone
        bone = float(np.linalg.norm(node.translation)) * scales[k] if below_joint[k] else 0.0
        position, moved, varies = _position(node, tracks.get((node.number, "translation"), []),
                                      own.get((node.number, "translation")),
                                      still_within(bone, figure) / scales[k])  # fmt: skip
        positions.append(position)
        moves.append(moved)
        if not moved and varies > 0:
            dropped.append(varies * scales[k])
    return Places(
        tuple(positions),
        tuple(moves),
        tuple(scales),
        held_note("translations", len(dropped), max(dropped, default=0.0)),
    )


def _at_rest(nodes: tuple[SceneNode, ...], scales: list[float]) -> Array:
    """Return the positions of nodes as stored in the file, (k, 3) [m]."""
    T = np.tile(np.eye(4), (len(nodes), 1, 1))
    for k, node in enumerate(nodes):
        T[k, :3, :3], T[k, :3, 3] = matrix_from_quaternion(node.rotation), node.translation * scales[k]
        if node.parent >= 0:
            T[k] = T[node.parent] @ T[k]
    return T[:, :3, 3]


def _by_target(animations: tuple[Animation, ...]) -> dict[tuple[int, str], list[Sampler]]:
    """Return the samplers of all animations by node and path."""
    found: dict[tuple[int, str], list[Sampler]] = {}
    for animation in animations:
        for target, track in animation.tracks.items():
            found.setdefault(target, []).append(track)
    return found


def _range(track: Sampler) -> tuple[Array, Array]:
    """Return lower and upper bounds of the values of a sampler at any time, (3,) each."""
    values = track.values
    if track.mode != "CUBICSPLINE":
        return values.min(axis=0), values.max(axis=0)
    keys = values[:, 1]
    low, high = keys.min(axis=0), keys.max(axis=0)
    if len(keys) < 2:
        return low, high
    gap = np.diff(track.times)[:, None]
    beyond = MOST_OF_SLOPE * gap * (np.abs(values[:-1, 2]) + np.abs(values[1:, 0]))
    return (
        np.minimum(low, (np.minimum(keys[:-1], keys[1:]) - beyond).min(axis=0)),
        np.maximum(high, (np.maximum(keys[:-1], keys[1:]) + beyond).max(axis=0)),
    )


def _varies(tracks: list[Sampler]) -> float:
    """Return the greatest range of a coordinate within one animation."""
    return max((float((high - low).max()) for low, high in map(_range, tracks)), default=0.0)


def _position(node: SceneNode, tracks: list[Sampler], own: Sampler | None, near: float) -> tuple[Array, bool, float]:
    """Return a node's position in the zero posture, whether it ever changes, and its range."""
    varies = _varies(tracks)
    if varies > near or own is None:
        return node.translation, varies > near, varies
    low, high = _range(own)
    return (low + high) / 2, False, varies


def _uniform(document: Document, node: SceneNode, tracks: list[Sampler], own: Sampler | None) -> float:
    """Return the scale that a node applies to its children. Raises BadFile if it is not uniform and constant."""
    if not node.children:
        return 1.0
    scale = node.scale
    for track in tracks:
        low, high = _range(track)
        if float((high - low).max()) > RIGID * max(float(np.abs(high).max()), 1e-12):
            document.refuse(
                f"changes the scale of node '{node.name}' over time, which no joint can represent; bake or remove it"
            )
    if own is not None:
        low, high = _range(own)
        scale = (low + high) / 2
    mean = float(scale.mean())
    if mean <= 0 or float(np.abs(scale - mean).max()) > RIGID * mean:
        document.refuse(
            f"scales node '{node.name}' by {scale.round(6).tolist()}; give one positive scale for all directions: "
            "apply it before exporting"
        )
    return mean

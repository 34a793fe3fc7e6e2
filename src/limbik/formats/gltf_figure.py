"""Convert the nodes of any glTF file to a figure with ball, floating and fixed joints.

A node whose position an animation changes becomes a floating joint. Any other node that an animation rotates, or that
belongs to a skin, becomes a ball joint. All other nodes are fixed. The node transforms stored in the file are the zero
posture (configuration). If the chosen animation holds a node at another constant position, that position is part of the
zero posture; constant positions of other animations are not. A uniform, constant scale is applied to the positions of
the nodes below. `gltf_places.py` decides which positions change. The hips of a human figure always get a floating
joint.
"""

from dataclasses import dataclass

import numpy as np

from limbik.formats.gltf_document import Document
from limbik.formats.gltf_motion import Animation
from limbik.formats.gltf_nodes import SceneNode
from limbik.formats.gltf_places import places_of
from limbik.formats.gltf_samplers import Sampler, unit
from limbik.formats.names import Names
from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_quaternion, quaternion_product, vector_from_quaternion
from limbik.model.free_hips import with_free_hips
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism

WORLD = "world"


@dataclass(frozen=True, eq=False)
class Mover:
    """A joint of the figure.

    node: its index in the file. first: the index in q of its first value. position, rotation (x y z w): of the node in
    the zero posture. scale: metres per unit of its position.
    """

    node: int
    kind: Kind
    first: int
    position: Array
    rotation: Array
    scale: float


@dataclass(frozen=True, eq=False)
class NodeFigure:
    """The mechanism of a scene and its moving nodes. notes: positions that were taken as constant."""

    mechanism: Mechanism
    movers: tuple[Mover, ...]
    n: int
    notes: tuple[str, ...] = ()

    def postures(self, tracks: dict[tuple[int, str], Sampler], times: Array) -> Array:
        """Return q (frames, n) of an animation at these times [s]."""
        q = np.zeros((len(times), self.n))
        for mover in self.movers:
            at = mover.first
            inverse = mover.rotation * [-1.0, -1.0, -1.0, 1.0]
            if mover.kind is Kind.FLOATING:
                if (track := tracks.get((mover.node, "translation"))) is not None:
                    q[:, at : at + 3] = (
                        (track.at(times) - mover.position) @ matrix_from_quaternion(mover.rotation) * mover.scale
                    )
                at += 3
            if (track := tracks.get((mover.node, "rotation"))) is not None:
                q[:, at : at + 3] = vector_from_quaternion(unit(quaternion_product(inverse, unit(track.at(times)))))
        return q


def build_nodes(
    document: Document,
    nodes: tuple[SceneNode, ...],
    animations: tuple[Animation, ...],
    factor: float,
    chosen: Animation | None = None,
) -> NodeFigure:
    """Return the figure of a scene. factor: metres per unit of length. chosen: the animation to read. Raises BadFile."""
    rotated = {number for animation in animations for number, path in animation.tracks if path == "rotation"}
    bound = _skinned(document)
    at = places_of(document, nodes, animations, bound, factor, chosen)
    names, links, joints = Names(), [], []
    link_of = [names.take(node.name) for node in nodes]
    world = names.take(WORLD)
    links.append(Link(world))
    for k, node in enumerate(nodes):
        rotates = node.number in rotated or node.number in bound
        kind = Kind.FLOATING if at.moves[k] else Kind.BALL if rotates else Kind.FIXED
        origin = np.eye(4)
        origin[:3, :3], origin[:3, 3] = matrix_from_quaternion(node.rotation), at.positions[k] * at.scales[k]
        links.append(Link(link_of[k]))
        joints.append(Joint(link_of[k], kind, link_of[node.parent] if node.parent >= 0 else world, link_of[k], origin))
    mechanism = with_free_hips(Mechanism(document.path.stem or "figure", tuple(links), tuple(joints), up="y"))
    movers, n = [], 0
    for k, node in enumerate(nodes):
        kind = mechanism.joint_of[link_of[k]].kind
        if kind is not Kind.FIXED:
            movers.append(Mover(node.number, kind, n, at.positions[k], node.rotation, at.scales[k]))
            n += kind.size
    if not movers:
        document.refuse("contains neither an animation nor a skin: nothing in it moves")
    return NodeFigure(mechanism, tuple(movers), n, at.notes)


def _skinned(document: Document) -> set[int]:
    found: set[int] = set()
    count = len(document.objects("nodes"))
    for k, skin in enumerate(document.objects("skins")):
        joints = skin.get("joints", [])
        if not isinstance(joints, list) or not all(
            isinstance(j, int) and not isinstance(j, bool) and 0 <= j < count for j in joints
        ):
            document.refuse(f"has a skin {k} with joints that are not nodes of the file")
        found.update(joints)
    return found

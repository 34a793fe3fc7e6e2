"""Nodes of any glTF file as a figure: links, ball joints where something turns, floating ones where something moves about.

A node that an animation turns, or that a skin is bound to, is a ball joint; one whose place changes, a floating one; the rest are
fixed. The pose in which the file stores its nodes is the zero posture. A place that the animation in hand puts a node at without
moving it is part of that pose; one that another animation puts it at is not. A scale that is the same in all directions and at
all times is folded into what hangs on it. `gltf_places.py` says what moves. The hips of a human figure float in any case.
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
    """A joint of the figure. node: its number in the file. first: where its numbers of q begin. scale: of what it hangs on."""

    node: int
    kind: Kind
    first: int
    place: Array
    turn: Array
    scale: float


@dataclass(frozen=True, eq=False)
class NodeFigure:
    """The mechanism of some nodes, and which of them move it. notes: what was held still."""

    mechanism: Mechanism
    movers: tuple[Mover, ...]
    n: int
    notes: tuple[str, ...] = ()

    def postures(self, tracks: dict[tuple[int, str], Sampler], times: Array) -> Array:
        """Return q (frames, n) of an animation at some times."""
        q = np.zeros((len(times), self.n))
        for mover in self.movers:
            at = mover.first
            back = mover.turn * [-1.0, -1.0, -1.0, 1.0]
            if mover.kind is Kind.FLOATING:
                if (track := tracks.get((mover.node, "translation"))) is not None:
                    q[:, at : at + 3] = (
                        (track.at(times) - mover.place) @ matrix_from_quaternion(mover.turn) * mover.scale
                    )
                at += 3
            if (track := tracks.get((mover.node, "rotation"))) is not None:
                q[:, at : at + 3] = vector_from_quaternion(unit(quaternion_product(back, unit(track.at(times)))))
        return q


def build_nodes(
    document: Document,
    nodes: tuple[SceneNode, ...],
    animations: tuple[Animation, ...],
    factor: float,
    chosen: Animation | None = None,
) -> NodeFigure:
    """Return the figure of a scene. factor: metres per unit of its lengths. chosen: the animation in hand. Raises BadFile."""
    turned = {number for animation in animations for number, path in animation.tracks if path == "rotation"}
    bound = _skinned(document)
    at = places_of(document, nodes, animations, bound, factor, chosen)
    names, links, joints = Names(), [], []
    called = [names.take(node.name) for node in nodes]
    world = names.take(WORLD)
    links.append(Link(world))
    for k, node in enumerate(nodes):
        turns = node.number in turned or node.number in bound
        kind = Kind.FLOATING if at.moves[k] else Kind.BALL if turns else Kind.FIXED
        origin = np.eye(4)
        origin[:3, :3], origin[:3, 3] = matrix_from_quaternion(node.rotation), at.places[k] * at.scales[k]
        links.append(Link(called[k]))
        joints.append(Joint(called[k], kind, called[node.parent] if node.parent >= 0 else world, called[k], origin))
    mechanism = with_free_hips(Mechanism(document.path.stem or "figure", tuple(links), tuple(joints), up="y"))
    movers, n = [], 0
    for k, node in enumerate(nodes):
        kind = mechanism.joint_of[called[k]].kind
        if kind is not Kind.FIXED:
            movers.append(Mover(node.number, kind, n, at.places[k], node.rotation, at.scales[k]))
            n += kind.size
    if not movers:
        document.refuse("holds neither an animation nor a skin: nothing in it moves")
    return NodeFigure(mechanism, tuple(movers), n, at.notes)


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

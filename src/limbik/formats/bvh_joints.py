"""Convert the nodes of a BVH file to joints, and its channels to postures (configurations).

With p the position channels and R1, R2, R3 the rotation channels in the order written,
    T_parent_node = Translation(p) R1 R2 R3.
A position channel replaces the node's OFFSET along its axis; without a channel the OFFSET applies. An OFFSET has no
rotation, so all frames are parallel to the world in the zero posture. Three rotations about different axes are one ball
joint; with three positions, a floating joint. Any other set of channels becomes a series of prismatic and revolute
joints. Constant position channels (`held.py`) of a node that is not a root are the placement of its bone and become no
joint, unless all positions are to be kept.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik._core import euler_to_vectors
from limbik.formats.bvh_text import Node
from limbik.formats.held import extent, held_note, still_within
from limbik.formats.names import Names
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import translation
from limbik.model.joint import Joint, Kind, Link
from limbik.model.mechanism import Mechanism

DEGREE = math.pi / 180
WORLD = "world"


@dataclass(frozen=True)
class ChannelPlan:
    """The channel columns of each value of q. n: values of q. channels: columns.

    prismatic: (column, index in q, channel value at q = 0). revolute: (column, index in q). balls: three columns, their three
    axes, and the index in q of the first component of the rotation vector.
    """

    n: int
    channels: int
    prismatic: tuple[tuple[int, int, float], ...] = ()
    revolute: tuple[tuple[int, int], ...] = ()
    balls: tuple[tuple[int, int, int, int, int, int, int], ...] = ()

    def postures(self, values: Array, unit: float) -> Array:
        """Return q (frames, n) for channel values (frames, channels). unit: metres per unit of the file."""
        q = euler_to_vectors(values, [x for ball in self.balls for x in ball], self.n, DEGREE)
        for column, target, zero in self.prismatic:
            q[:, target] = (values[:, column] - zero) * unit
        for column, target in self.revolute:
            q[:, target] = values[:, column] * DEGREE
        return q


@dataclass(frozen=True)
class Figure:
    """The mechanism of a BVH file, and the plan from its channels to q."""

    mechanism: Mechanism
    plan: ChannelPlan


class _Builder:
    def __init__(self, nodes: tuple[Node, ...], values: Array, unit: float, keep: bool) -> None:
        self.nodes, self.values, self.unit, self.keep = nodes, values, unit, keep
        self.links: list[Link] = []
        self.joints: list[Joint] = []
        self.prismatic: list[tuple[int, int, float]] = []
        self.revolute: list[tuple[int, int]] = []
        self.balls: list[tuple[int, int, int, int, int, int, int]] = []
        self.n = self.column = 0
        self.notes: list[str] = []
        self.held: list[float] = []

    def build(self, name: str, up: str) -> Figure:
        names = Names()
        link_of: list[str] = [names.take(node.name or "joint") if not node.is_end else "" for node in self.nodes]
        doubles = [
            node.name for node, got in zip(self.nodes, link_of, strict=True) if not node.is_end and got != node.name
        ]
        if doubles:
            self.notes.append(f"{len(doubles)} joints have no unique name ('{doubles[0]}'): a number was added")
        for k, node in enumerate(self.nodes):
            if node.is_end:
                link_of[k] = names.take(f"{link_of[node.parent]}_end")
        self.link_names, self.joint_names = names, Names(link_of)
        world = names.take(WORLD)
        self.links.append(Link(world))
        positions = self._positions()
        at_rest = np.zeros((len(self.nodes), 3))
        for k, node in enumerate(self.nodes):
            at_rest[k] = at_rest[node.parent] + positions[k] if node.parent >= 0 else 0.0
        size = extent(at_rest)
        for k, node in enumerate(self.nodes):
            near = still_within(float(np.linalg.norm(positions[k])), size)
            self._add(node, link_of[k], world if node.parent < 0 else link_of[node.parent], near)
        self.notes += held_note("positions", len(self.held), max(self.held, default=0.0) * self.unit)
        mechanism = Mechanism(name, tuple(self.links), tuple(self.joints), up=up, notes=tuple(self.notes))
        plan = ChannelPlan(self.n, self.column, tuple(self.prismatic), tuple(self.revolute), tuple(self.balls))
        return Figure(mechanism, plan)

    def _positions(self) -> Array:
        """Return each node's position relative to its parent, (nodes, 3): the middle of its position channel, else its offset."""
        positions = np.array([node.offset for node in self.nodes]).reshape(-1, 3)
        if not len(self.values):
            return positions
        column = 0
        for k, node in enumerate(self.nodes):
            for channel in node.channels:
                if channel.endswith("position"):
                    values = self.values[:, column]
                    positions[k, "XYZ".index(channel[0])] = (values.min() + values.max()) / 2
                column += 1
        return positions

    def _add(self, node: Node, name: str, parent: str, near: float) -> None:
        """Add the joints of a node. near: the range within which its position counts as constant."""
        positions = {"XYZ".index(c[0]): self.column + k for k, c in enumerate(node.channels) if c.endswith("position")}
        rotations = [
            ("XYZ".index(c[0]), self.column + k) for k, c in enumerate(node.channels) if c.endswith("rotation")
        ]
        self.column += len(node.channels)
        offset = list(node.offset)
        if node.parent >= 0 and positions:
            constant = {axis: self._constant(column, near) for axis, column in positions.items()}
            if varied := max((found[1] for found in constant.values() if found is not None), default=0.0):
                self.held.append(varied)
            for axis, found in constant.items():
                if found is not None:
                    offset[axis] = found[0]
                    del positions[axis]
        is_ball = len(rotations) == 3 and len({axis for axis, _ in rotations}) == 3
        is_floating = is_ball and len(positions) == 3
        if is_floating and node.parent < 0:
            offset = [0.0, 0.0, 0.0]  # a root's position is relative to the world's origin
        kinds: list[tuple[Kind, str, int]] = []  # of the joints: kind, name, axis
        if not is_floating:
            for axis, column in positions.items():
                self.prismatic.append((column, self.n + len(kinds), offset[axis]))
                kinds.append((Kind.PRISMATIC, f"{name}_{'XYZ'[axis]}position", axis))
        if is_ball:
            first = self.n + len(kinds)
            if is_floating:
                self.prismatic += [(positions[axis], first + axis, offset[axis]) for axis in range(3)]
                first += 3
            (a, i), (b, j), (c, k) = rotations
            self.balls.append((i, j, k, a, b, c, first))
            kinds.append((Kind.FLOATING if is_floating else Kind.BALL, name, 2))
        else:
            for axis, column in rotations:
                self.revolute.append((column, self.n + len(kinds)))
                kinds.append((Kind.CONTINUOUS, f"{name}_{'XYZ'[axis]}rotation", axis))
        self._chain(kinds or [(Kind.FIXED, name, 2)], name, parent, offset)

    def _chain(self, kinds: list[tuple[Kind, str, int]], name: str, parent: str, offset: list[float]) -> None:
        """Add a series of joints between two links, with massless links between them."""
        origin = translation([x * self.unit for x in offset])
        for k, (kind, wanted, axis) in enumerate(kinds):
            last = k == len(kinds) - 1
            child = name if last else self.link_names.take(wanted)
            joint = name if wanted == name else self.joint_names.take(wanted)
            self.links.append(Link(child))
            self.joints.append(Joint(joint, kind, parent, child, origin, np.eye(3)[axis]))
            self.n += kind.size
            parent, origin = child, np.eye(4)

    def _constant(self, column: int, near: float) -> tuple[float, float] | None:
        """Return the middle value of a channel and its range if the range is at most `near`, else None."""
        if self.keep or not len(self.values):
            return None
        values = self.values[:, column]
        low, high = float(values.min()), float(values.max())
        return ((low + high) / 2, high - low) if high - low <= near else None


def build_figure(
    nodes: tuple[Node, ...], values: Array, unit: float, name: str, up: str = "y", keep: bool = False
) -> Figure:
    """Return the mechanism of nodes, in metres, and the plan of its channels.

    values: all frames; they show which positions change. keep: constant position channels become joints, too.
    """
    return _Builder(nodes, values, unit, keep).build(name, up)

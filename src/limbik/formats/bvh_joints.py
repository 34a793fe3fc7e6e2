"""From the nodes of a BVH file to joints, and from rows of its channels to postures.

A node's channels say, with p the position channels and R1, R2, R3 the rotation channels in the order written,
    T_parent_node = Translation(p) R1 R2 R3,
where a position that has no channel is the node's OFFSET: a position channel takes the offset's place. Frames stand parallel to
the world in the zero posture, since an offset has no rotation. Three turns about different axes are one ball joint; with three
positions, a floating one. Any other set of channels becomes sliding and turning joints in a row. Position channels of a joint
that is not a root and that hold still (`held.py`) are a bone's place: they make no joint, unless all positions are to be kept.
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
    """Which channels make which numbers of q.

    slides: (column, number of q, the value that is zero there). turns: (column, number of q). places: three columns, three axes
    and the number of q where the rotation vector begins, for each ball. In all, n numbers of q and so many channels.
    """

    n: int
    channels: int
    slides: tuple[tuple[int, int, float], ...] = ()
    turns: tuple[tuple[int, int], ...] = ()
    places: tuple[tuple[int, int, int, int, int, int, int], ...] = ()

    def postures(self, values: Array, unit: float) -> Array:
        """Return q (frames, n) of rows of channels (frames, channels); unit: metres per unit of the file."""
        q = euler_to_vectors(values, [x for place in self.places for x in place], self.n, DEGREE)
        for column, target, zero in self.slides:
            q[:, target] = (values[:, column] - zero) * unit
        for column, target in self.turns:
            q[:, target] = values[:, column] * DEGREE
        return q


@dataclass(frozen=True)
class Figure:
    """The mechanism of a BVH file and how its channels move it."""

    mechanism: Mechanism
    plan: ChannelPlan


class _Builder:
    def __init__(self, nodes: tuple[Node, ...], values: Array, unit: float, keep: bool) -> None:
        self.nodes, self.values, self.unit, self.keep = nodes, values, unit, keep
        self.links: list[Link] = []
        self.joints: list[Joint] = []
        self.slides: list[tuple[int, int, float]] = []
        self.turns: list[tuple[int, int]] = []
        self.places: list[tuple[int, int, int, int, int, int, int]] = []
        self.n = self.column = 0
        self.notes: list[str] = []
        self.held: list[float] = []

    def build(self, name: str, up: str) -> Figure:
        names = Names()
        called: list[str] = [names.take(node.name or "joint") if not node.is_end else "" for node in self.nodes]
        doubles = [
            node.name for node, got in zip(self.nodes, called, strict=True) if not node.is_end and got != node.name
        ]
        if doubles:
            self.notes.append(f"{len(doubles)} joints had no name of their own ('{doubles[0]}'): a number was added")
        for k, node in enumerate(self.nodes):
            if node.is_end:
                called[k] = names.take(f"{called[node.parent]}_end")
        self.link_names, self.joint_names = names, Names(called)
        world = names.take(WORLD)
        self.links.append(Link(world))
        places = self._places()
        at_rest = np.zeros((len(self.nodes), 3))
        for k, node in enumerate(self.nodes):
            at_rest[k] = at_rest[node.parent] + places[k] if node.parent >= 0 else 0.0
        size = extent(at_rest)
        for k, node in enumerate(self.nodes):
            near = still_within(float(np.linalg.norm(places[k])), size)
            self._add(node, called[k], world if node.parent < 0 else called[node.parent], near)
        self.notes += held_note("positions", len(self.held), max(self.held, default=0.0) * self.unit)
        mechanism = Mechanism(name, tuple(self.links), tuple(self.joints), up=up, notes=tuple(self.notes))
        plan = ChannelPlan(self.n, self.column, tuple(self.slides), tuple(self.turns), tuple(self.places))
        return Figure(mechanism, plan)

    def _places(self) -> Array:
        """Return where each node stands against its parent, (nodes, 3): the middle of its position channels, else its offset."""
        places = np.array([node.offset for node in self.nodes]).reshape(-1, 3)
        if not len(self.values):
            return places
        column = 0
        for k, node in enumerate(self.nodes):
            for channel in node.channels:
                if channel.endswith("position"):
                    values = self.values[:, column]
                    places[k, "XYZ".index(channel[0])] = (values.min() + values.max()) / 2
                column += 1
        return places

    def _add(self, node: Node, name: str, parent: str, near: float) -> None:
        """Add the joints of a node. near: the range within which its place holds still."""
        positions = {"XYZ".index(c[0]): self.column + k for k, c in enumerate(node.channels) if c.endswith("position")}
        rotations = [
            ("XYZ".index(c[0]), self.column + k) for k, c in enumerate(node.channels) if c.endswith("rotation")
        ]
        self.column += len(node.channels)
        offset = list(node.offset)
        if node.parent >= 0 and positions:
            held = {axis: self._held(column, near) for axis, column in positions.items()}
            if varies := max((at[1] for at in held.values() if at is not None), default=0.0):
                self.held.append(varies)
            for axis, at in held.items():
                if at is not None:
                    offset[axis] = at[0]
                    del positions[axis]
        is_ball = len(rotations) == 3 and len({axis for axis, _ in rotations}) == 3
        floats = is_ball and len(positions) == 3
        if floats and node.parent < 0:
            offset = [0.0, 0.0, 0.0]  # a root's position is its place in the world
        kinds: list[tuple[Kind, str, int]] = []
        if not floats:
            for axis, column in positions.items():
                self.slides.append((column, self.n + len(kinds), offset[axis]))
                kinds.append((Kind.PRISMATIC, f"{name}_{'XYZ'[axis]}position", axis))
        if is_ball:
            first = self.n + len(kinds)
            if floats:
                self.slides += [(positions[axis], first + axis, offset[axis]) for axis in range(3)]
                first += 3
            (a, i), (b, j), (c, k) = rotations
            self.places.append((i, j, k, a, b, c, first))
            kinds.append((Kind.FLOATING if floats else Kind.BALL, name, 2))
        else:
            for axis, column in rotations:
                self.turns.append((column, self.n + len(kinds)))
                kinds.append((Kind.CONTINUOUS, f"{name}_{'XYZ'[axis]}rotation", axis))
        self._chain(kinds or [(Kind.FIXED, name, 2)], name, parent, offset)

    def _chain(self, kinds: list[tuple[Kind, str, int]], name: str, parent: str, offset: list[float]) -> None:
        """Put joints in a row between two links, with links of no size between them."""
        origin = translation([x * self.unit for x in offset])
        for k, (kind, called, axis) in enumerate(kinds):
            last = k == len(kinds) - 1
            child = name if last else self.link_names.take(called)
            joint = name if called == name else self.joint_names.take(called)
            self.links.append(Link(child))
            self.joints.append(Joint(joint, kind, parent, child, origin, np.eye(3)[axis]))
            self.n += kind.size
            parent, origin = child, np.eye(4)

    def _held(self, column: int, near: float) -> tuple[float, float] | None:
        """Return the value of a channel that holds still and the range in which it varies, or None."""
        if self.keep or not len(self.values):
            return None
        values = self.values[:, column]
        low, high = float(values.min()), float(values.max())
        return ((low + high) / 2, high - low) if high - low <= near else None


def build_figure(
    nodes: tuple[Node, ...], values: Array, unit: float, name: str, up: str = "y", keep: bool = False
) -> Figure:
    """Return the mechanism of some nodes, in metres, and the plan of its channels.

    values: all rows, to see what moves. keep: position channels that never change make joints, too.
    """
    return _Builder(nodes, values, unit, keep).build(name, up)

"""All variables of a planar arm as functions of its posture (configuration), with derivatives.

A posture is given by the joint angles (alpha, then interior angles, pi if straight). Segment k has the direction phi_k, the sum
of alpha and the preceding bends, so d phi_k / d joint_j = 1 for j <= k, and a point depends on each segment before it:
d p_k / d phi_m = L_m (-sin phi_m, cos phi_m), m < k. Where the length of a segment m is a variable, d p_k / d L_m is the unit
vector of the segment, m < k.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from limbik.geometry.angles import TURN, nearest_copy, wrap
from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.triangles import segment_names
from limbik.solvers.relaxation.turns import is_length, nearest_turn


@dataclass(frozen=True)
class Posture:
    """A planar arm in a posture: coordinates (c,), points (n + 1, 2), moves (n + 1, 2, c) the points' derivatives."""

    joints: Array
    points: Array
    moves: Array


class Measures:
    """The variables of an arm, by name: those of the network, x and y of the tip, x1, y1 ... of the joints between."""

    def __init__(self, network: AngleNetwork, circles: Sequence[tuple[float, float, float]] = ()) -> None:
        """circles: forbidden regions, (x, y, radius) in the plane. Each segment's distance from each centre becomes a variable.

        gaps: these variables; gap_ranges: their ranges, at least the radius.
        """
        self.network = network
        self.gaps = {
            f"segment {k + 1} from region {i + 1}": (k, np.array(circle[:2]))
            for i, circle in enumerate(circles)
            for k in range(len(network.lengths))
        }
        self.gap_ranges = {name: Range(low=circles[i // len(network.lengths)][2]) for i, name in enumerate(self.gaps)}
        n = len(network.lengths)
        places = {"x": (n, 0), "y": (n, 1)}
        for k in range(1, n):
            places |= {f"x{k}": (k, 0), f"y{k}": (k, 1)}
        self.places = places
        self.names = (*network.variables, *places)
        self._lower = np.tril(np.ones((n, n)))

    def is_angle(self, name: str) -> bool:
        """Return whether a variable is an angle or a direction [rad]; others are lengths [m]."""
        return name not in self.network.triangles.distances and name not in self.places and name not in self.gaps

    def posture(self, joints: Array) -> Posture:
        """Return the geometry of a posture."""
        net = self.network
        phi, lengths = net.directions(joints), net.lengths_at(joints)
        points = net.points(phi, lengths)
        n = len(phi)
        along = np.stack([np.cos(phi), np.sin(phi)])
        per_segment = np.stack([-along[1], along[0]]) * lengths
        moves = np.zeros((n + 1, 2, n))
        for k in range(1, n + 1):
            moves[k, :, :k] = per_segment[:, :k]
        moves = moves @ self._lower
        for name in net.free:
            m = int(name[1:]) - 1
            stretch = np.zeros((n + 1, 2, 1))
            stretch[m + 1 :, :, 0] = along[:, m]
            moves = np.concatenate([moves, stretch], axis=2)
        return Posture(np.asarray(joints, np.float64), points, moves)

    def value(self, name: str, posture: Posture) -> tuple[float, Array]:
        """Return a variable and its derivatives by the coordinates, (c,); these are 0 at a distance of 0."""
        net, p = self.network, posture.points
        if name in self.places:
            k, axis = self.places[name]
            return float(p[k, axis]), posture.moves[k, axis]
        if name in self.gaps:
            return self._gap(posture, *self.gaps[name])
        joints = net.coordinates
        if name in joints:
            j = joints.index(name)
            return float(posture.joints[j]), np.eye(len(joints))[j]
        if is_length(name):  # a constant
            return net.lengths[int(name[1:]) - 1], np.zeros(len(joints))
        if name == "rho":
            return self._direction(posture, 0, len(p) - 1)
        if name in net.triangles.distances:
            a, b = net.triangles.distances[name]
            vector = p[b] - p[a]
            far = math.hypot(*vector)
            return far, (vector @ (posture.moves[b] - posture.moves[a])) / far if far > 0 else np.zeros(len(joints))
        corner, start, end = net.triangles.angles[name]
        to, slope = self._direction(posture, corner, start)
        fro, other = self._direction(posture, corner, end)
        return math.remainder(to - fro, TURN), slope - other

    @staticmethod
    def _gap(posture: Posture, segment: int, centre: Array) -> tuple[float, Array]:
        """Return the distance of a segment from a point, with its derivatives."""
        (a, b), (start, end) = posture.points[segment : segment + 2], posture.moves[segment : segment + 2]
        vector = b - a
        share = min(max(float((centre - a) @ vector) / float(vector @ vector), 0.0), 1.0)
        offset = a + share * vector - centre
        far = math.hypot(*offset)
        moved = (1.0 - share) * start + share * end
        # for a segment through the centre: the normal of the segment
        outward = offset / far if far > 0 else np.array([-vector[1], vector[0]]) / math.hypot(*vector)
        return far, np.asarray(outward @ moved)

    @staticmethod
    def _direction(posture: Posture, a: int, b: int) -> tuple[float, Array]:
        """Return the direction from one point to another [rad], with its derivatives."""
        vector = posture.points[b] - posture.points[a]
        square = float(vector @ vector)
        moved = posture.moves[b] - posture.moves[a]
        slope = (vector[0] * moved[1] - vector[1] * moved[0]) / square if square > 0 else np.zeros(moved.shape[1])
        return math.atan2(vector[1], vector[0]), slope

    def miss(self, name: str, wanted: Range, posture: Posture) -> tuple[float, Array]:
        """Return the signed error of a variable from its range, and its derivatives; angles modulo 2 pi."""
        x, slope = self.value(name, posture)
        low, high = wanted.low, wanted.high
        if self.is_angle(name):
            x = nearest_turn(x, wanted)
        if x < low:
            return x - low, slope
        return (x - high, slope) if x > high else (0.0, np.zeros_like(slope))

    def misses(self, inputs: Mapping[str, Range], joints: Array) -> dict[str, float]:
        """Return the error of each input [rad or m]."""
        posture = self.posture(joints)
        return {name: abs(self.miss(name, wanted, posture)[0]) for name, wanted in inputs.items()}

    def largest_misses(self, inputs: Mapping[str, Range], joints: Array) -> tuple[Array, Array]:
        """Return the largest angle error [rad] and length error [m] of postures (k, n), (k,) each."""
        net = self.network
        p = net.points_at(joints)
        worst = {True: np.zeros(len(joints)), False: np.zeros(len(joints))}
        for name, wanted in inputs.items():
            x, angle = self._batch(name, joints, p), self.is_angle(name)
            if angle and math.isfinite(wanted.low) and math.isfinite(wanted.high):
                x = nearest_copy(x, (wanted.low + wanted.high) / 2)
            missed = np.maximum(np.maximum(wanted.low - x, x - wanted.high), 0.0)
            worst[angle] = np.maximum(worst[angle], missed)
        return worst[True], worst[False]

    def _batch(self, name: str, joints: Array, p: Array) -> Array:
        """Return a variable of many postures, (k,)."""
        net = self.network

        def direction(a: int, b: int) -> Array:
            vector = p[:, b] - p[:, a]
            return np.asarray(np.arctan2(vector[:, 1], vector[:, 0]))

        if name in self.places:
            point, axis = self.places[name]
            return np.asarray(p[:, point, axis])
        if name in net.coordinates:
            return np.asarray(joints[:, net.coordinates.index(name)])
        if name in net.triangles.distances:
            a, b = net.triangles.distances[name]
            return np.asarray(np.linalg.norm(p[:, b] - p[:, a], axis=1))
        corner, start, end = (0, len(net.lengths), -1) if name == "rho" else net.triangles.angles[name]
        return direction(corner, start) if name == "rho" else wrap(direction(corner, start) - direction(corner, end))

    def state(self, joints: Array) -> dict[str, float]:
        """Return every variable of a posture."""
        net = self.network
        found = dict(zip(net.variables, net.state(joints).tolist(), strict=True))
        points = self.posture(joints).points
        constant = dict(zip(segment_names(len(net.lengths)), net.lengths, strict=True))
        found |= {name: length for name, length in constant.items() if name not in found}
        return found | {name: float(points[k, axis]) for name, (k, axis) in self.places.items()}

"""The swivels at which a limb keeps its limits: arcs between the angles at which a joint meets a bound.

Turned about its line by s, the limb's root must make Rot(k, s) G0, and its wrist Rot(k', s) H0; the angles at which their joints
meet a bound are roots of equations (spherical.py). Between neighbouring ones nothing changes, and one look in the middle decides.
A wrist with a twist too many is the exception: there the circle is cut into PIECES, and an edge between two of them is found by
bisection, from the inside.
"""

import math
from collections.abc import Callable

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.limb.geometry import Geometry
from limbik.solvers.limb.joints import LimbJoints, frame_of
from limbik.solvers.limb.plane import about
from limbik.solvers.limb import rotations
from limbik.solvers.limb.twisted import Twisted

Arcs = list[tuple[float, float]]
# Pieces of the circle that are looked at where no equations tell the edges; and halvings of one that holds an edge.
PIECES, HALVINGS = 256, 40
# Inside means by no more than rounding [rad]; ends that rounding puts outside are moved in by as much.
INSIDE = 1e-12
# How far an arc's end may be moved in for it to be verified [rad].
INWARD = (0.0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)
# Shorter pieces are rounding [rad].
SHORTEST = 1e-14

Look = Callable[[Array, float], Array]


def arcs_of(cuts: Array, look: Look, exact: bool) -> Arcs:
    """Return the arcs in which `look` says yes. exact: every edge is one of the cuts."""
    cuts = cuts[np.isfinite(cuts)]
    wrapped = np.mod(cuts + math.pi, 2 * math.pi) - math.pi
    grid = np.linspace(-math.pi, math.pi, 2 if exact else PIECES + 1)
    marks = np.unique(np.concatenate([wrapped, grid]))
    marks = marks[np.concatenate([[True], np.diff(marks) > SHORTEST])]
    yes = look(0.5 * (marks[1:] + marks[:-1]), INSIDE)
    arcs: Arcs = []
    for k in np.flatnonzero(yes):
        low, high = float(marks[k]), float(marks[k + 1])
        if arcs and arcs[-1][1] == low:
            arcs[-1] = (arcs[-1][0], high)
        else:
            arcs.append((low, high))
    if not exact:
        arcs = [_bisected(arc, look) for arc in arcs]
    arcs = [_verified(arc, look) for arc in arcs]
    if len(arcs) > 1 and arcs[0][0] == -math.pi and arcs[-1][1] == math.pi:
        arcs[-1] = (arcs[-1][0], arcs[0][1] + 2 * math.pi)
        arcs = arcs[1:]
    return arcs


def _bisected(arc: tuple[float, float], look: Look) -> tuple[float, float]:
    """Return an arc with each end moved out to the edge that lies in the next piece."""
    piece = 2 * math.pi / PIECES
    if arc[1] - arc[0] >= 2 * math.pi:
        return arc
    inner = np.array(arc)
    middle = 0.5 * (arc[0] + arc[1])
    # a piece was judged by its middle: its ends may lie outside, and its neighbour's part inside
    good = look(inner, INSIDE)
    inside = np.where(good, inner, [arc[0] + 0.5 * piece, arc[1] - 0.5 * piece])
    inside = np.where(look(inside, INSIDE), inside, middle)
    outside = np.where(good, inner + np.array([-0.5, 0.5]) * piece, inner)
    for _ in range(HALVINGS):
        half = 0.5 * (inside + outside)
        yes = look(half, INSIDE)
        inside, outside = np.where(yes, half, inside), np.where(yes, outside, half)
    low = arc[0] if arc[0] == -math.pi and good[0] else float(inside[0])
    high = arc[1] if arc[1] == math.pi and good[1] else float(inside[1])
    return low, high


def _verified(arc: tuple[float, float], look: Look) -> tuple[float, float]:
    """Return an arc whose ends keep the limits when they are asked for."""
    low, high = arc
    ends = np.array([[low + inward, high - inward] for inward in INWARD])
    good = look(ends.ravel(), INSIDE).reshape(ends.shape)
    first = [int(np.argmax(good[:, k])) if good[:, k].any() else 0 for k in (0, 1)]
    moved = float(ends[first[0], 0]), float(ends[first[1], 1])
    return moved if moved[0] <= moved[1] else arc


def swivel_arcs(
    joints: LimbJoints, geo: Geometry, line: Array, zero: Array, D: Array, R_end: Array | None, seed: Array
) -> Arcs:
    """Return the swivels of one target at which the limb's joints keep their limits. line, zero: (3,); D: (1,); seed: (n,)."""
    cuts = []
    inverse = np.swapaxes(geo.base[0, :3, :3], -1, -2)
    for branch in joints.branches:
        phi, r, s = geo.bend(D, branch)
        R_upper = (frame_of(line, zero) @ np.swapaxes(frame_of(r, s), -1, -2))[0]
        cuts.append(joints.root.cuts(inverse @ line, inverse @ R_upper))
        if R_end is not None and joints.wrist is not None:
            F = R_upper @ geo.middle[0] @ rotations.turn(geo.axis[0], phi[0]) @ geo.first[0] @ geo.to_wrist[0]
            H = F.T @ R_end @ geo.from_wrist[0, :3, :3].T
            cuts.append(joints.wrist.cuts(-(F.T @ line), H))
    exact = R_end is None or not isinstance(joints.wrist, Twisted)

    def look(angles: Array, edge: float) -> Array:
        count = len(angles)
        lines = np.broadcast_to(line, (count, 3))
        sides = about(lines, np.broadcast_to(zero, (count, 3)), angles)
        wide = None if R_end is None else np.broadcast_to(R_end, (count, 3, 3))
        distance = np.broadcast_to(D, (count,))
        return joints.postures(geo, lines, sides, distance, wide, np.broadcast_to(seed, (count, len(seed))), True, edge)[1]

    return arcs_of(np.concatenate([c.ravel() for c in cuts]), look, exact)


def nearest_in(arcs: Arcs, angle: float) -> float:
    """Return the angle inside some arcs that is nearest to another one, the short way round."""
    best, least = angle, math.inf
    for low, high in arcs:
        turn = angle + 2 * math.pi * math.ceil((low - angle) / (2 * math.pi))
        if turn <= high:
            return turn
        for end in (low, high):
            away = abs(math.remainder(angle - end, 2 * math.pi))
            if away < least:
                best, least = end, away
    return best



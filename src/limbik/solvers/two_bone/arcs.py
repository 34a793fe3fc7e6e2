"""The feasible swivels of a limb: arcs between the angles at which a joint reaches a limit.

At swivel s the root has the rotation Rot(k, s) G0, and the wrist Rot(k', s) H0. The angles at which their joints reach
a limit are roots of equations (spherical.py). Feasibility is constant between neighbouring roots, so one test at the
midpoint decides. A redundant wrist (with an additional twist) is the exception: the circle is also divided into PIECES,
and an edge between the midpoints of two of them is found by repeated subdivision, keeping the feasible side.
"""

import math
from collections.abc import Callable

import numpy as np

from limbik.geometry.angles import TURN, wrap
from limbik.geometry.arrays import Array
from limbik.solvers.two_bone import rotations
from limbik.solvers.two_bone.geometry import Geometry
from limbik.solvers.two_bone.joints import LimbJoints, frame_of
from limbik.solvers.two_bone.plane import Flags, about
from limbik.solvers.two_bone.twisted import Twisted

Arcs = list[tuple[float, float]]
# Pieces of the circle that are tested if no equations give the edges; number of sections of an interval that contains
# an edge, and number of subdivisions.
PIECES, SECTIONS, ROUNDS = 256, 16, 10
# Tolerance of the limits in a test, for rounding [rad].
INSIDE = 1e-12
# Distances by which the end of an arc is moved inwards until it is verified [rad].
INWARD = (0.0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8)
# Length below which a piece is due to rounding [rad].
SHORTEST = 1e-14

Test = Callable[[Array, float], Flags]


def arcs_of(cuts: Array, feasible: Test, exact: bool) -> Arcs:
    """Return the arcs in which `feasible` holds. exact: every edge is one of the cuts."""
    cuts = cuts[np.isfinite(cuts)]
    wrapped = wrap(cuts)
    grid = np.linspace(-math.pi, math.pi, 2 if exact else PIECES + 1)
    marks = np.unique(np.concatenate([wrapped, grid]))
    marks = marks[np.concatenate([[True], np.diff(marks) > SHORTEST])]
    yes = feasible(0.5 * (marks[1:] + marks[:-1]), INSIDE)
    arcs: Arcs = []
    for k in np.flatnonzero(yes):
        low, high = float(marks[k]), float(marks[k + 1])
        if arcs and arcs[-1][1] == low:
            arcs[-1] = (arcs[-1][0], high)
        else:
            arcs.append((low, high))
    if not exact and arcs:
        arcs = _sharpened(arcs, marks, feasible)
    arcs = _verified(arcs, feasible)
    if len(arcs) > 1 and arcs[0][0] == -math.pi and arcs[-1][1] == math.pi:
        arcs[-1] = (arcs[-1][0], arcs[0][1] + TURN)
        arcs = arcs[1:]
    return arcs


def _sharpened(arcs: Arcs, marks: Array, feasible: Test) -> Arcs:
    """Return arcs with each end moved to the edge between the midpoints of the neighbouring pieces."""
    low, high = np.array(arcs).T

    def after(x: Array, step: int) -> Array:
        return np.asarray(marks[np.clip(np.searchsorted(marks, x) + step, 0, len(marks) - 1)])

    inside = np.stack([0.5 * (low + after(low, 1)), 0.5 * (high + after(high, -1))])
    outside = np.stack([0.5 * (low + after(low, -1)), 0.5 * (high + after(high, 1))])
    part = np.linspace(0.0, 1.0, SECTIONS + 1)[:, None, None]
    for _ in range(ROUNDS):
        places = inside + part * (outside - inside)
        yes = feasible(places[1:-1].ravel(), INSIDE).reshape(SECTIONS - 1, 2, -1)
        # The first infeasible point, and the one before it.
        first = np.where(yes.all(0), SECTIONS, 1 + np.argmin(yes, axis=0))[None]
        inside, outside = (np.take_along_axis(places, first - step, 0)[0] for step in (1, 0))
    closed = np.stack([low == -math.pi, high == math.pi])
    ends = np.where(closed & feasible(np.stack([low, high]).ravel(), INSIDE).reshape(2, -1), [low, high], inside)
    return [(float(a), float(b)) for a, b in ends.T]


def _verified(arcs: Arcs, feasible: Test) -> Arcs:
    """Return arcs with ends moved inwards until they are feasible themselves."""
    if not arcs:
        return arcs
    inward = np.array(INWARD)[:, None]
    ends = np.array(arcs).T[:, None, :] + np.stack([inward, -inward])
    good = feasible(ends.ravel(), INSIDE).reshape(ends.shape)
    moved = np.take_along_axis(ends, np.argmax(good, axis=1)[:, None, :], 1)[:, 0, :]
    return [(float(a), float(b)) if a <= b else arc for (a, b), arc in zip(moved.T, arcs, strict=True)]


def swivel_arcs(
    joints: LimbJoints, geo: Geometry, line: Array, zero: Array, D: Array, R_end: Array | None, seed: Array
) -> Arcs:
    """Return the swivels of one target at which the limb's joints are inside their limits.

    line, zero: (3,), the line to the target and the elbow's direction at swivel 0. D: (1,) [m]. seed: (n,).
    """
    cuts = []
    inverse = np.swapaxes(geo.base[0, :3, :3], -1, -2)
    for branch in joints.branches:
        phi, r, s = geo.bend(D, branch, joints.elbow_range(True))
        R_upper = (frame_of(line, zero) @ np.swapaxes(frame_of(r, s), -1, -2))[0]
        cuts.append(joints.root.cuts(inverse @ line, inverse @ R_upper))
        if R_end is not None and joints.wrist is not None:
            F = R_upper @ geo.middle[0] @ rotations.turn(geo.axis[0], phi[0]) @ geo.first[0] @ geo.to_wrist[0]
            H = F.T @ R_end @ geo.from_wrist[0, :3, :3].T
            cuts.append(joints.wrist.cuts(-(F.T @ line), H))
    exact = R_end is None or not isinstance(joints.wrist, Twisted)

    def feasible(angles: Array, edge: float) -> Flags:
        lines = np.broadcast_to(line, (len(angles), 3))
        sides = about(lines, np.broadcast_to(zero, lines.shape), angles)

        def within_limits(rows: Flags, R: Array | None) -> Flags:
            count = int(rows.sum())
            seeds = np.broadcast_to(seed, (count, len(seed)))
            wide = None if R is None else np.broadcast_to(R, (count, 3, 3))
            return joints.postures(
                geo, lines[rows], sides[rows], np.broadcast_to(D, (count,)), wide, seeds, True, edge
            )[1]

        good = np.ones(len(angles), bool)
        good[good] = within_limits(good, None)  # the wrist is tested only where root and elbow are inside their limits
        if R_end is not None and good.any():
            good[good] = within_limits(good, R_end)
        return good

    return arcs_of(np.concatenate([c.ravel() for c in cuts]), feasible, exact)


def nearest_in(arcs: Arcs, angle: float) -> float:
    """Return the angle inside the arcs closest to a given one, modulo 2 pi."""
    best, least = angle, math.inf
    for low, high in arcs:
        copy = angle + TURN * math.ceil((low - angle) / TURN)
        if copy <= high:
            return copy
        for end in (low, high):
            away = abs(math.remainder(angle - end, TURN))
            if away < least:
                best, least = end, away
    return best


def nearest_from(arcs: Arcs, angle: float, start: float) -> float:
    """Return an angle if it is inside the arcs, else the last feasible angle on the shorter path to it from `start`.

    A start outside the arcs is first moved to the closest feasible angle. For an angle between two arcs the result therefore
    stays on the arc of the start (hysteresis), even if the other arc is slightly closer.
    """
    nearest, begin = nearest_in(arcs, angle), nearest_in(arcs, start)
    if math.remainder(nearest - angle, TURN) == 0:
        return nearest
    step = math.remainder(angle - begin, TURN)
    for low, high in arcs:
        wrapped = low + (begin - low) % TURN
        for at in (wrapped, begin):  # rounding may move an end by 2 pi
            if low <= at <= high:
                return min(max(at + step, low), high)
    return begin

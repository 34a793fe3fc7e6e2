"""Solve arms and legs frame by frame for planted feet and hand targets; other joints keep their values.

The start is the posture (configuration) that `orientations.py` computes from the bone orientations. Damped least squares inside
the limits minimises the weighted errors of a limb: positions of ankles and wrists with a large weight, orientations of feet with
a smaller one, those of hands with a small one, and the distance from the start with a weight that only determines the remaining
freedom, such as the swivel of an elbow. If p is its weight relative to that of a position, it moves the position by about p^2 of
the difference of the postures: some tenths of a millimetre at most. For continuity, every frame is solved from its start plus the
correction of the previous frame.

The range of an ankle may be too small for a flat foot under a bent knee: recorded human ankles bend farther than textbooks say.
Then the hips must move. In a first pass, at HIPS_RATE frames per second, they may move with a weight between those of feet and
posture. Their motion is smoothed over time, added to the start, and fixed in the second pass.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from limbik.geometry.arrays import Array
from limbik.goals.goal import Goal
from limbik.goals.orientation import Orientation
from limbik.goals.plan import make_plan
from limbik.goals.position import Position
from limbik.goals.posture import Posture
from limbik.motion.retarget.anatomy import Anatomy
from limbik.motion.retarget.easing import limb_without_jumps
from limbik.motion.retarget.smoothing import frame_time, gaussian_smoothed
from limbik.solvers.many_goals import Plans

# Weights: the position of an end, the rotations of feet and hands, the position of the hips if they may move, the posture.
PLACE, FEET, HANDS, HIPS, POSTURE = 10.0, 3.0, 0.2, 0.5, 0.1
# If the position error is larger than MISSED [m], the frame is also solved from its own start; that result is used if its
# error is less than BETTER of the other.
MISSED, BETTER = 1e-3, 0.7
# The sampling rate of the hips' motion [Hz], and the standard deviation of its smoothing in each round [s].
HIPS_RATE, HIPS_EASE = 30.0, (0.08, 0.04, 0.04)


@dataclass(frozen=True, eq=False)
class Aim:
    """The target of a hand or foot: positions (frames, 3) [m] and rotations (frames, 3, 3).

    weight: of the rotation. relative_to: the frame in which the target is given; None for the base. held: (frames,) whether a
    foot stands.
    """

    frame: str
    points: Array
    rotations: Array
    weight: float
    relative_to: str | None = None
    held: np.ndarray | None = None

    def at(self, frames: "np.ndarray | slice") -> "Aim":
        """Return the aim in some frames."""
        held = None if self.held is None else self.held[frames]
        return replace(self, points=self.points[frames], rotations=self.rotations[frames], held=held)


def solve_limbs(
    body: Anatomy, plans: Plans, q: Array, times: Array, aims: Mapping[str, Aim], steps: Array, root: slice | None
) -> Array:
    """Return postures whose limbs meet the targets, (frames, n). aims: {end bone: aim}. q: the start, inside the limits.

    steps: (frames - 1,) the largest joint step of the source between frames.
    root: the six joint values of the hips, if these may move.
    """
    q = np.array(q)
    feet = {bone: aim for bone, aim in aims.items() if bone.endswith("Foot")}
    if root is not None and feet:
        q[:, root.start : root.start + 3] += _hip_displacement(body, plans, q, times, feet, root)
    for bone, aim in aims.items():  # with the hips fixed, limbs are independent
        solved = LimbSolver(body, plans, q, {bone: aim}, None).solved(q)
        q = limb_without_jumps(body.compiled, q, solved, times, aim.held, steps)
    return q


def _hip_displacement(
    body: Anatomy, plans: Plans, q: Array, times: Array, aims: Mapping[str, Aim], root: slice
) -> Array:
    """Return the displacement of the hips with which the feet reach their targets, (frames, 3) [m]."""
    place = slice(root.start, root.start + 3)
    step = max(round(1.0 / (HIPS_RATE * frame_time(times))), 1)
    some = np.unique(np.append(np.arange(0, len(q), step), len(q) - 1))
    displacement = np.zeros((len(q), 3))
    for ease in HIPS_EASE:
        part = np.array(q[some])
        part[:, place] += displacement[some]
        seen = {bone: aim.at(some) for bone, aim in aims.items()}
        found = LimbSolver(body, plans, part, seen, root).solved(part)
        moved = found[:, place] - part[:, place]
        more = np.stack([np.interp(times, times[some], column) for column in moved.T], -1)
        displacement += gaussian_smoothed(more, times, ease)
    return displacement


class LimbSolver:
    """The solver for some limbs of a body. root: the joint values of the hips, if these may move."""

    def __init__(self, body: Anatomy, plans: Plans, q: Array, aims: Mapping[str, Aim], root: slice | None) -> None:
        moving: set[int] = set()
        for bone in aims:
            first = bone.replace("Hand", "UpperArm").replace("Foot", "UpperLeg")
            for k in body.moving_elements(first, bone):
                v = body.compiled.elements[k].variable
                moving |= set(range(v.first, v.first + v.joint.kind.size))
        chosen = [v for v in body.compiled.variables if v.first in moving]
        goals: list[Goal] = []
        numbers: list[Array] = []
        for aim in aims.values():
            near, seen = math.inf, aim.relative_to
            goals.append(Position(aim.frame, aim.points[0], weight=PLACE, tolerance=near, relative_to=seen))
            goals.append(Orientation(aim.frame, aim.rotations[0], weight=aim.weight, tolerance=near, relative_to=seen))
            numbers += [aim.points, np.concatenate([aim.rotations, np.zeros((len(q), 3, 1))], 2).reshape(len(q), 12)]
        if chosen:
            columns = {v.joint.name: range(v.first, v.first + v.joint.kind.size) for v in chosen}
            goals.append(Posture({name: q[0, c] for name, c in columns.items()}, weight=POSTURE))
            numbers.append(q[:, [k for c in columns.values() for k in c]])
        if root is not None:
            moving |= set(range(root.start, root.start + 3))
            name = next(v.joint.name for v in body.compiled.variables if v.first == root.start)
            goals.append(Posture({name: q[0, root]}, weight=HIPS))
            numbers.append(q[:, root])
        held = tuple(sorted(set(range(body.compiled.n)) - moving))
        self._solver = plans.solver(make_plan(goals, plans.model).key, limits=True, frozen=held)
        self._numbers = np.ascontiguousarray(np.concatenate(numbers, axis=1))
        self._kernel = body.compiled.kernel

    def solved(self, q: Array) -> Array:
        """Return the postures of all frames, (frames, n), solved in order of time. q: the starts."""
        out = np.empty_like(q)
        moved = np.zeros(q.shape[1])
        for k, numbers in enumerate(self._numbers):
            out[k], missing = self._solver.solve(numbers, self._kernel.integrate(q[k], moved), 0, 1, math.inf)[:2]
            if missing[0] > MISSED:
                other, missing_there = self._solver.solve(numbers, q[k], 0, 1, math.inf)[:2]
                if missing_there[0] < BETTER * missing[0]:
                    out[k] = other
            moved = self._kernel.difference(q[k], out[k])
        return out

"""Arms and legs solved frame by frame, so that feet stand and hands reach: everything else stays as the pass over bones has it.

Ankles and wrists have places that must be met. The turn of feet and hands is a wish, and so is the posture of the pass over
bones, which counts little: it settles what the rest leaves free, such as the way an elbow points. Every frame starts from its own
posture, moved by what the frame before it was moved by: so neighbours stay neighbours.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.goals.goal import Goal
from limbik.goals.orientation import Orientation
from limbik.goals.plan import make_plan
from limbik.goals.position import Position
from limbik.goals.posture import Posture
from limbik.model.transform import Array
from limbik.motion.retargeting.body import Body
from limbik.solvers.iterative.many_goals import Plans

# How near an ankle or wrist must come for its frame to be solved [m].
NEAR = 1e-6
# How much the turn of an end counts, and how much a joint's posture.
FEET, HANDS, POSTURE, HIPS = 0.5, 0.02, 0.01, 0.02


@dataclass(frozen=True, eq=False)
class Aim:
    """Where an end goes, (frames, 3) [m], and how it is turned, (frames, 3, 3)."""

    frame: str
    points: Array
    turns: Array
    weight: float
    seen_from: str | None = None


def solve_limbs(body: Body, plans: Plans, q: Array, aims: Mapping[str, Aim], *, root: slice | None) -> Array:
    """Return postures whose limbs meet the aims, (frames, n). aims: {end bone: aim}. q: the postures before, inside limits.

    root: the numbers of q that place the hips, where these may give way.
    """
    moving: set[int] = set()
    for bone in aims:
        first = bone.replace("Hand", "UpperArm").replace("Foot", "UpperLeg")
        for k in body.between(body.names.parent(first) or first, bone):
            v = body.compiled.elements[k].variable
            moving |= set(range(v.first, v.first + v.joint.kind.size))
    if not moving:
        return q
    chosen = [v for v in body.compiled.variables if v.first in moving]
    if root is not None:
        moving |= set(range(root.start, root.stop))
    held = tuple(sorted(set(range(body.compiled.n)) - moving))
    goals: list[Goal] = []
    numbers: list[Array] = []
    for aim in aims.values():
        goals.append(Position(aim.frame, aim.points[0], tolerance=math.inf, relative_to=aim.seen_from))
        goals.append(Orientation(aim.frame, aim.turns[0], tolerance=math.inf, weight=aim.weight, relative_to=aim.seen_from))
        numbers += [aim.points, np.concatenate([aim.turns, np.zeros((len(q), 3, 1))], 2).reshape(len(q), 12)]
    parts = {v.joint.name: q[0, v.first : v.first + v.joint.kind.size] for v in chosen}
    goals.append(Posture(parts, weight=POSTURE))
    numbers.append(q[:, [c for v in chosen for c in range(v.first, v.first + v.joint.kind.size)]])
    if root is not None:
        name = next(v.joint.name for v in body.compiled.variables if v.first == root.start)
        goals.append(Posture({name: q[0, root.start : root.start + 6]}, weight=HIPS))
        numbers.append(q[:, root.start : root.start + 6])
    plan = make_plan(goals, plans.subject)
    solver = plans.solver(plan.key, limits=True, frozen=held)
    numbers_ = np.ascontiguousarray(np.concatenate(numbers, axis=1))
    kernel = body.compiled.kernel
    out = np.array(q)
    moved = np.zeros(q.shape[1])
    for k in range(len(q)):
        found = solver.solve(numbers_[k], kernel.integrate(q[k], moved), 0, 1, math.inf)[0]
        moved = kernel.difference(q[k], found)
        out[k] = found
    return out

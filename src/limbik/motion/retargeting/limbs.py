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
FEET, HANDS, POSTURE = 1.0, 0.5, 0.05


@dataclass(frozen=True, eq=False)
class Aim:
    """Where an end goes, (frames, 3) [m], and how it is turned, (frames, 3, 3)."""

    frame: str
    points: Array
    turns: Array
    weight: float


def solve_limbs(body: Body, plans: Plans, q: Array, aims: Mapping[str, Aim]) -> Array:
    """Return postures whose limbs meet the aims, (frames, n). aims: {end bone: aim}. q: the postures before, inside limits."""
    moving: set[int] = set()
    for bone in aims:
        first = bone.replace("Hand", "UpperArm").replace("Foot", "UpperLeg")
        for k in body.between(body.names.parent(first) or first, bone):
            v = body.compiled.elements[k].variable
            moving |= set(range(v.first, v.first + v.joint.kind.size))
    if not moving:
        return q
    held = tuple(sorted(set(range(body.compiled.n)) - moving))
    chosen = [v for v in body.compiled.variables if v.first in moving]
    goals: list[Goal] = [Position(aim.frame, aim.points[0], tolerance=NEAR) for aim in aims.values()]
    goals += [Orientation(a.frame, a.turns[0], tolerance=math.inf, weight=a.weight) for a in aims.values()]
    parts = {v.joint.name: q[0, v.first : v.first + v.joint.kind.size] for v in chosen}
    goals.append(Posture(parts, weight=POSTURE))
    plan = make_plan(goals, plans.subject)
    solver = plans.solver(plan.key, limits=True, frozen=held)
    columns = [c for v in chosen for c in range(v.first, v.first + v.joint.kind.size)]
    places = [aim.points for aim in aims.values()]
    turns = [np.concatenate([a.turns, np.zeros((len(q), 3, 1))], 2).reshape(len(q), 12) for a in aims.values()]
    numbers = np.ascontiguousarray(np.concatenate([*places, *turns, q[:, columns]], axis=1))
    kernel = body.compiled.kernel
    out = np.array(q)
    moved = np.zeros(q.shape[1])
    simple = not any(v.joint.kind.size > 1 for v in chosen)
    free = np.array(sorted(moving))
    for k in range(len(q)):
        if simple:
            seed = q[k].copy()
            seed[free] += moved[free]
        else:
            seed = kernel.integrate(q[k], moved)
        found = solver.solve(numbers[k], seed, 0, 1, math.inf)[0]
        if simple:
            moved = found - q[k]
        else:
            moved = kernel.difference(q[k], found)
        out[k] = found
    return out

"""Bounded least squares from many starts: for any arm, any target, any muscles.

Levenberg-Marquardt minimises the tip's error together with the distance of each muscle from its range, inside the joint
limits (`core/muscle/search.hpp`). The first start that converges to zero of both is taken, and then moved along its
self-motion manifold until the muscles are best centred. A failure proves nothing, unless the target is farther away
than the arm is long.
"""

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.muscle.method import Found, Request
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target

# Largest number of searches from one start for ball joints with cones.
CONE_ROUNDS = 12
# Starts, and steps from each, of the search for the closest configuration to a target that is not reached.
NEAREST_STARTS, NEAREST_STEPS = 6, 40


def solve(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return a posture with centred muscles; with request.nearest the result of the search from the seed, not centred."""
    too_far = out_of_reach(problem, target)
    if too_far is not None:
        return too_far
    starts = problem.starts(seed)
    if problem.limited and problem.model.ranges.cones:
        return _in_cones(problem, target, starts)
    found, q, _, _, _, _, attempt, evaluations = problem.core.search(
        target.value, starts, problem.position, problem.rotation, not request.nearest
    )
    if found and problem.reached(target, q):
        how = "from the seed" if attempt == 0 else f"at attempt {attempt}"
        centred = "" if request.nearest else ", then centred"
        return Found(Status.SOLVED, f"solved by bounded least squares {how}{centred}", q, evaluations=evaluations)
    why = f"not found in {len(starts)} attempts by least squares: unreachable inside limits and ranges, or very hard to reach"
    return Found(Status.NOT_FOUND, why, evaluations=evaluations)


def _in_cones(problem: MuscleProblem, target: Target, starts: Array) -> Found:
    """Search with cones of ball joints, which the core ignores: clamp a result into its cones and search again from there."""
    evaluations = 0
    for attempt, start in enumerate(starts):
        q = start
        for _ in range(CONE_ROUNDS):
            found, q, *_, more = problem.core.search(target.value, q[None], problem.position, problem.rotation, False)
            evaluations += more
            if found and problem.reached(target, q):
                how = "from the seed" if attempt == 0 else f"at attempt {attempt}"
                return Found(Status.SOLVED, f"solved by bounded least squares {how}", q, evaluations=evaluations)
            moved = problem.model.ranges.clamp(q)
            if np.array_equal(moved, q):
                break
            q = moved
    return Found(Status.NOT_FOUND, f"not found in {len(starts)} attempts by least squares", evaluations=evaluations)


def out_of_reach(problem: MuscleProblem, target: Target) -> Found | None:
    """Return the answer to a target that is farther from the first axis than the arm is long, None for others.

    None for every target if an unlimited prismatic joint or a floating joint can move the arm anywhere.
    """
    if target.point is None or problem.unbounded:
        return None
    reach = problem.model.reach
    distance = float(np.linalg.norm(target.point - np.array(reach.centre)))
    if not distance > reach.span + problem.position:
        return None
    why = f"out of reach: the target is {distance:.6g} m from the first joint, and the arm is {reach.span:.6g} m long"
    return Found(Status.OUT_OF_REACH, why)


def nearest_posture(problem: MuscleProblem, target: Target, seed: Array) -> Array:
    """Return the posture inside limits and ranges with the smallest tip error that a search finds."""
    _, q, *_ = problem.core.nearest(target.value, problem.starts(seed, NEAREST_STARTS), NEAREST_STEPS)
    return problem.model.ranges.clamp(q) if problem.limited else q

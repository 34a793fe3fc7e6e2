"""Bounded least squares from many starts: for any arm, any target, any muscles.

Levenberg-Marquardt lowers the tip's error together with what each muscle lacks to be in its range, inside the joint limits
(`core/muscle/search.hpp`). The first start that ends at zero of both is taken, and then moved along the postures that keep
the tip until the muscles are best centred. Not finding one proves nothing, except where the target is farther than the arm is
long.
"""

import numpy as np

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.muscle.method import Found, Request
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target

# Searches from one start where balls have cones.
CONE_ROUNDS = 12
# Starts, and steps from each, of the search for the closest configuration to a target that is not reached.
NEAREST_STARTS, NEAREST_STEPS = 6, 40


def solve(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return a posture: where nearest is wanted as the search from the seed ends, not centred."""
    too_far = out_of_reach(problem, target)
    if too_far is not None:
        return too_far
    starts = problem.starts(seed)
    if problem.limited and problem.model.ranges.cones:
        return _in_cones(problem, target, starts)
    found, q, _, _, _, _, attempt, looks = problem.core.search(
        target.value, starts, problem.position, problem.rotation, not request.nearest
    )
    if found and problem.reached(target, q):
        how = "from the seed" if attempt == 0 else f"at attempt {attempt}"
        centred = "" if request.nearest else ", then centred"
        return Found(Status.SOLVED, f"solved by bounded least squares {how}{centred}", q, evaluations=looks)
    why = f"not found in {len(starts)} attempts by least squares: unreachable inside limits and ranges, or very hard to reach"
    return Found(Status.NOT_FOUND, why, evaluations=looks)


def _in_cones(problem: MuscleProblem, target: Target, starts: Array) -> Found:
    """Search where balls have cones, which the core does not know: what leaves one is moved back into it, and searched again."""
    looks = 0
    for attempt, start in enumerate(starts):
        q = start
        for _ in range(CONE_ROUNDS):
            found, q, *_, more = problem.core.search(target.value, q[None], problem.position, problem.rotation, False)
            looks += more
            if found and problem.reached(target, q):
                how = "from the seed" if attempt == 0 else f"at attempt {attempt}"
                return Found(Status.SOLVED, f"solved by bounded least squares {how}", q, evaluations=looks)
            moved = problem.model.ranges.clamp(q)
            if np.array_equal(moved, q):
                break
            q = moved
    return Found(Status.NOT_FOUND, f"not found in {len(starts)} attempts by least squares", evaluations=looks)


def out_of_reach(problem: MuscleProblem, target: Target) -> Found | None:
    """Return the answer to a target that is farther from the first axis than the arm is long, None for others.

    None for every target where a slide without limits or a floating joint carries the arm: it may go there.
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
    """Return a posture inside limits and ranges whose tip comes as near the target as was found."""
    _, q, *_ = problem.core.nearest(target.value, problem.starts(seed, NEAREST_STARTS), NEAREST_STEPS)
    return problem.model.ranges.clamp(q) if problem.limited else q

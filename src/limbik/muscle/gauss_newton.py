"""Gauss-Newton in muscle space: a few steps from a posture nearby, for targets that move.

Each step is the dq with J dq = error and the least change of muscle lengths, |G dq| relative to their ranges (G =
dL/dq), so the redundancy is resolved in muscle space and not in joint space. A motion towards the middle of the ranges
may be added. Lengths follow from the posture (configuration), so antagonists always agree. If a step would take a
muscle out of its range or a joint out of its limits, that muscle or joint is fixed at the bound and the step is
computed again; a step that still leaves them is shortened. The resulting lengths are therefore always feasible.
"""

import math
from typing import Any

import numpy as np

from limbik._core import Status
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.muscle.method import Found, Request
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target

# Default number of steps, and default weight of the motion towards the middle of the ranges.
STEPS, CENTRING = 50, 0.0
# Largest number of steps.
MOST_STEPS = 10_000


def solve(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return the result of a number of steps. q is inside limits and ranges if the seed was. Raises BadOption."""
    steps = _whole(request.settings.get("steps", STEPS))
    centring = number(request.settings.get("centring", CENTRING), "centring")
    if not 0 <= centring < math.inf:
        raise BadOption(f"centring={centring:g}: it must be finite and not negative")
    inside, q, position, rotation, _, _, taken, evaluations = problem.core.track(
        target.value, seed, steps, centring, problem.position, problem.rotation
    )
    if problem.reached(target, q):
        return Found(
            Status.SOLVED,
            f"solved by {taken} step{'' if taken == 1 else 's'} of Gauss-Newton in muscle space",
            q,
            evaluations=evaluations,
        )
    away = f"{position:.3g} m" + (f" and {rotation:.3g} rad" if target.oriented else "")
    where = "" if inside else "; a muscle of the seed is out of its range"
    return Found(
        Status.NOT_FOUND, f"not found: {taken} steps of Gauss-Newton end {away} away{where}", q, evaluations=evaluations
    )


def _whole(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given <= MOST_STEPS:
        raise BadOption(f"steps={shown(given)}: a whole number from 0 to {MOST_STEPS} is needed")
    return int(given)

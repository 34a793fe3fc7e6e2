"""Gauss-Newton in muscle space: a few steps from a posture nearby, for targets that move.

Of all steps dq with J dq = error the one that moves the muscles least, |G dq| in parts of their ranges (G = dL/dq), so that the
redundancy is spent on muscles and not on joints; a pull towards the middle of the ranges may be added. Lengths follow from the
posture, so antagonists always agree. A muscle that the step would take out of its range stops at the end of it, a joint at its
limit, and the step is found anew; where a step would still leave them it is shortened. So what comes out can always be set.
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

# Steps after which it ends, and the pull towards the middle of ranges that is taken where none is given.
STEPS, CENTRING = 50, 0.0
# Steps that may be asked for.
MOST_STEPS = 10_000


def solve(problem: MuscleProblem, target: Target, seed: Array, request: Request) -> Found:
    """Return the result of a number of steps. q is inside limits and ranges if the seed was. Raises BadOption."""
    steps = _whole(request.settings.get("steps", STEPS))
    centring = number(request.settings.get("centring", CENTRING), "centring")
    if not 0 <= centring < math.inf:
        raise BadOption(f"centring={centring:g}: it must be finite and not negative")
    inside, q, position, rotation, _, _, taken, looks = problem.core.track(
        target.value, seed, steps, centring, problem.position, problem.rotation
    )
    if problem.reached(target, q):
        return Found(
            Status.SOLVED,
            f"solved by {taken} step{'' if taken == 1 else 's'} of Gauss-Newton in muscle space",
            q,
            evaluations=looks,
        )
    away = f"{position:.3g} m" + (f" and {rotation:.3g} rad" if target.turned else "")
    where = "" if inside else "; a muscle of the seed is out of its range"
    return Found(
        Status.NOT_FOUND, f"not found: {taken} steps of Gauss-Newton end {away} away{where}", q, evaluations=looks
    )


def _whole(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given <= MOST_STEPS:
        raise BadOption(f"steps={shown(given)}: a whole number from 0 to {MOST_STEPS} is needed")
    return int(given)

"""The refinement after the network: a posture (configuration) that meets all inputs to rounding, or as closely as possible.

Levenberg-Marquardt on the errors of the inputs: lengths relative to the arm's length, angles in radians. Range inputs count only
outside their range. Steps have least norm, so free directions stay close to the network's state. The posture of least cost
(Cruse 1986: every joint has an angle of least cost, and costs are summed) is found by sequential quadratic programming among the
postures that meet the inputs, and then refined again.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures, nearest_turn

# Most steps of an attempt; initial and final damping, relative to the error.
STEPS = 100
SHARE, MOST_SHARE = 1e-2, 1e20
# A sum of squares below this is rounding.
ZERO = 1e-28
# Rounds of the search for the least cost, and the step of its finite differences [rad].
COST_ROUNDS, DIFFERENCE = 200, 1e-6

# A variable within the first distance of an end of its range is held there [rad or m]. A derivative below the second bound
# counts as 0: a distance is then at its maximum or minimum.
AT_AN_END, FLAT = 1e-9, 1e-6

Cost = Callable[[Array], float]


@dataclass(frozen=True)
class Finished:
    """The end of an attempt: joint angles, number of steps, remaining error (a sum of squares)."""

    joints: Array
    steps: int
    missing: float


def finish(measures: Measures, inputs: Mapping[str, Range], joints: Array) -> Finished:
    """Return the posture closest to the inputs that descent reaches from a start."""
    whole = math.fsum(measures.network.lengths)
    x = np.array(joints, np.float64)
    r, J = _missing(measures, inputs, x, whole)
    share, taken = SHARE, 0
    for _ in range(STEPS):
        value = float(r @ r)
        if value <= ZERO:
            break
        U, S, V = np.linalg.svd(J, full_matrices=False)
        ahead = x
        while share <= MOST_SHARE:
            dx = -(V.T * (S / (S**2 + share * value + 1e-300))) @ (U.T @ r)
            longest = float(np.abs(dx).max(initial=0.0))
            ahead = x + dx * min(1.0, 1.0 / max(longest, 1e-300))
            found, slopes = _missing(measures, inputs, ahead, whole)
            if float(found @ found) < value:
                break
            share *= 5.0
        else:
            break
        x, r, J = ahead, found, slopes
        share = max(0.1 * share, 1e-6)
        taken += 1
    return Finished(x, taken, float(r @ r))


def _missing(measures: Measures, inputs: Mapping[str, Range], joints: Array, whole: float) -> tuple[Array, Array]:
    posture = measures.posture(joints)
    r, J = np.zeros(len(inputs)), np.zeros((len(inputs), len(joints)))
    for k, (name, wanted) in enumerate(inputs.items()):
        unit = 1.0 if measures.is_angle(name) else 1.0 / whole
        miss, slope = measures.miss(name, wanted, posture)
        r[k], J[k] = unit * miss, unit * slope
    return r, J


def freedoms(measures: Measures, inputs: Mapping[str, Range], joints: Array) -> int:
    """Return the number of directions in which a posture can move and still meet its inputs. Ranges count at their ends only."""
    posture = measures.posture(joints)
    whole = math.fsum(measures.network.lengths)
    rows = []
    for name, wanted in inputs.items():
        value, slope = measures.value(name, posture)
        if not wanted.fixed and min(abs(value - wanted.low), abs(value - wanted.high)) > AT_AN_END:
            continue
        rows.append(slope if measures.is_angle(name) else slope / whole)
        ends = measures.network.triangles.distances.get(name)
        # a distance at its maximum or minimum, or 0: the part of the arm between its ends is rigid
        if ends is not None and min(float(np.abs(rows[-1]).max()), value / whole) < FLAT:
            rows += [np.eye(len(joints))[j] for j in range(ends[0] + 1, ends[1])]
    rank = int(np.linalg.matrix_rank(np.array(rows), tol=FLAT)) if rows else 0
    return len(joints) - rank


def cheapest(measures: Measures, inputs: Mapping[str, Range], joints: Array, cost: Cost) -> Array:
    """Return a posture of locally least cost among those that meet the inputs, starting from one of them."""
    from scipy.optimize import minimize

    whole = math.fsum(measures.network.lengths)

    def slope(x: Array) -> Array:
        steps = DIFFERENCE * np.eye(len(x))
        return np.array([(cost(x + s) - cost(x - s)) / (2 * DIFFERENCE) for s in steps])

    constraints = []
    for name, wanted in inputs.items():
        unit = 1.0 if measures.is_angle(name) else 1.0 / whole
        for end, sign in ((wanted.low, 1.0), (wanted.high, -1.0)):
            if math.isinf(end) or (wanted.fixed and sign < 0):
                continue

            def gap(
                x: Array,
                name: str = name,
                wanted: Range = wanted,
                end: float = end,
                sign: float = sign,
                unit: float = unit,
            ) -> float:
                value = measures.value(name, measures.posture(x))[0]
                if measures.is_angle(name):
                    value = nearest_turn(value, wanted)
                return sign * unit * (value - end)

            def gap_slope(x: Array, name: str = name, sign: float = sign, unit: float = unit) -> Array:
                return sign * unit * measures.value(name, measures.posture(x))[1]

            constraints.append({"type": "eq" if wanted.fixed else "ineq", "fun": gap, "jac": gap_slope})
    found = minimize(cost, np.array(joints), jac=slope, method="SLSQP", constraints=constraints,
                     options={"maxiter": COST_ROUNDS, "ftol": 1e-14})  # fmt: skip
    x = np.asarray(found.x, np.float64)
    return x if np.isfinite(x).all() else np.array(joints)

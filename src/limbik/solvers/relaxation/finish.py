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
from limbik.solvers.relaxation.measures import Measures
from limbik.solvers.relaxation.turns import nearest_turn

# Most steps of an attempt; initial and greatest damping, relative to the sum of squares; longest step of a joint [rad].
STEPS = 100
DAMPING, MOST_DAMPING = 1e-2, 1e20
LONGEST_STEP = 1.0
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


def finish(measures: Measures, inputs: Mapping[str, Range], start: Array) -> Finished:
    """Return the posture that meets the inputs, or comes closest to them, by descent from a start (n,) [rad].

    It stops early, with what it has, where no damping lowers the error.
    """
    arm_length = math.fsum(measures.network.lengths)
    x = np.array(start, np.float64)
    scales = measures.network.scales
    r, J = _errors(measures, inputs, x, arm_length)
    damping, steps = DAMPING, 0
    for _ in range(STEPS):
        squares = float(r @ r)
        if squares <= ZERO:
            break
        U, S, V = np.linalg.svd(J * scales, full_matrices=False)
        while damping <= MOST_DAMPING:
            dx = -(V.T * (S / (S**2 + damping * squares + 1e-300))) @ (U.T @ r)
            longest = float(np.abs(dx).max(initial=0.0))
            next_x = x + scales * dx * min(1.0, LONGEST_STEP / max(longest, 1e-300))
            next_r, next_J = _errors(measures, inputs, next_x, arm_length)
            if float(next_r @ next_r) < squares:
                break
            damping *= 5.0
        else:
            break
        x, r, J = next_x, next_r, next_J
        damping = max(0.1 * damping, 1e-6)
        steps += 1
    return Finished(x, steps, missing=float(r @ r))


def _errors(measures: Measures, inputs: Mapping[str, Range], joints: Array, arm_length: float) -> tuple[Array, Array]:
    """Return the errors of the inputs, (inputs,), and their derivatives, (inputs, n)."""
    posture = measures.posture(joints)
    r, J = np.zeros(len(inputs)), np.zeros((len(inputs), len(joints)))
    for k, (name, wanted) in enumerate(inputs.items()):
        unit = 1.0 if measures.is_angle(name) else 1.0 / arm_length
        miss, slope = measures.miss(name, wanted, posture)
        r[k], J[k] = unit * miss, unit * slope
    return r, J


def freedoms(measures: Measures, inputs: Mapping[str, Range], joints: Array) -> int:
    """Return the number of directions in which a posture can move and still meet its inputs. Ranges count at their ends only."""
    posture = measures.posture(joints)
    arm_length = math.fsum(measures.network.lengths)
    rows = []
    for name, wanted in inputs.items():
        value, slope = measures.value(name, posture)
        if not wanted.fixed and min(abs(value - wanted.low), abs(value - wanted.high)) > AT_AN_END:
            continue
        rows.append(slope if measures.is_angle(name) else slope / arm_length)
        ends = measures.network.triangles.distances.get(name)
        # a distance at its maximum or minimum, or 0: the part of the arm between its ends is rigid
        if ends is not None and min(float(np.abs(rows[-1]).max()), value / arm_length) < FLAT:
            rows += [np.eye(len(joints))[j] for j in range(ends[0] + 1, ends[1])]
    scales = measures.network.scales
    rank = int(np.linalg.matrix_rank(np.array(rows) * scales, tol=FLAT)) if rows else 0
    return len(joints) - rank


def cheapest(measures: Measures, inputs: Mapping[str, Range], joints: Array, cost: Cost) -> Array:
    """Return a posture of locally least cost among those that meet the inputs, starting from one of them."""
    from scipy.optimize import minimize

    arm_length = math.fsum(measures.network.lengths)

    def slope(x: Array) -> Array:
        steps = DIFFERENCE * np.eye(len(x))
        return np.array([(cost(x + s) - cost(x - s)) / (2 * DIFFERENCE) for s in steps])

    constraints = []
    for name, wanted in inputs.items():
        unit = 1.0 if measures.is_angle(name) else 1.0 / arm_length
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

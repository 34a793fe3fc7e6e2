"""The joints of a configuration (posture) as screws in the base frame, read from the tip's Jacobian alone.

Column j holds the tip's linear velocity v and angular velocity w for unit rate of joint j. w = 0: a prismatic joint along v.
Otherwise it is a revolute joint about an axis along w, and the tip is at r = v x w / w'w from that axis, since v = w x r. The
screw of joint j does not depend on later joints; earlier joints move it. A sweep from the tip to the base may therefore move one
joint after another with the initial screws, and the tip is updated without forward kinematics.

This holds if each number moves one joint. If a number moves several (mimic joints), a column is an instantaneous screw, and
finite moves are only approximate.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem

# A joint is revolute if its column has an angular velocity above this [rad per unit of x]; less is rounding.
ROTATES = 1e-9
# Tolerance of the tip after a trial move, relative to half a span; a larger error means that screws do not apply.
SCREWS_HOLD = 1e-9
# The trial moves of the numbers, all different so that effects do not cancel.
TRIAL = 0.3


@dataclass(frozen=True)
class Screw:
    """One joint: a line through `point` along the unit `axis`.

    rate: the rotation [rad] or displacement [m] for a step of 1 of the joint's number.
    """

    revolute: bool
    point: Array
    axis: Array
    rate: float

    def moved(self, step: float) -> Array:
        """Return the transform (4, 4) that a step of the joint's number applies to all later links, in the base frame."""
        x, y, z = self.axis.tolist()
        along = step * self.rate
        if not self.revolute:
            return np.array(
                [
                    [1.0, 0.0, 0.0, along * x],
                    [0.0, 1.0, 0.0, along * y],
                    [0.0, 0.0, 1.0, along * z],
                    [0.0, 0.0, 0.0, 1.0],
                ]
            )
        c, s = math.cos(along), math.sin(along)
        v = 1.0 - c
        T = np.array(
            [
                [c + v * x * x, v * x * y - s * z, v * x * z + s * y, 0.0],
                [v * x * y + s * z, c + v * y * y, v * y * z - s * x, 0.0],
                [v * x * z - s * y, v * y * z + s * x, c + v * z * z, 0.0],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
        T[:3, 3] = self.point - T[:3, :3] @ self.point
        return T


def cross(a: Array, b: Array) -> Array:
    """Return the cross product of two vectors; NumPy's takes ten times as long."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def axial(M: Array) -> Array:
    """Return the axial vector w of M, M - M' = [w]."""
    return np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]])


def screws_at(T: Array, J: Array, unit: Array) -> list[Screw]:
    """Return a screw for each number. T: the tip pose, J: (6, n) its Jacobian in the base frame, unit: see Problem."""
    found = []
    for j in range(J.shape[1]):
        v, w = J[:3, j] * unit[j], J[3:, j] * unit[j]
        rate = float(np.sqrt(w @ w))
        if rate > ROTATES:
            found.append(Screw(True, T[:3, 3] - cross(v, w) / rate**2, w / rate, rate))
        else:
            speed = float(np.sqrt(v @ v))
            found.append(Screw(False, T[:3, 3], v / speed if speed > 0 else v, speed))
    return found


def screws_hold(problem: Problem, x: Array) -> bool:
    """Return whether the screws predict a trial move of all numbers, so that each number moves one joint.

    Costs a Jacobian and two evaluations.
    """
    trial = TRIAL * np.cos(np.arange(problem.n))
    T = problem.hand(x)
    problem.jacobians += 1
    expected = T
    for screw, step in zip(
        reversed(screws_at(T, problem.jacobian_of(problem.q(x)), problem.unit)), trial[::-1], strict=True
    ):
        expected = screw.moved(float(step)) @ expected
    missing = np.abs(problem.hand(x + trial) - expected)
    size = max(1.0 / problem.metre, float(np.abs(T[:3, 3]).max()))
    return bool(missing[:3, :3].max() <= SCREWS_HOLD and missing[:3, 3].max() <= SCREWS_HOLD * size)


def best_rotation(cosine: float, sine: float, now: float, rate: float, lower: float, upper: float) -> float:
    """Return the number in [lower, upper] where cosine * cos(a) + sine * sin(a) is greatest, a = rate * (number - now).

    Of the 2-pi copies it takes the closest to `now`; if the maximum lies outside, the better end.
    """
    if cosine == 0.0 and sine == 0.0:
        return now
    turn = 2.0 * math.pi / rate
    inside = now + math.atan2(sine, cosine) / rate
    if inside > upper:
        inside -= turn * math.ceil((inside - upper) / turn)
    elif inside < lower:
        inside += turn * math.ceil((lower - inside) / turn)
    if lower <= inside <= upper:
        return inside

    def height(number: float) -> float:
        angle = rate * (number - now)
        return cosine * math.cos(angle) + sine * math.sin(angle)

    return max((end for end in (lower, upper) if math.isfinite(end)), key=height)

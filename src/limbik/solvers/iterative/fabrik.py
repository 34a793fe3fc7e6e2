"""Forward and backward reaching over joint positions, then a fit of the joint angles (Aristidou and Lasenby 2011).

The chain is a sequence of points, one on each revolute axis, the tip last, with constant distances between neighbours. Backward
reaching puts the tip on its target and moves each point along the line to its neighbour until the distance is right. Forward
reaching does the same from the base. For ball joints about two rounds suffice. For hinges they do not: the points ignore the
axes, so no configuration (posture) may match them. Each round is therefore followed by a fit. Each joint, from the base to the
tip, takes the value inside its range that minimises the distances of all later points from their targets, in closed form, as in
cyclic coordinate descent; a prismatic joint takes its optimal displacement. The next round starts from the fitted points.

Limitations. A configuration at the target is a fixed point, but convergence to it is not guaranteed, and often does not occur
within the allowed rounds. Positions work well: from nearby starts the tip of most arms reaches most positions. The tip's
orientation enters only through the last axis point, which is fixed in the tip frame, and through the fit; about half of the
poses are reached, in the plane too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.solvers.iterative.ccd import missing
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.screws import Screw, axial, best_rotation, cross, screws_at

# Axes whose directions differ by less than this are parallel [sine of the angle].
PARALLEL = 1e-6


def axis_points(screws: list[Screw], tip: Array) -> Array:
    """Return a point for each joint, (n + 1, 3), the tip last; for a revolute joint the point of its axis closest to the next
    axis.

    The last axis takes the point closest to the previous axis, so that the tip's orientation influences the points.
    """
    points = np.empty((len(screws) + 1, 3))
    points[-1] = tip
    revolute = [screw for screw in screws if screw.revolute]
    after = revolute[-2] if len(revolute) > 1 else None
    for j in reversed(range(len(screws))):
        points[j] = points[j + 1]
        if screws[j].revolute:
            points[j] = _foot(screws[j], after, points[j + 1])
            after = screws[j]
    return points


def _foot(screw: Screw, other: Screw | None, point: Array) -> Array:
    """Return the point of an axis closest to another axis, or closest to a given point if the axes are parallel."""
    if other is not None:
        across = cross(screw.axis, other.axis)
        square = float(across @ across)
        if square > PARALLEL**2:
            along = cross(other.point - screw.point, other.axis) @ across / square
            return np.asarray(screw.point + along * screw.axis)
    return np.asarray(screw.point + screw.axis * (screw.axis @ (point - screw.point)))


def _reached(problem: Problem, screws: list[Screw], points: Array, T: Array) -> Array:
    """Return the points after one round, backward and forward."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    wanted = np.array(points)
    wanted[-1] = problem.target[:3, 3]
    last = len(points) - 1
    if problem.objective.name != "position":  # points fixed in the tip frame move with it
        motion = problem.target @ inverse(T)
        while last > 0:
            last -= 1
            wanted[last] = motion[:3, :3] @ points[last] + motion[:3, 3]
            if screws[last].revolute:
                break
    for k in range(last - 1, 0, -1):
        wanted[k] = _drawn(wanted[k], wanted[k + 1], lengths[k])
    wanted[0] = points[0]
    leading = next((k for k, screw in enumerate(screws) if screw.revolute), len(screws))
    if 0 < leading <= last:  # leading prismatic joints move the base point: it follows the others along their axes
        rails = np.stack([screw.axis for screw in screws[:leading]])
        away = _drawn(points[leading], wanted[leading + 1], lengths[leading]) if leading < last else wanted[last]
        wanted[: leading + 1] = points[leading] + np.linalg.pinv(rails) @ (rails @ (away - points[leading]))
    for k in range(leading + 1, len(points)):
        wanted[k] = _drawn(wanted[k], wanted[k - 1], lengths[k - 1])
    return wanted


def _drawn(point: Array, towards: Array, length: float) -> Array:
    """Return the point at a distance from another, on the line between them."""
    direction = point - towards
    far = float(np.linalg.norm(direction))
    return np.asarray(towards + direction * (length / far)) if far > 0 else point


def fitted(
    problem: Problem,
    x: Array,
    screws: list[Screw],
    points: Array,
    wanted: Array,
    T: Array,
    tip_weight: float,
    resistance: float = 0.0,
) -> Array:
    """Return x with each joint, from the base to the tip, at the value that minimises the errors of all later points.

    wanted: the targets of the points. tip_weight: the weight of the tip, relative to another point. resistance: of a revolute
    joint to a change [m^2]; r^2 has the effect of a point at the distance r from the axis whose target is its present place.
    """
    x = np.array(x)
    motion = np.eye(4)  # accumulated over the joints so far
    posed = problem.objective.name != "position"
    weights = np.ones(len(points))
    weights[-1] = tip_weight
    goal = np.array(wanted)
    goal[-1] = problem.target[:3, 3]
    scale = (problem.radian / problem.metre) ** 2 * tip_weight if posed else 0.0
    for j, screw in enumerate(screws):
        R, t = motion[:3, :3], motion[:3, 3]
        axis, centre = R @ screw.axis, R @ screw.point + t
        now = points[j + 1 :] @ R.T + t
        weight = weights[j + 1 :, None]
        if screw.revolute:
            u, g = now - centre, goal[j + 1 :] - centre
            u, g = u - np.outer(u @ axis, axis), g - np.outer(g @ axis, axis)
            C = float((weight * u * g).sum())
            S = float(axial(g.T @ (weight * u)) @ axis)  # the sum of u x g
            M = problem.target[:3, :3] @ (R @ T[:3, :3]).T
            C += 0.5 * scale * float(np.trace(M) - axis @ M @ axis)
            S += 0.5 * scale * float(axis @ axial(M))
            C += resistance
            found = best_rotation(C, S, float(x[j]), screw.rate, float(problem.lower[j]), float(problem.upper[j]))
        else:
            along = float((weight * (goal[j + 1 :] - now)).sum(axis=0) @ axis) / float(weight.sum())
            step = along / screw.rate if screw.rate > 0 else 0.0
            found = min(max(float(x[j]) + step, float(problem.lower[j])), float(problem.upper[j]))
        motion = motion @ screw.moved(found - float(x[j]))
        x[j] = found
    return x


@dataclass(frozen=True)
class Fabrik(Iterative):
    """Stops below `value`, after a round that moves no joint by more than `step`, or after `steps` rounds.

    Also stops after `patience` rounds in which the least value fell by less than the share `progress`.
    """

    name = "fabrik"
    title = "forward and backward reaching, then a fit of the joint angles"
    # points ignore the axes: the fit to hinges undoes a part of each round
    exact = False

    value: float = 1e-20
    step: float = 1e-13
    steps: int = 300
    progress: float = 1e-2
    patience: int = 20
    # The weight of the tip in the fit, relative to another point.
    hand: float = 4.0

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every round. If a number moves several joints, its screw is instantaneous and the fit approximate."""
        x = problem.inside(x)
        least, since = np.inf, 0
        for _ in range(self.steps):
            T = problem.hand(x)
            value = missing(problem, T)
            since += 1
            if value < (1.0 - self.progress) * least:
                least, since = value, 0
            if value <= self.value or since > self.patience:
                return
            problem.jacobians += 1
            screws = screws_at(T, problem.jacobian_of(problem.q(x)), problem.unit)
            points = axis_points(screws, T[:3, 3])
            wanted = _reached(problem, screws, points, T)
            ahead = fitted(problem, x, screws, points, wanted, T, self.hand)
            moved = float(np.abs(ahead - x).max())
            x = ahead
            yield x
            if moved <= self.step:
                return

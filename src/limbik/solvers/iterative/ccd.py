"""Cyclic coordinate descent: each joint in turn takes its optimal value, in closed form (Wang and Chen 1991).

Minimises f = |p - p*|^2 + |R - R*|^2 / 2, with the problem's weight on position. The second term is 4 sin^2(angle / 2), about the
square of the rotation error while that is small, and it has no false zero. As a function of one joint, f is simple:
  a revolute joint, by the angle a about the unit axis k through c: with u = p - c, t = p* - c, and h_i, d_i the columns of R, R*,
      f = const - 2 (C cos a + S sin a),
      C = t'u - (k't)(k'u) + sum of [d'h - (k'd)(k'h)] / 2,    S = k'(u x t) + sum of k'(h x d) / 2,
      minimal at a = atan2(S, C), or at the better end of its range;
  a prismatic joint along k: minimal after a displacement k'(p* - p), or at the end of its range.
A step is a sweep from the tip to the base. f never increases and no joint leaves its range, but final convergence is slow:
coupled joints zigzag, and a sweep may stall at several active limits.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.screws import Screw, axial, best_rotation, cross, screws_at, screws_hold


def missing(problem: Problem, T: Array) -> float:
    """Return the minimised value f at a tip pose."""
    p = problem.metre * (T[:3, 3] - problem.target[:3, 3])
    R = problem.radian * (T[:3, :3] - problem.target[:3, :3])
    return float(p @ p) + (0.0 if problem.objective.name == "position" else 0.5 * float((R * R).sum()))


def best(problem: Problem, screw: Screw, T: Array, now: float, lower: float, upper: float) -> float:
    """Return the number in [lower, upper] that is optimal for one joint. T: the tip pose; now: the joint's number."""
    p, goal, k = T[:3, 3], problem.target[:3, 3], screw.axis
    if not screw.revolute:
        step = float(k @ (goal - p)) / screw.rate if screw.rate > 0 else 0.0
        return min(max(now + step, lower), upper)
    u, t = p - screw.point, goal - screw.point
    weight = problem.metre**2
    C = weight * float(t @ u - (k @ t) * (k @ u))
    S = weight * float(k @ cross(u, t))
    if problem.objective.name != "position":
        H, D = T[:3, :3], problem.target[:3, :3]
        half = 0.5 * problem.radian**2
        M = D @ H.T
        C += half * float(np.trace(M) - k @ M @ k)
        S += half * float(k @ axial(M))
    return best_rotation(C, S, now, screw.rate, lower, upper)


def _sweep(problem: Problem, x: Array, T: Array) -> Array:
    """Return x after one sweep from the tip to the base. T: the tip pose at x. Costs one Jacobian."""
    x = np.array(x)
    problem.jacobians += 1
    screws = screws_at(T, problem.jacobian_of(problem.q(x)), problem.unit)
    for j in reversed(range(problem.n)):
        found = best(problem, screws[j], T, float(x[j]), float(problem.lower[j]), float(problem.upper[j]))
        T = screws[j].moved(found - float(x[j])) @ T
        x[j] = found
    return x


def _coupled_sweep(problem: Problem, x: Array, halvings: int) -> Array:
    """Return x after a sweep over numbers that each move several joints: each step is halved until f does not increase."""
    x = np.array(x)
    for j in reversed(range(problem.n)):
        T = problem.hand(x)
        problem.jacobians += 1
        screw = screws_at(T, problem.jacobian_of(problem.q(x)), problem.unit)[j]
        now, value = float(x[j]), missing(problem, T)
        step = best(problem, screw, T, now, float(problem.lower[j]), float(problem.upper[j])) - now
        for _ in range(halvings):
            x[j] = now + step
            if missing(problem, problem.hand(x)) <= value:
                break
            step *= 0.5
        else:
            x[j] = now
    return x


@dataclass(frozen=True)
class Ccd(Iterative):
    """Stops below `value`, after a sweep that lowers it by less than the share `progress`, or after `steps` sweeps."""

    name = "ccd"
    title = "cyclic coordinate descent, each joint in closed form inside its limits"
    # coupled joints zigzag: final convergence is slow, and it may stall at several active limits
    exact = False

    value: float = 1e-20
    progress: float = 1e-4
    steps: int = 500
    # Most halvings of a step if a number moves several joints: the closed form is then approximate.
    halvings: int = 8

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every sweep."""
        x = problem.inside(x)
        independent = screws_hold(problem, x)
        T = problem.hand(x)
        value = missing(problem, T)
        for _ in range(self.steps):
            if value <= self.value:
                return
            ahead = _sweep(problem, x, T) if independent else _coupled_sweep(problem, x, self.halvings)
            T = problem.hand(ahead)
            found = missing(problem, T)
            if found > value:  # converged to rounding
                return
            x = ahead
            yield x
            if value - found <= self.progress * value:
                return
            value = found

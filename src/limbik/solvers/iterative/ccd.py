"""Cyclic coordinate descent: one joint at a time goes to its best value, in closed form (Wang and Chen 1991).

Lowers f = |p - p*|^2 + |R - R*|^2 / 2, position weighed as the problem has it; the second term is 4 sin^2(angle / 2), the
square of the rotation that is missing while that is small, and it has no false zero. With one joint moving, f is simple:
  a joint that turns by a about the unit axis k through c: with u = p - c, t = p* - c, and h_i, d_i the columns of R and R*,
      f = const - 2 (C cos a + S sin a),
      C = t'u - (k't)(k'u) + sum of [d'h - (k'd)(k'h)] / 2,    S = k'(u x t) + sum of k'(h x d) / 2,
      best at a = atan2(S, C), or at the better end of its range;
  a joint that slides along k: best after k'(p* - p), or at the end of its range.
A step is a sweep from the tip to the base. f never rises and no joint ever leaves its range, but the last digits come
slowly: joints that pull against each other zigzag, and a corner of ranges may hold a sweep for good.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.iterative import Iterative
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.screws import Screw, axial, best_turn, cross, hold, read


def missing(problem: Problem, T: Array) -> float:
    """Return the value that is lowered."""
    p = problem.metre * (T[:3, 3] - problem.target[:3, 3])
    R = problem.radian * (T[:3, :3] - problem.target[:3, :3])
    return float(p @ p) + (0.0 if problem.objective.name == "position" else 0.5 * float((R * R).sum()))


def best(problem: Problem, screw: Screw, T: Array, now: float, lower: float, upper: float) -> float:
    """Return the best number in [lower, upper] for one joint, the hand being at T."""
    p, goal, k = T[:3, 3], problem.target[:3, 3], screw.axis
    if not screw.turns:
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
    return best_turn(C, S, now, screw.rate, lower, upper)


def _sweep(problem: Problem, x: Array, T: Array) -> Array:
    """Return x after each joint, from the tip to the base, took its best value. T: the hand; it costs one Jacobian."""
    x = np.array(x)
    problem.jacobians += 1
    screws = read(T, problem.jacobian_of(problem.q(x)), problem.unit)
    for j in reversed(range(problem.n)):
        found = best(problem, screws[j], T, float(x[j]), float(problem.lower[j]), float(problem.upper[j]))
        T = screws[j].moved(found - float(x[j])) @ T
        x[j] = found
    return x


def _coupled_sweep(problem: Problem, x: Array, halvings: int) -> Array:
    """Return x after a sweep over numbers that move several joints each: every move is tried, and halved until it helps."""
    x = np.array(x)
    for j in reversed(range(problem.n)):
        T = problem.hand(x)
        problem.jacobians += 1
        screw = read(T, problem.jacobian_of(problem.q(x)), problem.unit)[j]
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
    """When it ends: a value this small, a sweep that lowers it by less than this share, or so many sweeps."""

    name = "ccd"
    title = "cyclic coordinate descent, each joint in closed form inside its limits"
    # joints that pull against each other zigzag: the last digits come slowly, or not at all in a corner of limits
    exact = False

    value: float = 1e-20
    progress: float = 1e-4
    steps: int = 500
    # How often a move is halved where a number moves several joints, and the closed form is a guess.
    halvings: int = 8

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every sweep."""
        x = problem.inside(x)
        alone = hold(problem, x)
        T = problem.hand(x)
        value = missing(problem, T)
        for _ in range(self.steps):
            if value <= self.value:
                return
            ahead = _sweep(problem, x, T) if alone else _coupled_sweep(problem, x, self.halvings)
            T = problem.hand(ahead)
            found = missing(problem, T)
            if found > value:  # rounding is all that is left
                return
            x = ahead
            yield x
            if value - found <= self.progress * value:
                return
            value = found

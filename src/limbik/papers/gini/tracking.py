"""Leading the wrist along points by each method: what the circles and lines share."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.fast_gradient import FastGradient
from limbik.papers.gini.arm import CM, arm, independent, side_of

# The descent along a way: small steps from the last lengths, no reheating (targets are near). Lengths in metres.
ALONG = FastGradient(alpha=1e-4, heat=0.3, cooling=0.7, reheating=False, goal=0.0)


@dataclass(frozen=True)
class Walk:
    """A way that was followed: q (k, 4), lengths (k, m) [m], tips (k, 3) [m], errors (k,) [cm], seconds a point, and inside."""

    q: Array
    lengths: Array
    tips: Array
    errors: Array
    seconds: float
    inside: bool

    @property
    def mean(self) -> float:
        """The paper's E, (16) [cm]."""
        return float(self.errors.mean())

    @property
    def worst(self) -> float:
        """The greatest error [cm]."""
        return float(self.errors.max())


def start(points: Array) -> Array:
    """Return the stated start: the posture at the first point whose muscles are best centred."""
    return arm().muscles.solve_lengths(points[0]).q


def walked(points: Array, q: list[Array], seconds: float) -> Walk:
    """Return what postures for these points amount to."""
    postures = np.array(q)
    tips = arm().forward(postures)[:, :3, 3]
    errors = np.linalg.norm(tips - points, axis=1) / CM
    lengths = arm().muscles.lengths(postures)
    return Walk(
        postures, lengths, tips, errors, seconds / len(points), bool(np.all(arm().muscles.admissible(postures)))
    )


def by_descent(points: Array, steps: int) -> Walk:
    """Follow points by so many sweeps of the descent at each, from the lengths before."""
    robot, q = arm(), start(points)
    L, side = robot.muscles.lengths(q)[independent()], side_of(q)
    found = []
    settings = FastGradient(**{**vars(ALONG), "sweeps": steps})
    begin = perf_counter()
    for point in points:
        run = robot.muscles.descend_lengths(point, L, q, settings, side=side)
        L, q = run.lengths, run.q
        found.append(q)
    return walked(points, found, perf_counter() - begin)


def by_gauss_newton(points: Array, steps: int, centring: float = 0.0) -> Walk:
    """Follow points by so many Gauss-Newton steps in muscle space at each, with a pull towards the middle of the ranges."""
    robot, q = arm(), start(points)
    found = []
    begin = perf_counter()
    for point in points:
        q = robot.muscles.track_lengths(q, point, steps, centring=centring).q
        found.append(q)
    return walked(points, found, perf_counter() - begin)


def by_default(points: Array) -> Walk:
    """Solve every point by itself, in closed form, near the posture before."""
    robot, q = arm(), start(points)
    found = []
    begin = perf_counter()
    for point in points:
        q = robot.muscles.solve_lengths(point, q, prefer="nearest").q
        found.append(q)
    return walked(points, found, perf_counter() - begin)

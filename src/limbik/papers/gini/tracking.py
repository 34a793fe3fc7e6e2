"""Each method follows a path of points with the wrist: the shared part of circles and lines."""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.fast_gradient import FastGradient
from limbik.papers.gini.arm import CM, arm, independent, side_of

# The settings of the descent along a path: small steps from the last lengths, and no reheating, because targets are near [m].
ALONG = FastGradient(alpha=1e-4, heat=0.3, cooling=0.7, reheating=False, goal=0.0)


@dataclass(frozen=True)
class Tracked:
    """A followed path of k points.

    q: (k, 4). lengths: (k, m) of the muscles [m]. tips: (k, 3) [m]. errors: (k,) [cm]. seconds: per point. inside: whether all
    postures are admissible.
    """

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
        """The largest error [cm]."""
        return float(self.errors.max())


# Postures at the first point in which a path may begin; the paper does not give its own.
CENTRED, NEAR_HOME = "start centred", "start nearest home"
BEGINNINGS = (CENTRED, NEAR_HOME)


def start(points: Array, beginning: str = CENTRED) -> Array:
    """Return the posture at the first point: with the best centred muscle lengths, or the closest to home."""
    first = points[0]
    if beginning == NEAR_HOME:
        return arm().muscles.solve_lengths(first, arm().home, prefer="nearest").q
    return arm().muscles.solve_lengths(first).q


def _tracked(points: Array, q: list[Array], seconds: float) -> Tracked:
    """Return the result of following points by postures in a time [s]."""
    postures = np.array(q)
    tips = arm().forward(postures)[:, :3, 3]
    errors = np.linalg.norm(tips - points, axis=1) / CM
    lengths = arm().muscles.lengths(postures)
    return Tracked(
        postures, lengths, tips, errors, seconds / len(points), bool(np.all(arm().muscles.admissible(postures)))
    )


def by_descent(points: Array, steps: int, along: FastGradient = ALONG, beginning: str = CENTRED) -> Tracked:
    """Follow points by the descent, with some sweeps at each, from the lengths at the point before."""
    robot, q = arm(), start(points, beginning)
    L, side = robot.muscles.lengths(q)[independent()], side_of(q)
    found = []
    settings = replace(along, sweeps=steps)
    begin = perf_counter()
    for point in points:
        run = robot.muscles.descend_lengths(point, L, q, settings, side=side)
        L, q = run.lengths, run.q
        found.append(q)
    return _tracked(points, found, perf_counter() - begin)


def by_gauss_newton(points: Array, steps: int, centring: float = 0.0) -> Tracked:
    """Follow points by Gauss-Newton in muscle space, with some steps at each.

    centring: the gain towards the middle of the ranges.
    """
    robot, q = arm(), start(points)
    found = []
    begin = perf_counter()
    for point in points:
        q = robot.muscles.track_lengths(q, point, steps, centring=centring).q
        found.append(q)
    return _tracked(points, found, perf_counter() - begin)


def by_default(points: Array) -> Tracked:
    """Solve every point in closed form, nearest to the posture at the point before."""
    robot, q = arm(), start(points)
    found = []
    begin = perf_counter()
    for point in points:
        q = robot.muscles.solve_lengths(point, q, prefer="nearest").q
        found.append(q)
    return _tracked(points, found, perf_counter() - begin)

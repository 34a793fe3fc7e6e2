"""The relaxation network for robots: relaxation of points, a fit of the joint angles, then Levenberg-Marquardt.

An arm is a sequence of points, one on each revolute axis, the tip last (as for FABRIK), with constant distances between
neighbours. The point form (point_form.py) relaxes them with the tip clamped to its target. The last point that is fixed in the
tip frame is clamped too, so that the tip's orientation counts. Points ignore the axes, so each joint in turn then takes the value
inside its range that minimises the distances of all later points from their relaxed positions. The rounds continue while the
value decreases.

The rounds need not converge exactly. Levenberg-Marquardt continues from their end, and `problem.note` reports the number of
cycles of the network and the number of steps. Solutions are verified, as for every iterative method.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.model.model import Model
from limbik.solvers.iterative.ccd import missing
from limbik.solvers.iterative.fabrik import axis_points, fitted
from limbik.solvers.iterative.iterative import Iterative, IterativeSolver
from limbik.solvers.iterative.marquardt import Marquardt
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.iterative.screws import Screw, screws_at
from limbik.solvers.iterative.task import unfit_for_task
from limbik.solvers.method import Attempt, Found
from limbik.solvers.query import Options, Query, pose_goal
from limbik.solvers.relaxation.point_form import PointForm
from limbik.solvers.relaxation.whole_body import relaxed_candidates, unfit_for_points


def relaxed(problem: Problem, screws: list[Screw], points: Array, T: Array, settings: "Mmc") -> tuple[Array, int]:
    """Return the relaxed points, (n + 1, 3), and the number of cycles."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    longest = float(lengths.max(initial=0.0))
    wanted = np.array(points)
    wanted[-1] = problem.target[:3, 3]
    if longest <= 0.0:
        return wanted, 0
    merged = [0]  # the network's point for each point
    for length in lengths:
        merged.append(merged[-1] + (length > settings.merge * longest))
    first = [merged.index(k) for k in range(merged[-1] + 1)]
    form = PointForm.chain([float(np.linalg.norm(points[b] - points[a])) for a, b in pairwise(first)])
    targets = {form.n: problem.target[:3, 3]}
    if problem.objective.name != "position":  # the last axis is fixed in the tip frame and moves with it
        last = max((j for j, screw in enumerate(screws) if screw.revolute), default=None)
        motion = problem.target @ inverse(T)
        if last is not None and 0 < merged[last] < form.n:
            targets[merged[last]] = motion[:3, :3] @ points[last] + motion[:3, 3]
    done = form.relax(
        targets, points[first], tolerance=settings.near * form.size, cycles=settings.cycles, attempts=1, finish=False
    )
    return done.points[merged], done.cycles


@dataclass(frozen=True)
class Mmc(Iterative):
    """Settings: rounds of cycles, continued while a round reduces the value below the share `progress`.

    near: the error that ends the cycles of a round [mean segments]. hand: the weight of the tip in the fit, relative to another
    point. hold: the resistance of a revolute joint to a change, relative to that of a point at the longest distance, so that
    joints with little effect do not move. merge: points closer than this part of the longest distance are merged. value: stops
    below it.
    """

    name = "mmc"
    title = "relaxation of points (MMC), a fit of the joint angles, then Levenberg-Marquardt"
    family = "relaxation"

    rounds: int = 6
    cycles: int = 300
    near: float = 1e-3
    progress: float = 0.7
    hand: float = 4.0
    hold: float = 0.3
    merge: float = 1e-6
    value: float = 1e-20

    def iterate(self, problem: Problem, x: Array) -> Iterator[Array]:
        """Yield x after every round of relaxation, then after every step of Levenberg-Marquardt."""
        x = problem.inside(x)
        T = problem.hand(x)
        value, cycles, rounds = missing(problem, T), 0, 0
        for _ in range(self.rounds):
            if value <= self.value:
                break
            problem.jacobians += 1
            screws = screws_at(T, problem.jacobian_of(problem.q(x)), problem.unit)
            points = axis_points(screws, T[:3, 3])
            wanted, ran = relaxed(problem, screws, points, T, self)
            longest = float(np.linalg.norm(np.diff(points, axis=0), axis=1).max(initial=0.0))
            ahead = fitted(problem, x, screws, points, wanted, T, self.hand, self.hold * longest**2)
            T_ahead = problem.hand(ahead)
            found = missing(problem, T_ahead)
            cycles += ran
            if not found < value:
                break
            helped = found <= self.progress * value
            x, T, value, rounds = ahead, T_ahead, found, rounds + 1
            problem.note = f"{cycles} cycles of relaxation in {rounds} round{'' if rounds == 1 else 's'}"
            yield x
            if not helped:
                break
        network = f"{cycles} cycles of relaxation in {rounds} round{'' if rounds == 1 else 's'}"
        for taken, ahead in enumerate(Marquardt().iterate(problem, x), 1):
            problem.note = f"{network}, then {taken} step{'' if taken == 1 else 's'} of Levenberg-Marquardt"
            yield ahead

    def prepare(self, model: Model, options: Options) -> "RelaxationSolver":
        """Return the solver."""
        return RelaxationSolver(self, model, options)


@dataclass(frozen=True, eq=False)
class RelaxationSolver(IterativeSolver):
    """One pose or Position of a tip by the iterative method; other goals, and joints with several axes, by whole_body.py."""

    trusted = True

    def unfit(self, query: Query) -> str | None:
        """Return why a query is not acceptable: at least one goal must give a position."""
        goals = self._whole(query)
        return super().unfit(query) if goals is None else unfit_for_points(goals)

    def attempt(self, query: Query) -> Attempt | None:
        """Run the method once from the seed; None for queries of the whole body."""
        return super().attempt(query) if self._whole(query) is None else None

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield attempts; the first starts from the relaxed points."""
        goals = self._whole(query)
        if goals is None:
            yield from super().candidates(query)
        else:
            yield from relaxed_candidates(goals, self.model, self.method.name)

    def _whole(self, query: Query) -> Query | None:
        """Return the query in terms of goals if the iterative method does not accept it; None if it does."""
        if unfit_for_task(query, self.model) is None:
            return None
        if query.goals:
            return query
        goals = (pose_goal(query.target, query.options, self.model),)
        return replace(query, target=None, goals=goals, options=Options(query.limits))

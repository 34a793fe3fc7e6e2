"""The relaxation network for robots: points that relax, angles fitted hinge by hinge, and an exact finish.

An arm is a row of points, one on each axis that turns, the hand last (as for FABRIK); neighbours keep their distance. The
point form (point_form.py) relaxes them with the hand clamped to its target, and with the last point that is fixed in the hand
where the target has it, so that the hand's rotation has a say. Points know nothing of axes: each joint in turn then takes the
value inside its range that brings the points it carries nearest. Round follows round while that helps.

Where the rounds end no hinge may be quite right, so the rest is done by Levenberg and Marquardt's method from there, and counted:
`problem.note` tells how many cycles were the network's and how many steps were not. What is called solved was checked afterwards,
as for every method that goes step by step.
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
from limbik.solvers.iterative.screws import Screw, read
from limbik.solvers.iterative.task import unfit_for_task
from limbik.solvers.method import Found
from limbik.solvers.query import Options, Query, pose_goal
from limbik.solvers.relaxation.point_form import PointForm
from limbik.solvers.relaxation.whole_body import relaxed_candidates, unfit_for_points


def relaxed(problem: Problem, screws: list[Screw], points: Array, T: Array, settings: "Mmc") -> tuple[Array, int]:
    """Return where the points relax to, (n + 1, 3), and after how many cycles."""
    ways = np.linalg.norm(np.diff(points, axis=0), axis=1)
    longest = float(ways.max(initial=0.0))
    wanted = np.array(points)
    wanted[-1] = problem.target[:3, 3]
    if longest <= 0.0:
        return wanted, 0
    place = [0]  # which point of the network each point is
    for way in ways:
        place.append(place[-1] + (way > settings.merge * longest))
    first = [place.index(k) for k in range(place[-1] + 1)]
    form = PointForm.chain([float(np.linalg.norm(points[b] - points[a])) for a, b in pairwise(first)])
    targets = {form.n: problem.target[:3, 3]}
    if problem.objective.name != "position":  # the last axis is fixed in the hand, and goes where the hand goes
        last = max((j for j, screw in enumerate(screws) if screw.turns), default=None)
        carried = problem.target @ inverse(T)
        if last is not None and 0 < place[last] < form.n:
            targets[place[last]] = carried[:3, :3] @ points[last] + carried[:3, 3]
    done = form.relax(
        targets, points[first], tolerance=settings.near * form.size, cycles=settings.cycles, attempts=1, finish=False
    )
    return done.points[place], done.cycles


@dataclass(frozen=True)
class Mmc(Iterative):
    """How long it relaxes: rounds of so many cycles each, while a round leaves no more than `progress` of the value.

    near: the error that ends the cycles of a round [of the mean limb]. hand: what the hand counts in the fit beside each other
    point. hold: how much a joint wants to stay, beside a point at the longest way from it: joints that move next to nothing do
    not turn. merge: points nearer than this part of the longest way are one. value: nothing is left to do below it.
    """

    name = "mmc"
    title = "relaxation of points (MMC), then angles hinge by hinge and an exact finish"
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
        """Yield x after every round of relaxation, then after every step of the exact finish."""
        x = problem.inside(x)
        T = problem.hand(x)
        value, cycles, rounds = missing(problem, T), 0, 0
        for _ in range(self.rounds):
            if value <= self.value:
                break
            problem.jacobians += 1
            screws = read(T, problem.jacobian_of(problem.q(x)), problem.unit)
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
    """One pose or Position of a tip as an iterative method; other goals, and joints with several axes, by whole_body.py."""

    def unfit(self, query: Query) -> str | None:
        """Return why a query does not fit: something must have a place that points can relax to."""
        goals = self._whole(query)
        return super().unfit(query) if goals is None else unfit_for_points(goals)

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield attempts, of which the first starts where the points come to rest."""
        goals = self._whole(query)
        if goals is None:
            yield from super().candidates(query)
        else:
            yield from relaxed_candidates(goals, self.model, self.method.name)

    def _whole(self, query: Query) -> Query | None:
        """Return the query as one for goals where the iterative form does not serve; None where it does."""
        if unfit_for_task(query, self.model) is None:
            return None
        if query.goals:
            return query
        goals = (pose_goal(query.target, query.options, self.model),)
        return replace(query, target=None, goals=goals, options=Options(query.limits))

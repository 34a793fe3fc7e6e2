"""Method "neural": a trained network proposes where to begin, then Levenberg-Marquardt."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik._core import Answer, NetworkStarts, Status
from limbik.errors import BadOption
from limbik.geometry.arrays import Array, numbers
from limbik.geometry.se3 import matrices
from limbik.goals.position import Position
from limbik.model.model import Model
from limbik.solvers.attachments import NETWORK, attached
from limbik.solvers.compiled import AttemptSolver, goal_problem, one_pose, unfit_for_goals
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.goal_solver import goal_candidates
from limbik.solvers.method import Found, Method
from limbik.solvers.neural.content import network_starts, target_view
from limbik.solvers.query import Options, Query
from limbik.solvers.wording import explain_attempts

# Configurations of a network of places that are begun with: a place that none of these leads to is hardly reached by the next.
MOST_PLACES = 4


@dataclass(frozen=True)
class Neural(Method):
    """Attempts that begin where the attached network proposes."""

    name = "neural"
    title = "a trained network proposes where to begin, then Levenberg-Marquardt, verified"
    family = "neural"

    def prepare(self, model: Model, options: Options) -> "NetworkSolver":
        """Return the solver. Raises BadOption for a chain without network."""
        return NetworkSolver(model, options, name=self.name, starts=network(model, options.limits))

    def explain(self, answer: Answer, how: str, branch: str) -> str:
        """Return one sentence about an answer. Where no start of the network converges, attempts follow."""
        if answer.ok and answer.attempt < 0:
            return f"solved by lm from the network's start number {answer.tried}, {answer.steps} steps in all"
        return explain_attempts(answer, "lm, from starts that are not the network's,")

    def solved_by(self, attempt: int) -> str:
        """Return how goals were solved."""
        return "lm from where the network says" if attempt == 0 else f"lm at attempt {attempt} near it"


@dataclass(frozen=True, eq=False)
class NetworkSolver(AttemptSolver):
    """Attempts from a network's proposals: for poses, or for places where the network has learned those."""

    def unfit(self, query: Query) -> str | None:
        """Return why a query does not fit: it takes one pose, or one Position of the tip, as the network has learned."""
        places = knows_places(self.model)
        if not query.goals:
            if places:
                return "this network knows places alone: ask it for a place, arm.solve(lk.Position(None, p), method='neural')"
            return super().unfit(query)
        if len(query.goals) > 1 or query.frozen is not None:
            return one_pose(self.name)
        goal = query.goals[0]
        of_tip = isinstance(goal, Position) and goal.frame in (None, self.model.tip) and goal.relative_to is None
        if not of_tip or not isinstance(goal, Position) or np.any(goal.at):
            return "method='neural' takes one pose, or one Position of the tip for a network of places"
        if not places:
            return "this network knows whole poses; a Position needs one of places: limbik train ROBOT --places"
        return unfit_for_goals(query)

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield attempts from the network's proposals; for a place, then those from the seed."""
        if query.goals:
            yield from self._places(query)
        else:
            yield from super().candidates(query)

    def _places(self, query: Query) -> Iterator[GoalAnswer]:
        starts = network(self.model, query.limits)
        for start in self._proposed(query, starts)[:MOST_PLACES]:
            for answer in goal_candidates(goal_problem(replace(query, seed=start), self.model)):
                if answer.ok:
                    near = query.seed is not None and not query.chooses
                    yield replace(self._closer(query, starts, answer) if near else answer, method=self.name)
                elif answer.status in (Status.OUT_OF_REACH, Status.LIMITS) or query.deadline.over():
                    yield replace(answer, method=self.name)
                    return
        for answer in goal_candidates(goal_problem(query, self.model)):
            yield replace(answer, note="no start that the network proposed converged")

    def _closer(self, query: Query, starts: NetworkStarts, answer: GoalAnswer) -> GoalAnswer:
        """Return the answer at the 2-pi copies closest to the seed, where that is a solution too."""
        near = replace(query, seed=starts.settled(answer.q, query.seed))
        again = next(goal_candidates(goal_problem(near, self.model)))
        return again if again.ok else answer

    def _proposed(self, query: Query, starts: NetworkStarts) -> Array:
        goal = query.goals[0]
        assert isinstance(goal, Position)
        T = np.eye(4)
        T[:3, 3] = goal.point
        return np.asarray(starts.propose(T[None], query.seed)[0])


def knows_places(model: Model) -> bool:
    """Tell whether a model's network has learned places alone, not poses."""
    content = attached(model, NETWORK)
    return content is not None and content.settings.get("places") is True


def network(model: Model, limits: Any = True) -> NetworkStarts:
    """Return the attached network as the core uses it. Raises BadOption where there is none, BadFile where it does not fit."""
    if attached(model, NETWORK) is None:
        raise BadOption(
            f"'{model.name}' has no network; train one (limbik train {model.name} -o F) and give it: arm.with_network(F)"
        )
    return model.derived(_inside_limits if limits else _without_limits)


def propose(model: Model, Ts: Any, seeds: Any = None) -> Array:
    """Return the configurations that the network proposes for many targets, as `Chain.propose` documents."""
    starts = network(model)
    if not knows_places(model):
        return starts.propose(numbers(matrices(Ts), "targets are matrices (N, 4, 4) of numbers"), seeds)
    places = numbers(Ts, "places are numbers (N, 3)")
    if places.ndim != 2 or places.shape[1] != 3:
        raise BadOption(f"this network is of places: propose takes (N, 3); got shape {places.shape}")
    T = np.tile(np.eye(4), (len(places), 1, 1))
    T[:, :3, 3] = places
    return starts.propose(T, seeds)


def _inside_limits(model: Model) -> NetworkStarts:
    return _made(model, True)


def _without_limits(model: Model) -> NetworkStarts:
    return _made(model, False)


def _made(model: Model, limits: bool) -> NetworkStarts:
    content = attached(model, NETWORK)
    assert content is not None
    view = target_view(model, places=knows_places(model), sided=content.settings.get("sided") is True)
    return network_starts(content, model, view, limits=limits)

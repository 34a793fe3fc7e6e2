"""Method "neural": starts proposed by a trained network, then Levenberg-Marquardt."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik._core import Answer, NetworkStarts, Status
from limbik.errors import BadOption
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array
from limbik.goals.position import Position
from limbik.model.model import Model
from limbik.solvers.attachments import NETWORK, attached
from limbik.solvers.compiled import AttemptSolver, goal_problem, one_pose
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.goal_solver import goal_candidates
from limbik.solvers.method import Found, Method
from limbik.solvers.neural.content import network_starts, target_view
from limbik.solvers.query import Options, Query
from limbik.solvers.wording import explain_attempts

# Number of proposals that are tried for a position: further ones rarely succeed.
MOST_PLACES = 4


@dataclass(frozen=True)
class Neural(Method):
    """Attempts from the proposals of the attached network."""

    name = "neural"
    title = "starts proposed by a trained network, then Levenberg-Marquardt, verified"
    family = "neural"

    def prepare(self, model: Model, options: Options) -> "NetworkSolver":
        """Return the solver. Raises BadOption for a chain without network."""
        return NetworkSolver(model, options, name=self.name, starts=network(model, options.limits))

    def explain(self, answer: Answer, how: str, branch: str) -> str:
        """Return one sentence about an answer. If no proposal of the network converges, attempts follow."""
        if answer.ok and answer.attempt < 0:
            return f"solved by lm from proposal {answer.tried} of the network, {answer.steps} steps in all"
        return explain_attempts(answer, "lm (no proposal of the network converged)")

    def solved_by(self, attempt: int) -> str:
        """Return how goals were solved."""
        return (
            "lm from the network's proposal" if attempt == 0 else f"lm at attempt {attempt} near the network's proposal"
        )


@dataclass(frozen=True, eq=False)
class NetworkSolver(AttemptSolver):
    """Attempts from a network's proposals: for poses, or for positions if the network was trained on these."""

    trusted = True

    def unfit(self, query: Query) -> str | None:
        """Return why a query is not acceptable: it must be one pose, or one Position of the tip, as the network was trained."""
        places = trained_on_positions(self.model)
        if not query.goals:
            if places:
                return "this network was trained on positions: use arm.solve(lk.Position(None, p), method='neural')"
            return super().unfit(query)
        if len(query.goals) > 1 or query.frozen is not None:
            return one_pose(self.name)
        goal = query.goals[0]
        of_tip = isinstance(goal, Position) and goal.frame in (None, self.model.tip) and goal.relative_to is None
        if not of_tip or not isinstance(goal, Position) or np.any(goal.at):
            return "method='neural' takes one pose, or one Position of the tip for a network of positions"
        if not places:
            return "this network was trained on poses; a Position needs a network of positions: limbik train ROBOT --places"
        return None

    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield attempts from the network's proposals; for a position, then those from the seed."""
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
            yield replace(answer, note="no proposal of the network converged")

    def _closer(self, query: Query, starts: NetworkStarts, answer: GoalAnswer) -> GoalAnswer:
        """Return the answer at the 2-pi copies closest to the seed, if that is a solution too."""
        near = replace(query, seed=starts.settled(answer.q, query.seed))
        again = next(goal_candidates(goal_problem(near, self.model)))
        return again if again.ok else answer

    def _proposed(self, query: Query, starts: NetworkStarts) -> Array:
        goal = query.goals[0]
        assert isinstance(goal, Position)
        T = np.eye(4)
        T[:3, 3] = goal.point
        return np.asarray(starts.propose(T[None], query.seed)[0])


def trained_on_positions(model: Model) -> bool:
    """Return whether a model's network was trained on positions, not poses."""
    content = attached(model, NETWORK)
    return content is not None and content.settings.get("places") is True


def attached_content(model: Model) -> Content:
    """Return the network attached to a model. Raises BadOption without one."""
    found = attached(model, NETWORK)
    if found is None:
        raise BadOption(
            f"'{model.name}' has no network; train one (limbik train {model.name} -o F) and attach it: arm.with_network(F)"
        )
    return found


def network(model: Model, limits: Any = True) -> NetworkStarts:
    """Return the attached network in the form of the core. Raises BadOption without one, BadFile if it does not fit."""
    attached_content(model)
    return model.derived(_inside_limits if limits else _without_limits)


def _inside_limits(model: Model) -> NetworkStarts:
    return _made(model, True)


def _without_limits(model: Model) -> NetworkStarts:
    return _made(model, False)


def _made(model: Model, limits: bool) -> NetworkStarts:
    content = attached_content(model)
    view = target_view(model, places=trained_on_positions(model), sided=content.settings.get("sided") is True)
    return network_starts(content, model, view, limits=limits)

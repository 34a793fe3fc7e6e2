"""A query of `solve`: a target pose or goals, a seed, and the options."""

from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from limbik.geometry.se3 import matrices
from limbik.goals.clearance import Clearance, Obstacles
from limbik.goals.given import Frozen, checked_limits, goals_from, is_goals
from limbik.goals.goal import Goal
from limbik.goals.pose import Pose
from limbik.model.model import Model
from limbik.solvers.deadline import Deadline
from limbik.solvers.preference import NEAREST, Preference, preference_of
from limbik.solvers.weights import Weights, checked_weights


class Options(NamedTuple):
    """Options of a solver: whether limits are kept, and the tolerances [m, rad]; None for the model's."""

    limits: bool = True
    position_tolerance: float | None = None
    rotation_tolerance: float | None = None


@dataclass(frozen=True, eq=False)
class Query:
    """A target pose, or goals; exactly one of them is given.

    target: (4, 4), as the caller gave it. goals: also a pose with frozen joints or obstacles. weighted: whether `weights` were
    given, the weights of metres and radians for an unreachable target. branch: the required branch.
    """

    target: Any = None
    goals: tuple[Goal, ...] = ()
    seed: Any = None
    options: Options = field(default_factory=Options)
    preference: Preference = field(default_factory=Preference)
    branch: Any = None
    weights: Weights = field(default_factory=Weights)
    weighted: bool = False
    frozen: Frozen = None
    deadline: Deadline = field(default_factory=Deadline)

    @property
    def limits(self) -> bool:
        """Whether joint limits are kept."""
        return self.options.limits

    @property
    def chooses(self) -> bool:
        """Whether several solutions are compared or filtered."""
        return self.branch is not None or self.preference.chooses

    def at(self, target: Any, seed: Any) -> "Query":
        """Return the same query for another target and seed."""
        return replace(self, target=target, seed=seed)


def isolated(query: Query) -> Query:
    """Return a query with copies of what a foreign method could change, which is neither the caller's nor verified then."""
    goals, preference, options = deepcopy(query.goals), copy(query.preference), deepcopy(query.options)
    target = query.target if query.goals else _copied(matrices(query.target))
    return replace(query, target=target, seed=_copied(query.seed), goals=goals, preference=preference, options=options)


def _copied(given: Any) -> Any:
    if not isinstance(given, np.ndarray):
        return deepcopy(given)
    out = given.copy()
    out.flags.writeable = False
    return out


def pose_goal(target: Any, options: Options, model: Model) -> Pose:
    """Return a target of the tip as a goal, with the caller's tolerances. Raises NotRigid, ShapeError, BadOption."""
    wanted = (
        model.tolerance("m") if options.position_tolerance is None else options.position_tolerance,
        model.tolerance("rad") if options.rotation_tolerance is None else options.rotation_tolerance,
    )
    return Pose(None, target, tolerance=wanted)


def make_query(
    model: Model,
    target: Any,
    seed: Any = None,
    *,
    branch: Any = None,
    limits: Any = True,
    valid: Any = None,
    prefer: Any = NEAREST,
    position_tolerance: Any = None,
    rotation_tolerance: Any = None,
    seconds: Any = None,
    weights: Any = None,
    frozen: Frozen = None,
    obstacles: Obstacles | None = None,
) -> Query:
    """Return the arguments of `solve` as a query. Raises BadOption.

    Checks goals, limits, valid, prefer, weights and seconds; solvers check target, seed, branch and tolerances.
    """
    goals: tuple[Goal, ...] = ()
    options = Options(checked_limits(limits), position_tolerance, rotation_tolerance)
    if model.is_tree or (type(target) is not np.ndarray and is_goals(target)):
        goals, target = goals_from(target, model), None
    elif frozen is not None or obstacles is not None:
        goals, target, options = (pose_goal(target, options, model),), None, Options(options.limits)
    if obstacles is not None:
        goals = (*goals, Clearance(obstacles))
    return Query(
        target,
        goals,
        seed,
        options,
        preference_of(valid, prefer, model),
        branch,
        checked_weights(weights),
        weights is not None,
        frozen,
        Deadline(seconds),
    )

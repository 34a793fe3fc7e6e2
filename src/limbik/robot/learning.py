"""What a chain does with a network that has learned it: `with_network`, `propose`."""

from dataclasses import replace
from functools import cached_property
from os import PathLike
from typing import Any, Self

import numpy as np

from limbik._core import NetworkStarts, Status, TargetView
from limbik.errors import BadOption
from limbik.geometry.arrays import Array, numbers
from limbik.geometry.se3 import matrices
from limbik.goals.goal import Goal
from limbik.goals.position import Position
from limbik.robot.carrying import NETWORK, Carrying
from limbik.robot.pursuing import NEAREST
from limbik.solvers.budget import Budget
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.neural.content import network_starts, target_view
from limbik.solvers.table.content import Content

NEURAL = "neural"
# Postures of a network of places that are begun with: a place that none of these leads to is hardly reached by the next.
MOST_PLACES = 4


class Learning(Carrying):
    """A chain that may have a network."""

    def with_network(self, network: str | PathLike[str] | Content) -> Self:
        """Return this chain with a network, as `limbik train` or `limbik.train` made it: a file, or what is in one.

        method="neural" then begins where the network says. Raises BadFile for a file that is damaged or was made for another
        robot, FileUnreadable.
        """
        made = self._loaded(NETWORK, network)
        made._learned(True)  # one that does not fit is refused here, not by the first solve
        return made

    @property
    def network(self) -> Content | None:
        """The network that the chain has learned."""
        carried = self._carried.get(NETWORK)
        return None if carried is None else carried.content

    def propose(self, Ts: Any, seeds: Any = None) -> Array:
        """Return the postures that the network offers for many targets, the most promising first: (N, 4, 4) -> (N, heads, n).

        Targets are places, (N, 3), for a network of places. Inside the limits, near the target, and not answers: `solve`
        gives those. Raises BadOption where there is no network.
        """
        starts = self._needed_network()
        if not self._learns_places:
            return starts.propose(numbers(matrices(Ts), "targets are matrices (N, 4, 4) of numbers"), seeds)
        places = numbers(Ts, "places are numbers (N, 3)")
        if places.ndim != 2 or places.shape[1] != 3:
            raise BadOption(f"this network is of places: propose takes (N, 3); got shape {places.shape}")
        T = np.tile(np.eye(4), (len(places), 1, 1))
        T[:, :3, 3] = places
        return starts.propose(T, seeds)

    def _needed_network(self, limits: bool = True) -> NetworkStarts:
        starts = self._learned(limits)
        if starts is None:
            raise BadOption(
                f"'{self.name}' has no network; train one (limbik train {self.name} -o F) and give it: arm.with_network(F)"
            )
        return starts

    def _network_for_poses(self, limits: bool) -> NetworkStarts:
        """Return the network that method="neural" begins with. Raises BadOption where there is none, or one of places."""
        if self._learns_places:
            raise BadOption(
                "this network knows places alone: ask it for a place, arm.solve(lk.Position(None, p), method='neural')"
            )
        return self._needed_network(limits)

    @property
    def _learns_places(self) -> bool:
        content = self.network
        return content is not None and content.settings.get("places") is True

    def _learned(self, limits: bool) -> NetworkStarts | None:
        """Return the network as the core uses it."""
        return self._network_in_limits if limits else self._network_anywhere

    @cached_property
    def _view(self) -> TargetView:
        content = self.network
        sided = content is not None and content.settings.get("sided") is True
        return target_view(self.model, places=self._learns_places, sided=sided)

    @cached_property
    def _network_in_limits(self) -> NetworkStarts | None:
        return self._make_network(True)

    @cached_property
    def _network_anywhere(self) -> NetworkStarts | None:
        return self._make_network(False)

    def _make_network(self, limits: bool) -> NetworkStarts | None:
        content = self.network
        return None if content is None else network_starts(content, self.model, self._view, limits=limits)

    def _proposed_place(self, goals: Any, seed: Any, limits: bool) -> Array:
        """Return where to begin for one goal that is a place of the tip: the network's postures. Raises BadOption."""
        starts = self._needed_network(limits)
        given = [goals] if isinstance(goals, Position) else list(goals) if isinstance(goals, list | tuple) else []
        goal = given[0] if len(given) == 1 else None
        of_tip = (
            isinstance(goal, Position) and goal.frame in (None, self.model.compiled.tip) and goal.relative_to is None
        )
        if not of_tip or not isinstance(goal, Position) or np.any(goal.at):
            raise BadOption("method='neural' takes one pose, or one Position of the tip for a network of places")
        if not self._learns_places:
            raise BadOption(
                "this network knows whole poses; a Position needs one of places: limbik train ROBOT --places"
            )
        T = np.eye(4)
        T[:3, 3] = goal.point
        return np.asarray(starts.propose(T[None], seed)[0])

    def _from_learned_place(
        self, goals: tuple[Goal, ...], seed: Any, limits: bool, valid: Any, prefer: Any, seconds: float | None
    ) -> GoalAnswer:
        """Return a posture whose tip is at a place, from where the network says, or else from the seed."""
        budget = Budget(seconds)
        options: dict[str, Any] = {"limits": limits, "valid": valid, "prefer": prefer}
        for start in self._proposed_place(goals, seed, limits)[:MOST_PLACES]:
            answer = self._pursue(goals, start, seconds=None if seconds is None else budget.left(), **options)
            if answer.ok and seed is not None and valid is None and prefer is NEAREST:
                near = self._needed_network(limits).settled(answer.q, seed)  # at the whole turns nearest the seed
                again = self._pursue(goals, near, limits=limits)
                answer = again if again.ok else answer
            if answer.ok or answer.status in (Status.OUT_OF_REACH, Status.LIMITS) or budget.over():
                return replace(answer, method=NEURAL)
        answer = self._pursue(goals, seed, seconds=None if seconds is None else budget.left(), **options)
        return replace(answer, note="the network led nowhere")

"""What a chain does with methods that go step by step: `trace`, and solving with them."""

from dataclasses import replace
from typing import Any

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import BadOption, LimbikError, ShapeError, shown, suggest
from limbik.geometry.arrays import number
from limbik.geometry.se3 import matrices
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.joint import Kind
from limbik.robot.pursuing import Pursuing, is_goals
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.budget import Budget
from limbik.solvers.iterative.objective import OBJECTIVES
from limbik.solvers.iterative.stepping import Task, Trace, trace
from limbik.solvers.iterative.stepping import solve as solve_by_steps
from limbik.solvers.preference import Preference
from limbik.solvers.registry import METHODS


def goes_by_steps(method: object) -> bool:
    """Tell whether a name is that of a method that goes step by step."""
    return isinstance(method, str) and method in METHODS and bool(METHODS[method].module)


class Stepping(Pursuing):
    """A chain that methods can be watched on."""

    def trace(
        self, T: Any, seed: Any = None, method: str = "bfgs", *, limits: bool = True, objective: str = "log"
    ) -> Trace:
        """Return the course of a method that goes step by step, from the seed to its own end: every posture, error and count.

        T: (4, 4), or a Position goal. objective: "log", "5.22" or "5.26" of Chin's thesis. One attempt, no restarts.
        """
        if not goes_by_steps(method):
            names = [name for name, row in METHODS.items() if row.module]
            raise BadOption(f"method={shown(method)} does not go step by step; {suggest(str(method), names)}")
        if not isinstance(objective, str) or objective not in OBJECTIVES:
            raise BadOption(f"objective={shown(objective)} is not known; use one of {', '.join(OBJECTIVES)}")
        task = self._task(T, limits, None, None)
        if task.objective != "position":
            task = replace(task, objective=objective)
        return trace(task, method, self._start(seed, None, False)[0])

    def _task(self, T: Any, limits: object, position: float | None, rotation: float | None) -> Task:
        """Return what a method that goes step by step is given. Raises BadOption for joints with several axes."""
        if not isinstance(limits, bool | np.bool_):
            raise BadOption(f"limits={limits!r}: True keeps the joint limits, False switches them off")
        if any(v.joint.kind.size != 1 for v in self.model.compiled.variables):
            raise BadOption(
                f"'{self.name}' has a ball or floating joint; methods that go step by step take one axis each"
            )
        objective = "log"
        if isinstance(T, Position):
            if (
                T.relative_to not in (None, self.base)
                or any(T.at)
                or T.range != 0.0
                or T.frame not in (None, self.model.compiled.tip)
            ):
                raise BadOption("a method that goes step by step takes a Position of the tip alone; use 'lm'")
            target = np.eye(4)
            target[:3, 3], objective = T.point, "position"
        elif type(T) is not np.ndarray and is_goals(T):
            raise BadOption(
                "a method that goes step by step takes one pose, or one Position of the tip; use 'lm' for goals"
            )
        else:
            target = np.array(Pose.at(None, T).T)
        model = self.model
        turning = np.ones(self.n, bool)
        unit = np.ones(self.n)
        for e in self.model.compiled.elements:
            if not e.joint.kind.turns or e.multiplier != 1.0 or e.offset != 0.0:
                turning[e.variable.first] = False
            if e.variable.joint.kind is Kind.PRISMATIC:
                unit[e.variable.first] = model.length
        wanted = (
            model.tolerance("m") if position is None else number(position, "position_tolerance"),
            model.tolerance("rad") if rotation is None else number(rotation, "rotation_tolerance"),
        )
        if not (wanted[0] > 0 and wanted[1] > 0):
            raise BadOption(f"tolerances must be above 0; got {wanted[0]:g} m and {wanted[1]:g} rad")
        beyond = self._too_far(Position(None, target[:3, 3], tolerance=wanted[0]))
        return Task(
            self.model.kernel,
            self.model.ranges,
            target,
            turning,
            unit,
            model.length,
            *wanted,
            bool(limits),
            objective,
            beyond,
        )

    def _by_steps(self, task: Task, method: str, seed: Any, preference: Preference | None, budget: Budget) -> Answer:
        start = self._start(seed, None, False)[0]
        answer = solve_by_steps(task, method, start, budget)
        if preference is None or not answer.ok:
            return answer
        return preference.pick(answer, lambda first: solve_by_steps(task, method, start, budget, first), budget)

    @staticmethod
    def _check_for_steps(method: str, branch: object, weights: object) -> None:
        """Raise BadOption for options that such methods do not go with."""
        if branch is not None or weights is not None:
            raise BadOption(f"branch= and weights= are not for method={method!r}; leave method out")

    def _batch_by_steps(
        self,
        Ts: Any,
        seeds: Any,
        method: str,
        limits: object,
        tolerances: tuple[float | None, float | None],
        preference: Preference | None,
        budget: Budget,
        invalid: str,
    ) -> BatchAnswer:
        """Return the answers to many targets, one after the other."""
        if not isinstance(invalid, str) or invalid not in ("raise", "mark"):
            raise BadOption(f"invalid={shown(invalid)} is not known; use 'raise' or 'mark'")
        targets = np.asarray(matrices(Ts), np.float64)
        if targets.ndim != 3 or targets.shape[1:] != (4, 4):
            raise ShapeError(f"solve_batch takes targets of shape (N, 4, 4); got {targets.shape}")
        starts = None if seeds is None else np.asarray(seeds, np.float64)
        answers: list[Answer] = []
        for row, T in enumerate(targets):
            seed = starts[row] if starts is not None and starts.ndim == 2 else starts
            try:
                task = self._task(T, limits, *tolerances)
            except LimbikError as error:
                if invalid == "raise":
                    raise type(error)(f"target {row}: {error}") from None
                q = self._start(seed, None, False)[0]
                nothing = np.full((4, 4), np.nan)
                answers.append(Answer(q, int(Status.INVALID), -1, 0, np.nan, np.nan, nothing, method, ""))
                continue
            answers.append(self._by_steps(task, method, seed, preference, budget))
        return BatchAnswer.of(answers, self.n, method)

"""The answer to several goals: the configuration (posture), and the error of every goal."""

from dataclasses import dataclass, replace
from typing import Self

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.goals.goal import Goal, worst
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.record import Record
from limbik.model.results import OneAnswer

# Number of missed goals that `why` names.
NAMED = 3


@dataclass(frozen=True, eq=False)
class GoalAnswer(OneAnswer, Record):
    """The posture found for some goals. Frozen; compares and pickles by its parts.

    q: (n,). errors: the errors of each goal, one number per unit of its kind (a Pose: metres and radians); met: whether each is
    within its tolerance. attempt: the successful attempt, -1 for none; tried: number of attempts. timed_out: whether the
    deadline passed before all attempts. hindered: whether all goals except those about obstacles can be met. proof: why no
    configuration is clear of the obstacles. unchecked: links and pairs of links whose collisions are not checked.
    """

    q: Array
    status: Status
    goals: tuple[Goal, ...]
    errors: tuple[tuple[float, ...], ...]
    met: tuple[bool, ...]
    attempt: int = -1
    tried: int = 0
    timed_out: bool = False
    method: str = "lm"
    # How a method with several phases found q; or why a collision proves nothing.
    note: str = ""
    hindered: bool = False
    proof: str = ""
    unchecked: Unchecked = NOTHING

    @property
    def code(self) -> int:
        """The status as a number."""
        return int(self.status)

    @property
    def position_error(self) -> float:
        """The largest position error of the required goals [m]."""
        return worst(self.goals, self.errors, "m")

    @property
    def rotation_error(self) -> float:
        """The largest rotation error of the required goals [rad]."""
        return worst(self.goals, self.errors, "rad")

    @property
    def branch(self) -> None:
        """None: attempts have no branches."""

    @property
    def why(self) -> str:
        """One sentence: the outcome, the missed goals with their errors, and the unchecked links."""
        return self._outcome + (f"; {self.unchecked}" if self.unchecked else "")

    @property
    def _outcome(self) -> str:
        count = sum(goal.required for goal in self.goals)
        many = f"{count} goal{'' if count == 1 else 's'}"
        tried = f"{self.tried} attempt{'' if self.tried == 1 else 's'} by {self.method}"
        late = " before the time limit" if self.timed_out else ""
        if self.ok:
            from limbik.solvers.registry import METHODS

            method = METHODS.get(self.method)
            by = self.method if method is None else method.solved_by(self.attempt)
            return f"solved by {by}: {many} met" + (f"; {self.note}" if self.note else "")
        missed = [
            f"{goal.describe()} misses {_amount(goal, errors)}"
            for goal, errors, met in zip(self.goals, self.errors, self.met, strict=True)
            if goal.required and not met
        ]
        more = f" and {len(missed) - NAMED} more" if len(missed) > NAMED else ""
        what = "; ".join(missed[:NAMED]) + more
        match self.status:
            case Status.OUT_OF_REACH:
                return f"out of reach: the target is farther away than the arm is long; {what}"
            case Status.BLOCKED if not self.proof:
                return f"blocked: `valid` refused every posture found in {tried}{late}"
            case Status.BLOCKED:
                return f"blocked: the other goals can be met, but not at this clearance: {self.proof}; {what}"
            case _ if self.hindered:
                note = f"; {self.note}" if self.note else ""
                detail = "the other goals can be met, but nothing was found at this clearance"
                return f"not found in {tried}{late}: {detail}; {what}{note}"
            case Status.NOT_FOUND if self.note and not missed:
                return f"not found: {self.note}"
            case Status.NOT_FOUND:
                return f"not found in {tried}{late}: unreachable inside the limits, or very hard to reach; {what}"
            case _:
                return f"a compromise after {tried}{late}: no posture was found that meets all of {many}; {what}"

    def restated(self, status: Status, tried: int, *, timed_out: bool) -> Self:
        """Return the answer with another status; its configuration and errors are kept."""
        return replace(self, status=status, attempt=-1, tried=tried, timed_out=timed_out)

    def __repr__(self) -> str:
        q = ", ".join(f"{x:.6g}" for x in self.q)
        return f"GoalAnswer({self.status.name}, q=[{q}], met={sum(self.met)} of {len(self.met)})"


def _amount(goal: Goal, errors: tuple[float, ...]) -> str:
    """Return the errors of a goal as text."""
    return " and ".join(f"{error:.3g} {unit}".strip() for error, unit in zip(errors, goal.units, strict=True))

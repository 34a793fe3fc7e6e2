"""What a solve for several goals returns: the posture, and what every goal misses."""

from dataclasses import dataclass, replace
from typing import Self

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.goals.goal import Goal, worst
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.record import Record
from limbik.model.truth import Judged

# Goals named in the sentence of an answer that does not meet them.
NAMED = 3


@dataclass(frozen=True, eq=False)
class GoalAnswer(Judged, Record):
    """The posture found for some goals. Frozen; compares and pickles by its parts.

    q: (n,). errors: for each goal what it misses, one number per unit of its kind (a Pose: metres and radians); met: for each
    whether that is within its tolerance. attempt: which one succeeded, -1 for none; tried: how many were made. timed_out:
    whether the time ran out before all were made. hindered: whether all goals but those about obstacles can be met. proof: why
    no posture at all is clear of them. unchecked: the links and pairs of links that obstacles are not kept from.
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
    # What a method that is made of several parts says of them; what keeps a hindrance from being a proof.
    note: str = ""
    hindered: bool = False
    proof: str = ""
    unchecked: Unchecked = NOTHING

    @property
    def ok(self) -> bool:
        """True when every goal that must be met is: checked by forward kinematics, inside the limits."""
        return self.status == Status.SOLVED

    @property
    def code(self) -> int:
        """The status as a number."""
        return int(self.status)

    @property
    def position_error(self) -> float:
        """The most that any goal which must be met misses, in metres."""
        return worst(self.goals, self.errors, "m")

    @property
    def rotation_error(self) -> float:
        """The most that any goal which must be met misses, in radians."""
        return worst(self.goals, self.errors, "rad")

    @property
    def branch(self) -> None:
        """None: attempts have no branches."""

    @property
    def why(self) -> str:
        """One sentence: what was found, or what is missing and where; and what it does not hold for."""
        return self._outcome + (f"; {self.unchecked}" if self.unchecked else "")

    @property
    def _outcome(self) -> str:
        count = sum(goal.required for goal in self.goals)
        many = f"{count} goal{'' if count == 1 else 's'}"
        tried = f"{self.tried} attempt{'' if self.tried == 1 else 's'} by {self.method}"
        late = ", when the time ran out" if self.timed_out else ""
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
                return f"out of reach: farther away than the arm is long; {what}"
            case Status.BLOCKED if not self.proof:
                return f"blocked: `valid` refused every posture found in {tried}{late}"
            case Status.BLOCKED:
                return f"blocked: the other goals can be met, but not at this clearance: {self.proof}; {what}"
            case _ if self.hindered:
                note = f"; {self.note}" if self.note else ""
                said = "the other goals can be met, but nothing was found at this clearance"
                return f"not found in {tried}{late}: {said}; {what}{note}"
            case Status.NOT_FOUND:
                return f"not found in {tried}{late}: unreachable in the limits, or very hard to reach; {what}"
            case _:
                return f"a compromise after {tried}{late}: not all of {many} can be met together, as far as was found; {what}"

    def restated(self, status: Status, tried: int, *, timed_out: bool) -> Self:
        """Return the same posture with another status: a solution that may not be used."""
        return replace(self, status=status, attempt=-1, tried=tried, timed_out=timed_out)

    def __repr__(self) -> str:
        q = ", ".join(f"{x:.6g}" for x in self.q)
        return f"GoalAnswer({self.status.name}, q=[{q}], met={sum(self.met)} of {len(self.met)})"


def _amount(goal: Goal, errors: tuple[float, ...]) -> str:
    """Return what a goal misses, in words."""
    return " and ".join(f"{error:.3g} {unit}".strip() for error, unit in zip(errors, goal.units, strict=True))

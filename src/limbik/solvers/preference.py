"""Which of several solutions: the first that may be used, or the best of the first attempts.

A solve is a row of numbered attempts, and each that succeeds is a solution; a closed form gives all solutions at once.
`valid` says which of them may be used; `prefer` gives each a number, of which the greatest wins. Both are functions of q and
are asked in the order of the attempts, or of the distance from the seed, so that a row of a batch and a single solve ask the
same questions and choose the same posture.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import BadOption, shown
from limbik.solvers.answer import restated
from limbik.solvers.budget import Budget
from limbik.solvers.goal_answer import GoalAnswer

# Attempts whose solutions are compared by `prefer`.
CANDIDATES = 48

# Answers of one kind: to a pose, or to goals.
Found = TypeVar("Found", Answer, GoalAnswer)

Valid = Callable[[Any], bool]
Score = Callable[[Any], float]


@dataclass(frozen=True)
class Preference:
    """What the caller wants of a solution: `valid` must say yes, and `score` be greatest. None: anything will do."""

    valid: Valid | None = None
    score: Score | None = None

    def pick(self, answer: Found, further: Callable[[int], Found], budget: Budget) -> Found:
        """Return the solution to use, given the first one; `further(k)` gives the next from attempt k on.

        BLOCKED when every solution found was refused. A solution that there was no time to ask about is NOT_FOUND.
        """
        best: tuple[float, Found] | None = None
        refused: Found | None = None
        last = answer
        while last.ok and (best is None or last.attempt < CANDIDATES) and not budget.over():
            if self.valid is not None and not self.valid(last.q):
                refused = last
            elif self.score is None:
                return last
            else:
                value = self.score(last.q)
                if best is None or value > best[0]:
                    best = (value, last)
            last = further(last.attempt + 1)
        if best is not None:
            return best[1]
        if refused is not None:
            tried = refused.tried if last.ok else max(last.tried, refused.tried)
            return _unusable(refused, Status.BLOCKED, tried, timed_out=last.ok or last.timed_out)
        if answer.ok and self.valid is not None:
            return _unusable(answer, Status.NOT_FOUND, answer.tried, timed_out=True)
        return answer

    def pick_from(self, answers: Sequence[Answer], budget: Budget) -> Answer:
        """Return the solution to use among all that there are, the nearest first; BLOCKED when every one was refused."""
        best: tuple[float, Answer] | None = None
        asked = 0
        for answer in answers:
            if budget.over():
                break
            asked += 1
            if self.valid is not None and not self.valid(answer.q):
                continue
            if self.score is None:
                return answer
            value = self.score(answer.q)
            if best is None or value > best[0]:
                best = (value, answer)
        if best is not None:
            return best[1]
        late = asked < len(answers)
        return restated(answers[0], Status.NOT_FOUND if late else Status.BLOCKED, asked, timed_out=late)


def _unusable(answer: Found, status: Status, tried: int, *, timed_out: bool) -> Found:
    """Return a solution that may not be used: its posture and errors, another status."""
    if isinstance(answer, GoalAnswer):
        return answer.restated(status, tried, timed_out=timed_out)
    return restated(answer, status, tried, timed_out=timed_out)


def checked_valid(valid: Any) -> Valid | None:
    """Return `valid` as a function that answers yes or no. Raises BadOption, also for any other answer."""
    if valid is None:
        return None
    if not callable(valid):
        raise BadOption(f"valid={shown(valid)} is not a function of q")

    def answers(q: Any) -> bool:
        said = valid(q)
        if not isinstance(said, bool | np.bool_):
            raise BadOption(f"valid must return True or False; it returned {shown(said)}")
        return bool(said)

    return answers


def checked_score(prefer: Callable[[Any], Any]) -> Score:
    """Return `prefer` as a function that gives a number. Raises BadOption for any other answer, NaN too."""

    def scores(q: Any) -> float:
        said = prefer(q)
        try:
            value = float(said)
        except (TypeError, ValueError):
            value = math.nan
        if math.isnan(value):
            raise BadOption(f"prefer must return a number; it returned {shown(said)}")
        return value

    return scores

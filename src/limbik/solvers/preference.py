"""The choice among several solutions: the first valid one, or the best of the first attempts.

A solve makes numbered attempts, and each successful one is a solution; a closed form gives all solutions at once. `valid` is a
predicate on solutions; `prefer` is a score, and the greatest wins. Both are functions of q, evaluated in the order of the
attempts, or of the distance from the seed. A row of a batch and a single solve therefore choose the same posture
(configuration).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.model.model import Model

NEAREST = "nearest"

Valid = Callable[[Any], bool]
Score = Callable[[Any], float]


@dataclass(frozen=True)
class Preference:
    """The caller's filter and score: `valid` must be true, and the greatest `score` wins. None: no condition."""

    valid: Valid | None = None
    score: Score | None = None

    @property
    def chooses(self) -> bool:
        """Whether several solutions are compared or filtered."""
        return self.valid is not None or self.score is not None


def preference_of(valid: Any, prefer: Any, model: Model) -> Preference:
    """Return the filter and score of solutions. Raises BadOption."""
    return Preference(checked_valid(valid), score_named(prefer, model))


def score_named(prefer: Any, model: Model) -> Score | None:
    """Return the score function; None for the first solution. Raises BadOption."""
    if callable(prefer):
        return checked_score(prefer)
    if not isinstance(prefer, str):
        raise BadOption(f"prefer={shown(prefer)} is neither a name nor a function of q")
    if prefer == NEAREST:
        return None
    scores = _scores(model)
    if prefer not in scores:
        names = ", ".join(repr(name) for name in (NEAREST, *scores))
        raise BadOption(f"prefer={prefer!r} is not known; use {names} or a function of q")
    return scores[prefer]


def _scores(model: Model) -> dict[str, Score]:
    """Return the named scores; "manipulable" exists only for a chain, whose tip is known."""
    lower, upper = model.ranges.lower, model.ranges.upper
    limited = np.isfinite(lower) & np.isfinite(upper) & (upper > lower)
    low, high = lower[limited], upper[limited]

    def from_limits(q: Any) -> float:
        return float(np.min(np.minimum(q[limited] - low, high - q[limited]) / (high - low), initial=1.0))

    def manipulable(q: Any) -> float:
        return float(np.linalg.svd(model.kernel.jacobian(q), compute_uv=False).min(initial=np.inf))

    return {"limits": from_limits} if model.is_tree else {"limits": from_limits, "manipulable": manipulable}


def checked_valid(valid: Any) -> Valid | None:
    """Return `valid` as a function that returns a bool and raises BadOption for any other result. Raises BadOption."""
    if valid is None:
        return None
    if not callable(valid):
        raise BadOption(f"valid={shown(valid)} is not a function of q")

    def answers(q: Any) -> bool:
        result = valid(q)
        if not isinstance(result, bool | np.bool_):
            raise BadOption(f"valid must return True or False; it returned {shown(result)}")
        return bool(result)

    return answers


def checked_score(prefer: Callable[[Any], Any]) -> Score:
    """Return `prefer` as a function that returns a number and raises BadOption for any other result, including NaN."""

    def scores(q: Any) -> float:
        result = prefer(q)
        try:
            value = float(result)
        except (TypeError, ValueError):
            value = math.nan
        if math.isnan(value):
            raise BadOption(f"prefer must return a number; it returned {shown(result)}")
        return value

    return scores

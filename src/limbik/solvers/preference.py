"""Which of several solutions: the first that may be used, or the best of the first attempts.

A solve is a row of numbered attempts, and each that succeeds is a solution; a closed form gives all solutions at once.
`valid` says which of them may be used; `prefer` gives each a number, of which the greatest wins. Both are functions of q and
are asked in the order of the attempts, or of the distance from the seed, so that a row of a batch and a single solve ask the
same questions and choose the same posture.
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
    """What the caller wants of a solution: `valid` must say yes, and `score` be greatest. None: anything will do."""

    valid: Valid | None = None
    score: Score | None = None

    @property
    def chooses(self) -> bool:
        """Whether the first solution may not be the one to use."""
        return self.valid is not None or self.score is not None


def preference_of(valid: Any, prefer: Any, model: Model) -> Preference:
    """Return what is wanted of a solution. Raises BadOption."""
    return Preference(checked_valid(valid), score_named(prefer, model))


def score_named(prefer: Any, model: Model) -> Score | None:
    """Return the function whose greatest value is preferred; None where the first solution is. Raises BadOption."""
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
    """Return the preferences that have a name; "manipulable" is for a chain, whose tip is known."""
    lower, upper = model.ranges.lower, model.ranges.upper
    limited = np.isfinite(lower) & np.isfinite(upper) & (upper > lower)
    low, high = lower[limited], upper[limited]

    def from_limits(q: Any) -> float:
        return float(np.min(np.minimum(q[limited] - low, high - q[limited]) / (high - low), initial=1.0))

    def manipulable(q: Any) -> float:
        return float(np.linalg.svd(model.kernel.jacobian(q), compute_uv=False).min(initial=np.inf))

    return {"limits": from_limits} if model.is_tree else {"limits": from_limits, "manipulable": manipulable}


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

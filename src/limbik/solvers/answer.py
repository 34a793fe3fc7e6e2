"""What a solve returns: a status that is evidence, the posture, its errors, and one sentence."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Answer
from limbik.model.transform import Array


class Status(IntEnum):
    """How a solve ended. OUT_OF_REACH and LIMITS are said only when they are proven."""

    SOLVED = 0
    OUT_OF_REACH = 1
    LIMITS = 2
    NOT_FOUND = 3
    COMPROMISE = 4
    BLOCKED = 5
    INVALID = 6


def explain(answer: Answer) -> str:
    """Return one sentence: what was found, how, or why not."""
    away = f"the nearest posture found is {answer.position_error:.3g} m and {answer.rotation_error:.3g} rad away"
    match Status(answer.code):
        case Status.SOLVED if answer.attempt == 0:
            return f"solved by {answer.method} from the seed"
        case Status.SOLVED:
            return f"solved by {answer.method} at attempt {answer.attempt}"
        case Status.OUT_OF_REACH:
            return f"out of reach: the target is farther from the first joint than the arm is long; {away}"
        case Status.BLOCKED:
            return f"blocked: `valid` refused every posture that {answer.method} found in {answer.tried} attempts"
        case Status.NOT_FOUND:
            tried = f"{answer.tried} attempts by {answer.method}"
            return f"not found in {tried}: unreachable in the limits, or very hard to reach; {away}"
        case other:
            return f"{other.name.lower()}; {away}"


def restore(*state: Any) -> Answer:
    """Return an answer from its pickled parts."""
    return Answer(*state)


@dataclass(frozen=True, eq=False)
class BatchAnswer:
    """The answers to N targets, one row each.

    q: (N, n). status: (N,) of `Status` codes. position_error [m], rotation_error [rad]: (N,), NaN for INVALID rows.
    attempt: (N,) the attempt that succeeded, -1 for none. Rows that are not solved hold the nearest posture found.
    """

    q: Array
    status: npt.NDArray[np.uint8]
    position_error: Array
    rotation_error: Array
    attempt: npt.NDArray[np.int32]

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """(N,) which rows are solved."""
        return np.asarray(self.status == Status.SOLVED)

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        codes, counts = np.unique(self.status, return_counts=True)
        return (
            f"BatchAnswer({len(self)}: "
            + ", ".join(f"{n} {Status(c).name}" for c, n in zip(codes, counts, strict=True))
            + ")"
        )

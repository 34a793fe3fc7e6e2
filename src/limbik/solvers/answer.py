"""The answer to one pose: configuration (posture), verified status, errors, and a sentence."""

from typing import Any

import limbik.geometry.se3  # noqa: F401  the readers and errors of the core
from limbik._core import Answer as Answer
from limbik._core import Answers as Answers
from limbik._core import Status as Status
from limbik._core import register
from limbik.solvers.wording import explain_attempts


def explain(answer: Answer, how: str = "", branch: str = "") -> str:
    """Return the outcome and its reason in one sentence. how: the geometry behind a closed form; branch: its name."""
    from limbik.solvers.registry import METHODS

    method = METHODS.get(answer.method)
    return explain_attempts(answer, answer.method) if method is None else method.explain(answer, how, branch)


def explain_all(status: int, count: int, outside: int, method: str, how: str, hint: str = "") -> str:
    """Return one sentence about all postures of a target. hint: about postures that are not listed."""
    from limbik.solvers.registry import METHODS

    basis = METHODS[method].basis(how)
    more = f"; {outside} more outside the limits" if outside else ""
    hint = f"; {hint}" if hint else ""
    match Status(status):
        case Status.SOLVED:
            return f"{count} posture{'' if count == 1 else 's'} by {basis}{more}{hint}"
        case Status.LIMITS:
            return f"outside the limits: by {basis} each of {outside} postures violates a joint limit"
        case Status.OUT_OF_REACH:
            return f"out of reach: by {basis} no posture reaches this pose"
        case _:
            return f"none found by {basis}{more}{hint}"


def restated(answer: Answer, status: Status, tried: int, *, timed_out: bool) -> Answer:
    """Return the answer with another status; its configuration and errors are kept."""
    return Answer(answer.q, int(status), -1, tried, answer.position_error, answer.rotation_error, answer.target,
                  answer.method, "", timed_out)  # fmt: skip


def restore_all(*state: Any) -> Answers:
    """Return all answers from their pickled parts."""
    return Answers(*state)


def restore(*state: Any) -> Answer:
    """Return an answer from its pickled parts."""
    return Answer(*state)


register(explain=explain, explain_all=explain_all, restore=restore, restore_all=restore_all)

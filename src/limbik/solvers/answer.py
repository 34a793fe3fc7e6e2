"""What a solve returns: a status that is evidence, the posture, its errors, and one sentence."""

from typing import Any

from limbik._core import Answer, Answers, Status, register
from limbik.solvers.wording import explain_attempts


def explain(answer: Answer, how: str = "", branch: str = "") -> str:
    """Return one sentence: what was found, how, or why not. how: what a closed form rests on; branch: its name."""
    from limbik.solvers.registry import METHODS

    method = METHODS.get(answer.method)
    return explain_attempts(answer, answer.method) if method is None else method.explain(answer, how, branch)


def explain_all(status: int, count: int, outside: int, method: str, how: str, ask: str = "") -> str:
    """Return one sentence about all postures of a target. ask: what to ask for where not every posture is listed."""
    from limbik.solvers.registry import METHODS

    basis = METHODS[method].basis(how)
    more = f"; {outside} more outside the limits" if outside else ""
    asked = f"; {ask}" if ask else ""
    match Status(status):
        case Status.SOLVED:
            return f"{count} posture{'' if count == 1 else 's'} by {basis}{more}{asked}"
        case Status.LIMITS:
            return f"outside the limits: by {basis} every one of {outside} postures breaks a joint limit"
        case Status.OUT_OF_REACH:
            return f"out of reach: by {basis} no posture has this pose"
        case _:
            return f"none found by {basis}{more}{asked}"


def restated(answer: Answer, status: Status, tried: int, *, timed_out: bool) -> Answer:
    """Return a solution that may not be used: its posture and errors, another status."""
    return Answer(answer.q, int(status), -1, tried, answer.position_error, answer.rotation_error, answer.target,
                  answer.method, "", timed_out)  # fmt: skip


def restore_all(*state: Any) -> Answers:
    """Return all answers from their pickled parts."""
    return Answers(*state)


def restore(*state: Any) -> Answer:
    """Return an answer from its pickled parts."""
    return Answer(*state)


register(explain=explain, explain_all=explain_all, restore=restore, restore_all=restore_all)

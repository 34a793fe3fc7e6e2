"""What a solve returns: a status that is evidence, the posture, its errors, and one sentence."""

from typing import Any

from limbik._core import Answer, Answers, Status, register


def explain(answer: Answer, how: str = "", branch: str = "") -> str:
    """Return one sentence: what was found, how, or why not. how: what a closed form rests on; branch: its name."""
    away = f"the nearest posture found is {answer.position_error:.3g} m and {answer.rotation_error:.3g} rad away"
    # where a table or a network leads nowhere, attempts follow
    by = {
        "table": "lm (no candidate of the table converged)",
        "neural": "lm, from starts that are not the network's,",
    }.get(answer.method, answer.method)
    tried = f"{answer.tried} attempt{'' if answer.tried == 1 else 's'} by {by}"
    in_time = " before the time ran out" if answer.timed_out else ""
    basis = f"closed form ({how})" if how else "closed form"
    closed = answer.method == "closed_form"
    match Status(answer.code):
        case Status.SOLVED if closed:
            family = "; one of a family of postures that all reach it" if answer.family else ""
            return f"solved in {basis}" + (f", branch {answer.branch}: {branch}" if branch else "") + family
        case Status.OUT_OF_REACH if closed:
            return f"out of reach: by the {basis} no posture has this pose; {away}"
        case Status.LIMITS if not closed:
            return f"outside the limits: a prismatic joint would have to leave its range; {away}"
        case Status.LIMITS:
            return f"outside the limits: by the {basis} every posture with this pose breaks a joint limit; {away}"
        case Status.BLOCKED if closed:
            return f"blocked: `valid` refused every posture that the {basis} gave"
        case Status.SOLVED if answer.method == "table" and answer.attempt < 0:
            return f"solved by look-up in the table, then lm from candidate {answer.tried}, {answer.steps} steps in all"
        case Status.SOLVED if answer.method == "table" and answer.attempt == 0:
            return "solved by lm from the seed, not by look-up in the table"
        case Status.SOLVED if answer.method == "neural" and answer.attempt < 0:
            return f"solved by lm from the network's start number {answer.tried}, {answer.steps} steps in all"
        case Status.SOLVED if answer.attempt == 0:
            return f"solved by {by} from the seed"
        case Status.SOLVED:
            return f"solved by {by} at attempt {answer.attempt}"
        case Status.OUT_OF_REACH:
            return f"out of reach: the target is farther from the first joint than the arm is long; {away}"
        case Status.BLOCKED:
            return f"blocked: `valid` refused every posture found in {tried}{in_time}"
        case Status.NOT_FOUND if answer.timed_out:
            return f"not found: the time ran out after {tried}; {away}"
        case Status.NOT_FOUND:
            return f"not found in {tried}: unreachable in the limits, or very hard to reach; {away}"
        case Status.INVALID:
            return "invalid: the target is no rigid pose, so nothing was solved; q is the seed"
        case other:
            return f"{other.name.lower()}; {away}"


def explain_all(status: int, count: int, outside: int, method: str, how: str, ask: str = "") -> str:
    """Return one sentence about all postures of a target. ask: what to ask for where not every posture is listed."""
    bases = {"closed_form": f"closed form ({how})", "table": "look-up in the table, so there may be more"}
    basis = bases.get(method, "attempts by lm, so there may be more")
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

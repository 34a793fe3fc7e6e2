"""The sentences of answers: the outcome, its method, its reason. Methods choose among these and add details."""

from limbik._core import Answer, Status


def explain_attempts(answer: Answer, by: str) -> str:
    """Return the sentence of an answer given by attempts. by: the method of the attempts."""
    tried = f"{answer.tried} attempt{'' if answer.tried == 1 else 's'} by {by}"
    in_time = " before the time ran out" if answer.timed_out else ""
    match Status(answer.code):
        case Status.SOLVED if answer.attempt == 0:
            return f"solved by {by} from the seed"
        case Status.SOLVED:
            return f"solved by {by} at attempt {answer.attempt}"
        case Status.LIMITS:
            return f"outside the limits: a prismatic joint would have to exceed its range; {away(answer)}"
        case Status.OUT_OF_REACH:
            return f"out of reach: the target is farther from the first joint than the arm is long; {away(answer)}"
        case Status.BLOCKED:
            return f"blocked: `valid` refused every posture found in {tried}{in_time}"
        case Status.NOT_FOUND if answer.timed_out:
            return f"not found: the time ran out after {tried}; {away(answer)}"
        case Status.NOT_FOUND:
            return f"not found in {tried}: unreachable inside the limits, or very hard to reach; {away(answer)}"
        case Status.INVALID:
            return "invalid: the target is no rigid pose, so nothing was solved; q is the seed"
        case other:
            return f"{other.name.lower()}; {away(answer)}"


def explain_closed_form(answer: Answer, how: str, branch: str) -> str:
    """Return the sentence of an answer in closed form. how: the geometry behind it; branch: its name."""
    basis = f"closed form ({how})" if how else "closed form"
    match Status(answer.code):
        case Status.SOLVED:
            family = "; one of a self-motion manifold of postures" if answer.family else ""
            return f"solved in {basis}" + (f", branch {answer.branch}: {branch}" if branch else "") + family
        case Status.OUT_OF_REACH:
            return f"out of reach: by the {basis} no posture reaches this pose; {away(answer)}"
        case Status.LIMITS:
            return (
                f"outside the limits: by the {basis} every posture at this pose violates a joint limit; {away(answer)}"
            )
        case Status.BLOCKED:
            return f"blocked: `valid` refused every posture that the {basis} gave"
        case _:
            return explain_attempts(answer, answer.method)


def away(answer: Answer) -> str:
    """Return the errors of the closest configuration as text."""
    return f"the closest posture found is {answer.position_error:.3g} m and {answer.rotation_error:.3g} rad away"

"""The sentence of a completion."""

from limbik._core import Status
from limbik.solvers.relaxation.complete import Outcome
from limbik.solvers.relaxation.inputs import Range


def why(inputs: dict[str, Range], misses: dict[str, float], out: Outcome, status: Status, free: int) -> str:
    """Return one sentence about a completion: the network's cycles, the refinement, the missed inputs.

    free: the number of directions that the inputs leave free.
    """
    ran = len(out.states) - 1
    cycles = f"{ran} cycle{'' if ran == 1 else 's'}"
    rest = f"the network rested after {cycles}" if out.rests else f"the network did not rest in {cycles}"
    if out.diverged:
        rest = f"the network diverged and was stopped after {cycles}"
    if status == Status.SOLVED:
        where = {0: "", 1: " from the start"}.get(out.attempt, " from another posture")
        near = (
            f", within 0.01 of the inputs from cycle {out.reached} on"
            if out.reached >= 0
            else ", not at a posture that meets the inputs"
        )
        left = f"; the previous state decides {free} free direction{'' if free == 1 else 's'}" if free else ""
        steps = f"{out.finished} step{'' if out.finished == 1 else 's'}"
        exact = (
            f"refined by {steps}{where}" if out.finished or out.attempt > 0 else "its joint angles meet them exactly"
        )
        return f"completed: {rest}{near}; {exact}{left}"
    worst = sorted(((m, n) for n, m in misses.items() if m > 0), reverse=True)[:3]
    what = ", ".join(f"{name} = {inputs[name]} is missed by {miss:.3g}" for miss, name in worst)
    if status == Status.BLOCKED:
        return f"blocked: the inputs can be met, but no posture was found that also keeps the regions free; {what}"
    if status in (Status.OUT_OF_REACH, Status.LIMITS):
        return f"{'out of reach' if status == Status.OUT_OF_REACH else 'limits'}: {out.reason}; {what}"
    together = (
        "no posture was found that meets the inputs" if len(inputs) > 1 else "no posture was found that meets the input"
    )
    return f"{together}, so they may contradict each other or the limits; {rest}; {what}"

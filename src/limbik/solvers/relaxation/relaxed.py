"""The result of a point relaxation: a posture that keeps all lengths and ranges, and the errors of its clamped points."""

from dataclasses import dataclass

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer


@dataclass(frozen=True, eq=False)
class Relaxed(OneAnswer, Record):
    """A posture (configuration) of segments. Frozen; compares and pickles by its parts.

    status: SOLVED if every clamped point is within the tolerance of its target and lengths, ranges and free regions are kept,
    all verified on the points; OUT_OF_REACH only if proven by lengths. points: (n + 1, d). ends, errors: the clamped points, and
    their distances from their targets [m]. cycles: number of cycles; kicks: number of nudges out of an equilibrium; steps: number
    of refinement steps that followed, 0 if the network converged alone; attempt: number of the attempt, 0 for that from the given
    start. depth: the largest penetration of a segment into a region that must be free [m], below 0 for none.

    course: (k, n + 1, d) all states of the network, the start first; their segments need not have the right lengths. postures:
    for each state a posture with exact lengths and ranges. Both are empty unless recorded, and end with the refinement's
    postures.
    """

    status: Status
    why: str
    points: Array
    ends: tuple[int, ...]
    errors: Array
    cycles: int
    kicks: int
    steps: int
    attempt: int
    depth: float
    course: Array
    postures: Array

    @property
    def error(self) -> float:
        """The largest distance of a clamped point from its target [m]."""
        return float(self.errors.max(initial=0.0))

    def __repr__(self) -> str:
        return f"Relaxed({self.status.name}, error={self.error:.2g}, cycles={self.cycles})"


def judged(
    ends: tuple[int, ...], errors: Array, tolerance: float, solved: bool, ran: int, kicks: int, steps: int, depth: float,
    attempt: int, count: int, proof: str,
) -> tuple[Status, str]:  # fmt: skip
    """Return the status of a relaxation and one sentence. proof: that a target is out of reach, or ""."""
    nudged = ", nudged once from an equilibrium" if kicks else ""
    if steps:
        nudged += f", refined by {steps} step{'' if steps == 1 else 's'} of damped least squares"
    worst = int(errors.argmax())
    away = f"point {ends[worst]} is {errors[worst]:.3g} from its target"
    if solved:
        where = "" if attempt == 0 else f" of attempt {attempt}, from a random posture"
        return (
            Status.SOLVED,
            f"solved after {ran} cycles{where}{nudged}: every clamped point within {tolerance:.3g} of its target",
        )
    if proof:
        return Status.OUT_OF_REACH, f"out of reach: {proof}; {away}"
    tried = f"in {count} attempt{'' if count == 1 else 's'}, the best of {ran} cycles{nudged}"
    if depth > 0:
        away += f", and a segment is {depth:.3g} deep in a region that must be free"
    status = Status.COMPROMISE if len(ends) > 1 else Status.NOT_FOUND
    return status, f"not found {tried}: {away}; lengths and ranges are kept"

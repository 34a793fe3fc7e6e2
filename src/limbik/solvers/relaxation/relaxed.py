"""The result of a point relaxation: a posture that keeps all lengths and ranges, and the errors of its ends."""

from dataclasses import dataclass

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import OneAnswer


@dataclass(frozen=True, eq=False)
class Relaxed(OneAnswer, Record):
    """A posture (configuration) of segments. Frozen; compares and pickles by its parts.

    status: SOLVED when every clamped point is within the tolerance of its target, lengths, ranges and free regions kept, all
    of it checked on the points themselves; OUT_OF_REACH only when proven by lengths. points: (n + 1, d). ends, errors: the
    clamped points and how far each is from its target [m]. cycles: how many were run; kicks: how often a posture that nothing
    moved was nudged; steps: of the finish that followed, 0 where the network did it alone; attempt: which one this is, 0 being
    from the start. depth: how deep a segment stands in a region that is to be free, below 0 for not [m]. course: (k, n + 1, d)
    every state of the network, the start first, whose segments are not yet right; postures: what each stands for, exact in
    lengths and ranges; both empty unless recorded, and both followed by the postures of the finish.
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
    ends: tuple[int, ...], errors: Array, near: float, sound: bool, ran: int, kicks: int, steps: int, depth: float,
    attempt: int, count: int, apart: str,
) -> tuple[Status, str]:  # fmt: skip
    """Return the status of a relaxation and one sentence. apart: a proof that a target is out of reach, or ""."""
    nudged = ", nudged once from an equilibrium" if kicks else ""
    if steps:
        nudged += f", refined by {steps} step{'' if steps == 1 else 's'} of damped least squares"
    worst = int(errors.argmax())
    away = f"point {ends[worst]} is {errors[worst]:.3g} from its target"
    if sound:
        where = "" if attempt == 0 else f" of attempt {attempt}, from a random posture"
        return (
            Status.SOLVED,
            f"solved after {ran} cycles{where}{nudged}: every clamped point within {near:.3g} of its target",
        )
    if apart:
        return Status.OUT_OF_REACH, f"out of reach: {apart}; {away}"
    tried = f"in {count} attempt{'' if count == 1 else 's'}, the best of {ran} cycles{nudged}"
    if depth > 0:
        away += f", and a segment is {depth:.3g} deep in a region that must be free"
    status = Status.COMPROMISE if len(ends) > 1 else Status.NOT_FOUND
    return status, f"not found {tried}: {away}; lengths and ranges are kept"

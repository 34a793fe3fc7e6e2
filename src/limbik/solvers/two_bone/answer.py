"""The answer of a two-bone limb: positions of elbow and tip, joint values, status and reason."""

import operator
from dataclasses import dataclass
from enum import IntFlag
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Status
from limbik.errors import UnknownRow, shown
from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.model.results import ManyAnswers, OneAnswer
from limbik.solvers.two_bone.plane import angle_about, zero_across

# Columns of the core's rows.
ELBOW, END, LINE, SIDE = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)
FRAME, MISSING, STRETCHED, BEND, MARKS = slice(6, 12), 12, 13, 14, 15
COLUMNS = 16
# Bones without joints reach a target up to this error [fractions of their length]: their unit does not matter.
BONE_TOLERANCE = 1e-8


class Mark(IntFlag):
    """Flags of special cases in an answer; `core/two_bone/two_bone.hpp` sets them."""

    REACHED = 1
    TOO_FAR = 2
    TOO_NEAR = 4
    SOFT = 8
    STRETCHED = 16
    NEAR_POLE = 32
    HELD = 64
    CHOSEN = 128
    NO_LINE = 256
    STRAINED = 512


def status_of(rows: Array, reach: float) -> npt.NDArray[np.int64]:
    """Return the status of rows of the core, for bones without joints. reach: the sum of their lengths [m]."""
    marks = rows[:, MARKS].astype(np.int64)
    status = np.full(marks.shape, int(Status.COMPROMISE))
    status[(marks & (Mark.TOO_FAR | Mark.TOO_NEAR)) > 0] = Status.OUT_OF_REACH
    status[(marks & Mark.STRAINED) > 0] = Status.NOT_FOUND
    away = (marks & (Mark.TOO_FAR | Mark.TOO_NEAR)) > 0
    hardly = away & (rows[:, MISSING] <= BONE_TOLERANCE * reach)
    status[hardly | ((marks & Mark.REACHED) > 0)] = Status.SOLVED
    return status


@dataclass(frozen=True, eq=False)
class LimbAnswer(OneAnswer, Record):
    """One answer of a limb.

    q: (n,) the posture (configuration) of the whole robot: the limb's joints solved, the others as in the seed; None
    for bones without joints. elbow, end: (3,) [m]. line, side: unit vectors from root to end, and perpendicular to it
    towards the elbow. Pass the answer as `previous=` of the next solve for continuous motion. swivel: angle of the
    elbow about the line [rad]. bend: 0 for a straight limb [rad]. stretched: the factor of the bones' lengths.
    position_error, rotation_error: the errors of the end [m, rad]. side_error: the angle between the elbow's direction
    and the desired one [rad].
    """

    status: Status
    why: str
    q: Array | None
    elbow: Array
    end: Array
    line: Array
    side: Array
    swivel: float
    bend: float
    stretched: float
    position_error: float
    rotation_error: float
    side_error: float
    marks: Mark

    @property
    def normal(self) -> Array:
        """(3,) the normal of the plane in which the limb bends: the elbow's axis."""
        return np.cross(self.side, self.line)

    def __repr__(self) -> str:
        x, y, z = self.elbow
        return (
            f"LimbAnswer({self.status.name}, elbow=({x:.4g}, {y:.4g}, {z:.4g}), bend={self.bend:.4g}, "
            f"swivel={self.swivel:.4g}, position_error={self.position_error:.3g})"
        )


@dataclass(frozen=True, eq=False)
class LimbBatch(ManyAnswers, Record):
    """The answers to many targets, as arrays. rows: (N, 16) the core's numbers; q: (N, n), or None for bones without joints.

    status: (N,). rotation_error, side_error: (N,) [rad]. zero: the elbow's direction at swivel 0, (3,) or (N, 3).
    batch[k] is an answer. Pass a batch as `previous=` of the next batch of N targets.
    """

    rows: Array
    status: npt.NDArray[np.int64]
    rotation_error: Array
    zero: Array
    q: Array | None = None
    side_error: Array | None = None

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """(N,) which rows are solved and verified."""
        return np.asarray(self.status == Status.SOLVED)

    @property
    def elbow(self) -> Array:
        """(N, 3) the positions of the elbow [m]."""
        return self.rows[:, ELBOW]

    @property
    def end(self) -> Array:
        """(N, 3) the positions of the tip [m]."""
        return self.rows[:, END]

    @property
    def line(self) -> Array:
        """(N, 3) unit vectors from root to end."""
        return self.rows[:, LINE]

    @property
    def side(self) -> Array:
        """(N, 3) unit vectors perpendicular to the line, towards the elbow."""
        return self.rows[:, SIDE]

    @property
    def normal(self) -> Array:
        """(N, 3) the normals of the planes in which the limb bends: the elbow's axis."""
        return np.cross(self.side, self.line)

    @property
    def position_error(self) -> Array:
        """(N,) the distance of the tip from its target [m]."""
        return self.rows[:, MISSING]

    @property
    def stretched(self) -> Array:
        """(N,) the factor of the bones' lengths."""
        return self.rows[:, STRETCHED]

    @property
    def bend(self) -> Array:
        """(N,) the bend of the elbow [rad]; 0 for a straight limb."""
        return self.rows[:, BEND]

    @cached_property
    def marks(self) -> npt.NDArray[np.int64]:
        """(N,) bits of `Mark`."""
        return self.rows[:, MARKS].astype(np.int64)

    @cached_property
    def swivel(self) -> Array:
        """(N,) the angle of the elbow about the line from root to end [rad]."""
        return angle_about(self.line, zero_across(self.line, self.zero), self.side)

    def __getitem__(self, index: int) -> LimbAnswer:
        """Return the answer of one row. Raises UnknownRow."""
        try:
            k = operator.index(index)
            row, status = self.rows[k], Status(int(self.status[k]))
        except (TypeError, IndexError):
            raise UnknownRow(f"this batch has the rows 0 to {len(self) - 1}, not {shown(index)}") from None
        rotation, side = float(self.rotation_error[k]), 0.0 if self.side_error is None else float(self.side_error[k])
        return answer_of(row, status, None if self.q is None else self.q[k], float(self.swivel[k]), rotation, side)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<LimbBatch: {int(self.ok.sum())} of {len(self)} solved>"


def explain(status: Status, marks: Mark, distance: float, rotation: float, factor: float, side_error: float) -> str:
    """Return one sentence about an answer of a limb."""
    away = f"the tip is {distance:.3g} m from the target"
    notes = []
    if Mark.STRETCHED in marks:
        notes.append(f"bones stretched to {100 * factor:.4g} % of their length")
    if Mark.NO_LINE in marks:
        notes.append(
            "the target is at the root, so its line was taken from the previous answer or perpendicular to the pole"
        )
    if Mark.CHOSEN in marks:
        notes.append("nothing determines the elbow direction, so a fixed one was taken")
    elif Mark.HELD in marks and Mark.NEAR_POLE in marks:
        notes.append("the pole is within 1 deg of the limb's line, so the plane of the previous answer was used")
    elif Mark.NEAR_POLE in marks:
        notes.append("the pole is within 1 deg of the limb's line: pass previous= for continuous motion")
    more = "".join(f"; {note}" for note in notes)
    match status:
        case Status.SOLVED:
            return f"solved in closed form{more}"
        case Status.OUT_OF_REACH if Mark.TOO_NEAR in marks:
            return f"out of reach: the target is closer to the root than the limb can fold; {away}{more}"
        case Status.OUT_OF_REACH:
            return f"out of reach: the target is farther from the root than the limb is long; {away}{more}"
        case Status.LIMITS:
            return f"outside the limits: no posture inside the limits reaches the target; {away} and {rotation:.3g} rad{more}"
        case Status.COMPROMISE if Mark.SOFT in marks:
            return f"a compromise: the reach is soft, so {away}{more}"
        case Status.COMPROMISE:
            off = f"the limits keep the elbow {side_error:.3g} rad from the desired direction"
            return f"a compromise: the tip is at the target, but {off}{more}"
        case _ if Mark.STRAINED in marks:
            return f"not found: the coordinates are too large for such short bones, beyond rounding; {away}"
        case _:
            return f"not found: the joints cannot reach this posture; {away} and {rotation:.3g} rad{more}"


def answer_of(
    row: Array, status: Status, q: Array | None, swivel: float, rotation: float, side_error: float
) -> LimbAnswer:
    """Return an answer from a row of the core and its verification."""
    marks, distance, factor = Mark(int(row[MARKS])), float(row[MISSING]), float(row[STRETCHED])
    why = explain(status, marks, distance, rotation, factor, side_error)
    elbow, end, line, side = (row[part].copy() for part in (ELBOW, END, LINE, SIDE))
    posture = None if q is None else q.copy()
    bend = float(row[BEND])
    return LimbAnswer(
        status, why, posture, elbow, end, line, side, swivel, bend, factor, distance, rotation, side_error, marks
    )


def frames_of(previous: Any) -> Any:
    """Return the line and side of an earlier answer, (6,) or (N, 6); a bare direction (3,) has no line."""
    if isinstance(previous, LimbAnswer):
        return np.concatenate([previous.line, previous.side])
    if isinstance(previous, LimbBatch):
        return np.ascontiguousarray(previous.rows[:, FRAME])
    return previous
